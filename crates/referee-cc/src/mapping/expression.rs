//! Expressions of C in a mapping: values and conditions.

use crate::syntax::token::{TokenKind, Tokens};

/// An expression, cut where names stand that may mean something else at the place where it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Expression {
    /// As it was written.
    pub(crate) text: String,
    /// Where it is in the mapping, in bytes.
    pub(crate) offset: usize,
    /// Where in the text names stand that are no fields.
    names: Vec<(usize, usize)>,
}

/// Operators that change what they are applied to.
const CHANGING: [&str; 13] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"];

impl Expression {
    /// Reads an expression that begins at this offset of the mapping; the error is an offset inside and what is wrong there.
    pub(crate) fn parse(text: &str, offset: usize) -> Result<Expression, (usize, String)> {
        let tokens =
            Tokens::of(text.as_bytes()).ok_or((0, "the brackets of the expression do not match".to_owned()))?;
        if tokens.len() == 0 {
            return Err((0, "expected an expression".to_owned()));
        }
        let mut names = Vec::new();
        for (at, token) in tokens.all.iter().enumerate() {
            let sign = tokens.name(at);
            if CHANGING.contains(&sign) {
                return Err((token.start as usize, format!("`{sign}` would change the program")));
            }
            if matches!(sign, ";" | "{" | "}" | "#" | "\\") || text.contains('\n') {
                return Err((token.start as usize, format!("`{sign}` belongs to no expression")));
            }
            if token.kind == TokenKind::Word && !matches!(tokens.before(at), b"." | b"->") {
                names.push((token.start as usize, token.end as usize));
            }
        }
        Ok(Expression { text: text.to_owned(), offset, names })
    }

    /// Whether the name stands in it, and is no field.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(start, end)| &self.text[*start..*end])
    }

    /// The expression with other text for some of its names.
    pub(crate) fn with(&self, replace: impl Fn(&str) -> Option<String>) -> String {
        let (mut out, mut done) = (String::new(), 0);
        for (start, end) in &self.names {
            if let Some(other) = replace(&self.text[*start..*end]) {
                out.push_str(&self.text[done..*start]);
                out.push_str(&other);
                done = *end;
            }
        }
        out.push_str(&self.text[done..]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_and_fields_are_not() {
        let expression = Expression::parse("p->fd + fd.p * f(fd)", 0).expect("an expression");
        assert_eq!(expression.with(|name| (name == "fd").then(|| "X".to_owned())), "p->fd + X.p * f(X)");
        assert_eq!(expression.names().collect::<Vec<_>>(), ["p", "fd", "f", "fd"]);
    }

    #[test]
    fn what_changes_the_program_is_no_expression() {
        for (text, at) in [("a = 1", 2), ("a++", 1), ("f(x", 0), ("", 0), ("a; b", 1), ("({ a; })", 1)] {
            assert_eq!(Expression::parse(text, 0).map_err(|(at, _)| at), Err(at), "{text}");
        }
        assert!(Expression::parse("a == 1 && b <= 2 ? *c : ~d", 0).is_ok());
    }
}
