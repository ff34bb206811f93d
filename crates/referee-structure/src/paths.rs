//! The paths that a source text names: each leaf of its `use` trees, and paths in the text such as `crate::a::B` or `module::f`.

use crate::items::is_visible;
use crate::tokens::{Token, end_of_group};

/// A path that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPath {
    /// Its words; `*` for all names of a module.
    pub words: Vec<String>,
    /// The name under which a `use` brings it into the file.
    pub imported_as: Option<String>,
    /// Whether that `use` hands it on to others.
    pub is_public: bool,
}

/// All paths of a text, those of `use` first.
pub fn paths(tokens: &[Token]) -> Vec<NamedPath> {
    let (mut imports, mut inline) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is_word("pub") && tokens.get(at + 1).is_some_and(|token| token.is_mark('(')) {
            // `pub(in crate::a)` says who may use the item: it uses nothing.
            at = end_of_group(tokens, at + 1);
        } else if tokens[at].is_word("use") && begins_item(tokens, at) {
            let is_public = is_visible(tokens, at);
            at = tree(tokens, at + 1, &[], is_public, &mut imports);
        } else if matches!(tokens[at], Token::Word(_)) && (at == 0 || tokens[at - 1] != Token::Path) {
            at = path_in_text(tokens, at, &mut inline);
        } else {
            at += 1;
        }
    }
    imports.append(&mut inline);
    imports
}

/// Whether a word begins an item: `use<'a>` in a type does not.
fn begins_item(tokens: &[Token], at: usize) -> bool {
    matches!(tokens.get(at + 1), Some(Token::Word(_) | Token::Path | Token::Mark('{')))
}

/// Reads the tree of a `use` from `at` on; tells where it ends.
fn tree(tokens: &[Token], mut at: usize, prefix: &[String], is_public: bool, found: &mut Vec<NamedPath>) -> usize {
    let mut words = prefix.to_vec();
    loop {
        match tokens.get(at) {
            Some(Token::Word(word)) if word == "as" => {
                let imported_as = match tokens.get(at + 1) {
                    Some(Token::Word(name)) => Some(name.clone()),
                    _ => None,
                };
                found.push(NamedPath { words, imported_as, is_public });
                return at + 2;
            }
            Some(Token::Word(word)) => words.push(word.clone()),
            Some(Token::Mark('*')) => words.push("*".to_owned()),
            Some(Token::Path) => {}
            Some(Token::Mark('{')) => return group(tokens, at, &words, is_public, found),
            _ => {
                if words.last().is_some_and(|word| word == "self") && words.len() > 1 {
                    words.pop();
                }
                let imported_as = words.last().cloned();
                found.push(NamedPath { words, imported_as, is_public });
                return at;
            }
        }
        at += 1;
    }
}

/// Reads the branches between braces; tells where they end.
fn group(tokens: &[Token], open: usize, words: &[String], is_public: bool, found: &mut Vec<NamedPath>) -> usize {
    let end = end_of_group(tokens, open);
    let mut at = open + 1;
    while at + 1 < end {
        at = if tokens[at].is_mark(',') { at + 1 } else { tree(tokens, at, words, is_public, found) };
    }
    end
}

/// Reads a path in the text; tells where it ends. A single word is none.
fn path_in_text(tokens: &[Token], mut at: usize, found: &mut Vec<NamedPath>) -> usize {
    let mut words = Vec::new();
    while let Some(Token::Word(word)) = tokens.get(at) {
        words.push(word.clone());
        at += 1;
        match (tokens.get(at), tokens.get(at + 1)) {
            (Some(Token::Path), Some(Token::Word(_))) => at += 1,
            _ => break,
        }
    }
    if words.len() > 1 {
        found.push(NamedPath { words, imported_as: None, is_public: false });
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokens;

    #[test]
    fn every_leaf_of_a_use_is_a_path() {
        let text = "pub(in crate::n::o) fn p() {} pub(crate) use a::{b, c::{self, d as e}, f::*}; let x = g::h(i::<J>::k(), crate::l::M);";
        let all: Vec<String> = paths(&tokens(text)).into_iter().map(|path| path.words.join("::")).collect();
        assert_eq!(all, ["a::b", "a::c", "a::c::d", "a::f::*", "g::h", "crate::l::M"]);
        let first = &paths(&tokens(text))[2];
        assert_eq!((first.imported_as.as_deref(), first.is_public), (Some("e"), true));
    }
}
