//! Declarators: which word of a declaration is the function, and what its parameters are called.

use std::ops::Range;

use super::token::Tokens;
use super::words::{is_attribute, is_keyword, is_qualifier, is_storage, is_type, is_typeof};

/// The name of a function in its declaration, and the bracket that opens its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FunctionDeclarator {
    pub(crate) name: usize,
    pub(crate) list: usize,
}

/// The function that tokens outside of brackets declare, if it is one.
pub(crate) fn function_declarator(tokens: &Tokens<'_>, range: Range<usize>) -> Option<FunctionDeclarator> {
    let mut at = range.start;
    while at < range.end {
        let word = tokens.get(at);
        match word {
            b"(" => {
                let close = tokens.mate(at);
                if let Some(found) = nested(tokens, at) {
                    return Some(found);
                }
                at = close + 1;
            }
            b"{" | b"[" => at = tokens.mate(at) + 1,
            b"=" => return None,
            b"struct" | b"union" | b"enum" => at = behind_tag(tokens, at),
            _ if is_attribute(word) || is_typeof(word) => at = behind_brackets(tokens, at + 1),
            _ if tokens.is_word(at) && !is_keyword(word) && tokens.get(at + 1) == b"(" => {
                if !is_type_before_nested(tokens, at) {
                    return Some(FunctionDeclarator { name: at, list: at + 1 });
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    None
}

/// The token behind brackets, if there are any here.
fn behind_brackets(tokens: &Tokens<'_>, at: usize) -> usize {
    if tokens.get(at) == b"(" { tokens.mate(at) + 1 } else { at }
}

/// The token behind `struct attributes tag`.
fn behind_tag(tokens: &Tokens<'_>, at: usize) -> usize {
    let mut at = at + 1;
    while is_attribute(tokens.get(at)) {
        at = behind_brackets(tokens, at + 1);
    }
    if tokens.is_word(at) { at + 1 } else { at }
}

/// `type (*name(…))(…)`: the word before the brackets is a type, as what follows them are the parameters.
fn is_type_before_nested(tokens: &Tokens<'_>, at: usize) -> bool {
    let close = tokens.mate(at + 1);
    let is_nested = tokens.get(at + 2) == b"*" || (close == at + 3 && !is_keyword(tokens.get(at + 2)));
    is_nested && matches!(tokens.get(close + 1), b"(" | b"[")
}

/// The function in a declarator in brackets: `(name)(…)`, `(*name(…))`.
fn nested(tokens: &Tokens<'_>, open: usize) -> Option<FunctionDeclarator> {
    let (mut at, close) = (open + 1, tokens.mate(open));
    let mut is_pointer = false;
    while at < close {
        let word = tokens.get(at);
        match word {
            b"*" => {
                is_pointer = true;
                at += 1;
            }
            b"(" => return nested(tokens, at),
            _ if is_qualifier(word) => at += 1,
            _ if is_attribute(word) => at = behind_brackets(tokens, at + 1),
            _ if !tokens.is_word(at) || is_keyword(word) => return None,
            _ if tokens.get(at + 1) == b"(" => return Some(FunctionDeclarator { name: at, list: at + 1 }),
            _ if at + 1 == close && !is_pointer && tokens.get(close + 1) == b"(" => {
                return Some(FunctionDeclarator { name: at, list: close + 1 });
            }
            _ => return None,
        }
    }
    None
}

/// What a function calls its parameters.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parameters<'t> {
    /// Their names; the declaration may leave them out.
    pub(crate) names: Vec<Option<&'t str>>,
    /// Whether more may follow.
    pub(crate) variadic: bool,
}

impl<'t> Parameters<'t> {
    /// Those between brackets. In a definition a word that stands alone is a name; elsewhere it is a type.
    pub(crate) fn read(tokens: &Tokens<'t>, list: usize, is_definition: bool) -> Parameters<'t> {
        let mut parameters = Parameters::default();
        for part in parts(tokens, list) {
            match (tokens.get(part.start), part.len()) {
                (b"...", _) => parameters.variadic = true,
                (b"void", 1) => {}
                _ => parameters.names.push(parameter_name(tokens, part, is_definition)),
            }
        }
        parameters
    }
}

/// What stands between the commas of a list in brackets.
pub(crate) fn parts(tokens: &Tokens<'_>, open: usize) -> Vec<Range<usize>> {
    let close = tokens.mate(open);
    let (mut parts, mut start, mut at) = (Vec::new(), open + 1, open + 1);
    while at < close {
        if tokens.get(at) == b"," {
            parts.push(start..at);
            start = at + 1;
        }
        at = tokens.last_of(at) + 1;
    }
    if start < close {
        parts.push(start..close);
    }
    parts
}

fn parameter_name<'t>(tokens: &Tokens<'t>, part: Range<usize>, is_definition: bool) -> Option<&'t str> {
    if part.len() == 1 && is_definition && !is_keyword(tokens.get(part.start)) {
        return Some(tokens.name(part.start));
    }
    let (mut at, mut has_type, mut name) = (part.start, false, None);
    while at < part.end {
        let word = tokens.get(at);
        match word {
            b"struct" | b"union" | b"enum" => {
                (at, has_type) = (behind_tag(tokens, at), true);
            }
            b"(" if matches!(tokens.get(at + 1), b"*" | b"(") => return pointer_name(tokens, at),
            b"(" | b"[" | b"{" => at = tokens.mate(at) + 1,
            _ if is_attribute(word) => at = behind_brackets(tokens, at + 1),
            _ if is_typeof(word) => (at, has_type) = (behind_brackets(tokens, at + 1), true),
            _ if is_type(word) => (at, has_type) = (at + 1, true),
            _ if !tokens.is_word(at) || is_qualifier(word) || is_storage(word) => at += 1,
            _ => {
                name = has_type.then(|| tokens.name(at));
                (at, has_type) = (at + 1, true);
            }
        }
    }
    name
}

/// The name in `(*name)(…)`.
fn pointer_name<'t>(tokens: &Tokens<'t>, open: usize) -> Option<&'t str> {
    let inside = open + 1..tokens.mate(open);
    inside.into_iter().find(|at| tokens.is_word(*at) && !is_keyword(tokens.get(*at))).map(|at| tokens.name(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(String, Vec<String>)> {
        let tokens = Tokens::of(text.as_bytes()).expect("brackets match");
        let declarator = function_declarator(&tokens, 0..tokens.len())?;
        let parameters = Parameters::read(&tokens, declarator.list, true);
        let names = parameters.names.iter().map(|name| name.unwrap_or("?").to_owned());
        let more = parameters.variadic.then(|| "...".to_owned());
        Some((tokens.name(declarator.name).to_owned(), names.chain(more).collect()))
    }

    #[test]
    fn functions_are_found_in_every_form_of_declaration() {
        for (text, name, parameters) in [
            ("int f(int a, char *b)", "f", "a b"),
            ("static __inline__ struct s *f(void)", "f", ""),
            ("int (*f(int a, ...))(int b)", "f", "a ..."),
            ("handler_t (*f(int a))(int b)", "f", "a"),
            ("handler_t (f)(int a)", "f", "a"),
            ("void (f)(const char *const a, struct s b[3])", "f", "a b"),
            (
                "__attribute__((noinline)) long f(int (*compare)(const void *, const void *), size_t n)",
                "f",
                "compare n",
            ),
            ("__typeof__(x) f(unsigned, foo_t, foo_t y)", "f", "? foo_t y"),
            ("f(a, b)", "f", "a b"),
            ("int f(a, b) int a; char b;", "f", "a b"),
            ("enum e __attribute__((cold)) f(int a[static 3], int (*b)[4])", "f", "a b"),
        ] {
            let expected = (name.to_owned(), parameters.split_whitespace().map(str::to_owned).collect());
            assert_eq!(found(text), Some(expected), "{text}");
        }
        for text in ["int x", "int (*f)(int)", "struct s { int (*f)(int); } x", "int x = f(1)", "int a[3]"] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
