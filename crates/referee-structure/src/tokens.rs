//! The tokens of a source text, as far as names and paths need them.
//!
//! Comments, strings and characters are left out, and so is every item under `#[cfg(test)]`: test code may look at whatever it tests.

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A name or a keyword.
    Word(String),
    /// `::`.
    Path,
    /// Any other character that is no blank.
    Mark(char),
}

impl Token {
    /// Whether it is this word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Word(own) if own == word)
    }

    /// Whether it is this character.
    pub fn is_mark(&self, mark: char) -> bool {
        *self == Token::Mark(mark)
    }
}

/// The tokens of a text without test code, and the names of the modules that are test code in files of their own.
pub fn product_tokens(text: &str) -> (Vec<Token>, Vec<String>) {
    let all = tokens(text);
    let (mut kept, mut test_modules) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < all.len() {
        let Some(behind) = behind_test_attribute(&all, at) else {
            kept.push(all[at].clone());
            at += 1;
            continue;
        };
        let end = end_of_item(&all, behind);
        if let [.., Token::Word(keyword), Token::Word(name), Token::Mark(';')] = &all[behind..end]
            && keyword == "mod"
        {
            test_modules.push(name.clone());
        }
        at = end;
    }
    (kept, test_modules)
}

/// Where the item begins behind `#[cfg(test)]` and further attributes, if one is here.
fn behind_test_attribute(tokens: &[Token], at: usize) -> Option<usize> {
    let mut end = end_of_attribute(tokens, at)?;
    if !is_test_attribute(&tokens[at..end]) {
        return None;
    }
    while let Some(next) = end_of_attribute(tokens, end) {
        end = next;
    }
    Some(end)
}

/// Whether an attribute leaves its item out of every build but that of tests: `any(test, …)` and `not(test)` do not.
fn is_test_attribute(attribute: &[Token]) -> bool {
    let has = |word: &str| attribute.iter().any(|token| token.is_word(word));
    attribute.get(2).is_some_and(|token| token.is_word("cfg")) && has("test") && !has("not") && !has("any")
}

fn end_of_attribute(tokens: &[Token], at: usize) -> Option<usize> {
    let opens = tokens.get(at)?.is_mark('#') && tokens.get(at + 1)?.is_mark('[');
    opens.then(|| end_of_group(tokens, at + 1))
}

/// Behind the bracket that closes the one at `at`.
pub fn end_of_group(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate().skip(at) {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place + 1;
        }
    }
    tokens.len()
}

/// The words that begin an item or a statement. Fields, variants and arms of a `match` begin otherwise, and end at a comma.
const BEGINNINGS: [&str; 16] = [
    "async",
    "const",
    "enum",
    "extern",
    "fn",
    "impl",
    "let",
    "macro_rules",
    "mod",
    "static",
    "struct",
    "trait",
    "type",
    "union",
    "unsafe",
    "use",
];

/// Behind the item at `at`: its block, its semicolon, or the comma behind a field.
fn end_of_item(tokens: &[Token], mut at: usize) -> usize {
    let start = behind_visibility(tokens, at);
    let is_item = BEGINNINGS.iter().any(|word| tokens.get(start).is_some_and(|token| token.is_word(word)));
    while at < tokens.len() {
        match &tokens[at] {
            Token::Mark(',') if !is_item => return at + 1,
            Token::Mark(')' | ']' | '}') => return at,
            Token::Mark('{') => return end_of_group(tokens, at),
            Token::Mark(';') => return at + 1,
            Token::Mark('(' | '[') => at = end_of_group(tokens, at),
            _ => at += 1,
        }
    }
    at
}

/// Behind `pub` or `pub(…)`, if it stands at `at`.
fn behind_visibility(tokens: &[Token], at: usize) -> usize {
    match (tokens.get(at), tokens.get(at + 1)) {
        (Some(word), Some(Token::Mark('('))) if word.is_word("pub") => end_of_group(tokens, at + 1),
        (Some(word), _) if word.is_word("pub") => at + 1,
        _ => at,
    }
}

/// All tokens of a text.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut scanner = Scanner { rest: text, tokens: Vec::new() };
    while scanner.step() {}
    scanner.tokens
}

struct Scanner<'t> {
    rest: &'t str,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    /// Takes one token, comment, literal or blank; tells whether there was one.
    fn step(&mut self) -> bool {
        let Some(first) = self.rest.chars().next() else { return false };
        let length = if self.rest.starts_with("//") {
            self.rest.find('\n').unwrap_or(self.rest.len())
        } else if self.rest.starts_with("/*") {
            block_comment(self.rest)
        } else if let Some(length) = raw_string(self.rest) {
            length
        } else if let Some(name) = self.rest.strip_prefix("r#") {
            // A keyword as a name, such as `r#type`.
            self.rest = name;
            self.word()
        } else if first == '"' {
            quoted(self.rest)
        } else if first == '\'' {
            character(self.rest)
        } else if first.is_alphanumeric() || first == '_' {
            self.word()
        } else if self.rest.starts_with("::") {
            self.tokens.push(Token::Path);
            2
        } else {
            if !first.is_whitespace() {
                self.tokens.push(Token::Mark(first));
            }
            first.len_utf8()
        };
        self.rest = &self.rest[length..];
        true
    }

    fn word(&mut self) -> usize {
        let is_inside = |letter: char| letter.is_alphanumeric() || letter == '_';
        let length = self.rest.find(|letter| !is_inside(letter)).unwrap_or(self.rest.len());
        self.tokens.push(Token::Word(self.rest[..length].to_owned()));
        length
    }
}

/// The length of a block comment; such comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of a raw string, or of a string of bytes, if one begins here.
fn raw_string(text: &str) -> Option<usize> {
    let behind = text.trim_start_matches(['b', 'c']);
    let prefix = text.len() - behind.len();
    if prefix > 1 {
        return None;
    }
    let Some(raw) = behind.strip_prefix('r') else {
        return (prefix == 1 && behind.starts_with('"')).then(|| prefix + quoted(behind));
    };
    let hashes = raw.len() - raw.trim_start_matches('#').len();
    let body = raw[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = body.find(&close)? + close.len();
    Some(text.len() - body.len() + end)
}

/// The length of a string with its quotes.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character, or of the quote of a lifetime.
fn character(text: &str) -> usize {
    let mut letters = text.char_indices().skip(1);
    match (letters.next(), letters.next()) {
        (Some((_, '\\')), Some(_)) => letters.find(|(_, letter)| *letter == '\'').map_or(1, |(at, _)| at + 1),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let word = |token| match token {
            Token::Word(word) => Some(word),
            _ => None,
        };
        product_tokens(text).0.into_iter().filter_map(word).collect()
    }

    #[test]
    fn comments_strings_and_characters_are_left_out() {
        let text = r##"a /* b /* c */ d */ // e
            "f \" g" 'h' '\'' r#"i " j"# b"k" b'l' fn m<'n>() {}"##;
        assert_eq!(words(text), ["a", "b", "fn", "m", "n"]);
    }

    #[test]
    fn test_code_is_left_out() {
        let text = "use a; #[cfg(test)] #[path = \"x\"] mod tests { use b; } use c; #[cfg(test)] mod more; #[cfg(not(test))] use d;";
        assert_eq!(words(text), ["use", "a", "use", "c", "cfg", "not", "test", "use", "d"]);
        assert_eq!(product_tokens(text).1, ["more"]);
    }
    #[test]
    fn what_only_some_tests_share_with_the_product_is_kept() {
        let text = "#[cfg(any(test, unix))] use a; #[cfg(all(test, unix))] use b; use c;";
        assert_eq!(words(text), ["cfg", "any", "test", "unix", "use", "a", "use", "c"]);
    }

    #[test]
    fn a_field_for_tests_takes_nothing_else_with_it() {
        let text = "struct A { #[cfg(test)] pub(crate) b: C, d: E, #[cfg(test)] f: G } fn h() {}";
        assert_eq!(words(text), ["struct", "A", "d", "E", "fn", "h"]);
    }

    #[test]
    fn keywords_may_be_names() {
        assert_eq!(words("fn r#type() { r#\"no\"# }"), ["fn", "type"]);
    }
}
