//! The items of a source text: what its modules define, and which of their names others may see.
//!
//! A text is one module and the modules that stand in it between braces (`mod portable { … }`). Items are those at the margin of
//! a module: methods, associated types and what a function keeps to itself are none of them. What stands between the braces of a
//! macro's call counts as if it stood there by itself; the templates of `macro_rules!` define nothing.

use crate::tokens::{Token, end_of_group};

/// A module as its text has it.
#[derive(Debug, Default)]
pub struct Text {
    /// The names of the modules around it within the same file.
    pub inner_path: Vec<String>,
    /// Its tokens, without those of the modules in it.
    pub tokens: Vec<Token>,
}

/// An item that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Its name.
    pub name: String,
    /// Whether `pub` or `pub(…)` stands before it.
    pub is_visible: bool,
}

/// What kinds of items are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// A structure, an enumeration, a union, a trait or an alias.
    Type,
    /// A function, a constant or a variable.
    Value,
    /// A macro.
    Macro,
}

/// Splits the tokens of a file into its modules, itself first.
pub fn modules_of(tokens: &[Token]) -> Vec<Text> {
    let mut all = vec![Text::default()];
    split(tokens, &[], 0, &mut all);
    all
}

fn split(tokens: &[Token], path: &[String], own: usize, all: &mut Vec<Text>) {
    let mut at = 0;
    while at < tokens.len() {
        match (&tokens[at], tokens.get(at + 1), tokens.get(at + 2)) {
            (word, Some(Token::Word(name)), Some(Token::Mark('{'))) if word.is_word("mod") => {
                let end = end_of_group(tokens, at + 2);
                let inner_path: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
                let place = all.len();
                all.push(Text { inner_path: inner_path.clone(), tokens: Vec::new() });
                split(&tokens[at + 3..end - 1], &inner_path, place, all);
                at = end;
            }
            (token, _, _) => {
                all[own].tokens.push(token.clone());
                at += 1;
            }
        }
    }
}

/// The items of a module.
pub fn items(tokens: &[Token]) -> Vec<Item> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            Token::Mark('{') if is_call_of_macro(tokens, at) => {
                let end = end_of_group(tokens, at);
                found.extend(items(&tokens[at + 1..end - 1]));
                at = end;
            }
            Token::Mark('{' | '(' | '[') => at = end_of_group(tokens, at),
            _ => {
                found.extend(item_at(tokens, at));
                at += 1;
            }
        }
    }
    found
}

/// Whether an opening brace belongs to `name! { … }`; that of `macro_rules! name { … }` does not.
fn is_call_of_macro(tokens: &[Token], at: usize) -> bool {
    at >= 2 && tokens[at - 1].is_mark('!') && matches!(tokens[at - 2], Token::Word(_))
}

fn item_at(tokens: &[Token], at: usize) -> Option<Item> {
    let Token::Word(keyword) = &tokens[at] else { return None };
    let (kind, name) = match (keyword.as_str(), tokens.get(at + 1)?, tokens.get(at + 2)) {
        ("struct" | "enum" | "trait" | "union" | "type", Token::Word(name), _) => (ItemKind::Type, name),
        ("const", Token::Word(name), _) if name == "fn" || name == "unsafe" => return None,
        ("fn" | "const" | "static", Token::Word(name), _) => (ItemKind::Value, name),
        ("macro_rules", Token::Mark('!'), Some(Token::Word(name))) => (ItemKind::Macro, name),
        _ => return None,
    };
    Some(Item { kind, name: name.clone(), is_visible: is_visible(tokens, at) })
}

/// Whether `pub` or `pub(…)` stands before a word; `unsafe`, `async` and the like may stand between.
pub fn is_visible(tokens: &[Token], at: usize) -> bool {
    let is_between = |token: &Token| ["unsafe", "async", "const", "extern"].iter().any(|word| token.is_word(word));
    let Some(before) = tokens[..at].iter().rposition(|token| !is_between(token)) else { return false };
    if !tokens[before].is_mark(')') {
        return tokens[before].is_word("pub");
    }
    let opening = tokens[..before].iter().rposition(|token| token.is_mark('('));
    opening.and_then(|at| at.checked_sub(1)).is_some_and(|at| tokens[at].is_word("pub"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokens;

    #[test]
    fn items_stand_at_the_margin() {
        let text =
            "pub struct A { b: C } impl A { type D = E; fn f() { struct G; } } pub(crate) unsafe trait H {} type I = A;
            make! { pub enum J { K } } macro_rules! l { () => { struct M; } } const fn n() {}";
        let found: Vec<(String, bool)> =
            items(&tokens(text)).into_iter().map(|item| (item.name, item.is_visible)).collect();
        let expected = [("A", true), ("H", true), ("I", false), ("J", true), ("l", false), ("n", false)];
        assert_eq!(found, expected.map(|(name, is_visible)| (name.to_owned(), is_visible)));
    }

    #[test]
    fn modules_in_a_file_are_apart() {
        let all = modules_of(&tokens("use a; mod b { use c; mod d { use e; } } use f;"));
        let paths: Vec<String> = all.iter().map(|text| text.inner_path.join("::")).collect();
        assert_eq!(paths, ["", "b", "b::d"]);
        assert_eq!(all.iter().map(|text| text.tokens.len()).collect::<Vec<_>>(), [6, 3, 3]);
    }
}
