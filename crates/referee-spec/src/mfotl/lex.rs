//! The tokens of MFOTL.
//!
//! Keywords are capitals, as in MonPoly; those of aggregates are in the core's table of them. `<-` is one token only before
//! the name of an aggregation; elsewhere (`x <-1`) it is a comparison with a negative number, and [`lex`] cuts it in two.
//! Strings have no escapes: what stands between the quotes is the text, so that regular expressions can be written as they
//! are; a text with one kind of quote is put between the other kind.

use std::fmt;

use logos::Logos;

use crate::core::{AggregateNotation, Span};
use crate::diagnostic::Diagnostic;
use crate::parse::{self, Lexed, Token, TokenKind};

/// A kind of token.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\f\u{feff}]+")]
pub(super) enum Kind {
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(".")]
    Dot,
    #[token("?")]
    Question,
    /// A sign of another notation, which is replaced by the keyword that is meant.
    #[token("->")]
    #[token("=>")]
    #[token("<->")]
    #[token("<=>")]
    #[token("==")]
    ForeignSign,
    #[token("=")]
    Equal,
    #[token("!=")]
    #[token("<>")]
    #[token("≠")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    #[token("≤")]
    LessOrEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    #[token("≥")]
    GreaterOrEqual,
    #[token("<-")]
    #[token("←")]
    Arrow,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("MOD")]
    Mod,
    #[token("SUBSTRING")]
    Substring,
    #[token("MATCHES")]
    Matches,
    #[token("TRUE")]
    True,
    #[token("FALSE")]
    False,
    #[token("NOT")]
    Not,
    #[token("AND")]
    And,
    #[token("OR")]
    Or,
    #[token("IMPLIES")]
    Implies,
    #[token("EQUIV")]
    Equiv,
    #[token("EXISTS")]
    Exists,
    #[token("FORALL")]
    Forall,
    #[token("PREV")]
    #[token("PREVIOUS")]
    Prev,
    #[token("NEXT")]
    Next,
    #[token("ONCE")]
    Once,
    #[token("EVENTUALLY")]
    #[token("SOMETIMES")]
    Eventually,
    #[token("ALWAYS")]
    Always,
    #[token("PAST_ALWAYS")]
    #[token("HISTORICALLY")]
    PastAlways,
    #[token("SINCE")]
    Since,
    #[token("UNTIL")]
    Until,
    #[token("TRIGGER")]
    Trigger,
    #[token("RELEASE")]
    Release,
    #[token("MATCHF")]
    #[token("FORWARD")]
    MatchForward,
    #[token("MATCHP")]
    #[token("BACKWARD")]
    MatchPast,
    #[token("LET")]
    Let,
    #[token("LETPAST")]
    LetPast,
    #[token("IN")]
    In,
    #[token("f2i")]
    FloatToInteger,
    #[token("i2f")]
    IntegerToFloat,
    #[token("i2s")]
    IntegerToText,
    #[token("s2i")]
    TextToInteger,
    #[token("f2s")]
    FloatToText,
    #[token("s2f")]
    TextToFloat,
    #[token("_", priority = 3)]
    Underscore,
    #[regex(r"[_\p{L}][_\p{L}\p{N}]*'*", priority = 2)]
    Name,
    #[regex(r"[0-9]+")]
    Integer,
    #[regex(r"[0-9]+(\.[0-9]+([eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)")]
    Decimal,
    #[regex(r"[0-9]+(d|h|m|s|ms|us|ns)")]
    Duration,
    #[regex(r#"r?"[^"\n]*""#)]
    #[regex(r"'[^'\n]*'")]
    Text,
    #[regex(r#"r?"[^"\n]*"#)]
    #[regex(r"'[^'\n]*")]
    OpenText,
    #[regex(r"#[^\n]*", allow_greedy = true)]
    #[regex(r"\(\*([^*]|\*+[^*)])*\*+\)")]
    Comment,
    #[regex(r"\(\*([^*]|\*+[^*)])*\**", allow_greedy = true)]
    OpenComment,
    /// The name of an aggregate; [`lex`] makes it of a name.
    Aggregate,
    End,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Underscore => "`_`",
            Kind::Name => "a name",
            Kind::Integer | Kind::Decimal => "a number",
            Kind::Duration => "a duration",
            Kind::Text | Kind::OpenText => "a string",
            Kind::Comment | Kind::OpenComment => "a comment",
            Kind::Aggregate => "an aggregation",
            Kind::End => "the end of the file",
            symbol => return write!(f, "`{}`", symbol.spelling()),
        })
    }
}

impl Kind {
    /// How the token is written in canonical layout; nothing for those that have many spellings.
    pub(super) fn spelling(self) -> &'static str {
        match self {
            Kind::Open => "(",
            Kind::Close => ")",
            Kind::OpenBracket => "[",
            Kind::CloseBracket => "]",
            Kind::Comma => ",",
            Kind::Semicolon => ";",
            Kind::Dot => ".",
            Kind::Question => "?",
            Kind::Equal => "=",
            Kind::NotEqual => "!=",
            Kind::Less => "<",
            Kind::LessOrEqual => "<=",
            Kind::Greater => ">",
            Kind::GreaterOrEqual => ">=",
            Kind::Arrow => "<-",
            Kind::Plus => "+",
            Kind::Minus => "-",
            Kind::Star => "*",
            Kind::Slash => "/",
            _ => self.keyword(),
        }
    }

    /// How a keyword is written.
    fn keyword(self) -> &'static str {
        match self {
            Kind::Mod => "MOD",
            Kind::Substring => "SUBSTRING",
            Kind::Matches => "MATCHES",
            Kind::True => "TRUE",
            Kind::False => "FALSE",
            Kind::Not => "NOT",
            Kind::And => "AND",
            Kind::Or => "OR",
            Kind::Implies => "IMPLIES",
            Kind::Equiv => "EQUIV",
            Kind::Exists => "EXISTS",
            Kind::Forall => "FORALL",
            Kind::Prev => "PREV",
            Kind::Next => "NEXT",
            Kind::Once => "ONCE",
            Kind::Eventually => "EVENTUALLY",
            Kind::Always => "ALWAYS",
            Kind::PastAlways => "PAST_ALWAYS",
            Kind::Since => "SINCE",
            Kind::Until => "UNTIL",
            Kind::Trigger => "TRIGGER",
            Kind::Release => "RELEASE",
            Kind::MatchForward => "MATCHF",
            Kind::MatchPast => "MATCHP",
            Kind::Let => "LET",
            Kind::LetPast => "LETPAST",
            Kind::In => "IN",
            Kind::FloatToInteger => "f2i",
            Kind::IntegerToFloat => "i2f",
            Kind::IntegerToText => "i2s",
            Kind::TextToInteger => "s2i",
            Kind::FloatToText => "f2s",
            Kind::TextToFloat => "s2f",
            _ => "",
        }
    }
}

impl TokenKind for Kind {
    const END: Kind = Kind::End;

    fn is_comment(self) -> bool {
        self == Kind::Comment
    }

    fn fault(self) -> Option<(&'static str, &'static str)> {
        match self {
            Kind::OpenText => Some(("this string has no end on its line", "close it with the quote that opened it")),
            Kind::OpenComment => Some(("this comment has no end", "close it with `*)`")),
            _ => None,
        }
    }

    fn closing(self) -> Option<Kind> {
        (self == Kind::Open).then_some(Kind::Close)
    }
}

/// Cuts a text into tokens.
pub(super) fn lex(text: &str) -> Lexed<Kind> {
    let mut lexed: Lexed<Kind> = parse::lex(text);
    lexed.tokens.retain(|token| token.kind != Kind::OpenComment);
    reject_foreign_signs(text, &mut lexed);
    lexed.tokens = split_arrows(&mark_aggregates(text, &lexed.tokens));
    replace_symbols(text, &mut lexed);
    lexed
}

/// Makes errors of signs that other notations write with characters that have a meaning here, too.
fn reject_foreign_signs(text: &str, lexed: &mut Lexed<Kind>) {
    for token in lexed.tokens.iter().filter(|token| token.kind == Kind::ForeignSign) {
        let sign = parse::quote(text.get(token.span.start..token.span.end).unwrap_or(""));
        lexed.diagnostics.push(Diagnostic::error("E0001", token.span, format!("{sign} has no meaning here")));
    }
    lexed.tokens.retain(|token| token.kind != Kind::ForeignSign);
}

/// Reads on at symbols of other notations as if the keyword stood there: the symbol is the only error.
fn replace_symbols(text: &str, lexed: &mut Lexed<Kind>) {
    for found in &mut lexed.diagnostics {
        let symbol = text.get(found.span.start..found.span.end).unwrap_or("");
        if let Some(kind) = keyword_for_symbol(symbol) {
            found.hint = Some(format!("write `{}`", kind.spelling()));
            lexed.tokens.push(Token { kind, span: found.span });
        }
    }
    lexed.tokens.sort_by_key(|token| (token.span.start, token.kind == Kind::End));
}

/// What MFOTL writes for a symbol of other notations.
fn keyword_for_symbol(symbol: &str) -> Option<Kind> {
    Some(match symbol {
        "&" | "&&" | "∧" => Kind::And,
        "|" | "||" | "∨" => Kind::Or,
        "!" | "~" | "¬" => Kind::Not,
        "→" | "⇒" | "->" | "=>" => Kind::Implies,
        "↔" | "⇔" | "<->" | "<=>" => Kind::Equiv,
        "==" => Kind::Equal,
        "∀" => Kind::Forall,
        "∃" => Kind::Exists,
        "○" => Kind::Next,
        "●" => Kind::Prev,
        "◇" => Kind::Eventually,
        "□" => Kind::Always,
        "◆" => Kind::Once,
        "■" => Kind::PastAlways,
        "∞" => Kind::Star,
        _ => return None,
    })
}

/// Makes one token of every name of an aggregate, and of percents such as `P99.9`.
///
/// The names of those without a rank are keywords. `QUANTILE` and `P95` are names of variables and events too: they are
/// aggregates only after an arrow, and before what nothing but an aggregation has there.
fn mark_aggregates(text: &str, tokens: &[Token<Kind>]) -> Vec<Token<Kind>> {
    let mut marked: Vec<Token<Kind>> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let assigned = marked.last().is_some_and(|before| before.kind == Kind::Arrow);
        let (span, used) = match percents(tokens, at) {
            Some(span) if assigned => (span, 3),
            _ => (token.span, 1),
        };
        let name = text.get(span.start..span.end).unwrap_or("");
        let is_aggregate = token.kind == Kind::Name
            && match AggregateNotation::Mfotl.find(name) {
                Some(row) if !row.is_ranked() => true,
                Some(_) => assigned && aggregates_after_rank(&tokens[at + used..]),
                None => assigned && is_name(tokens.get(at + used)) && AggregateNotation::Mfotl.named(name).is_some(),
            };
        if is_aggregate {
            marked.push(Token { kind: Kind::Aggregate, span });
            at += used;
        } else {
            marked.push(*token);
            at += 1;
        }
    }
    marked
}

/// The span of a name, a dot and digits without spaces between them.
fn percents(tokens: &[Token<Kind>], at: usize) -> Option<Span> {
    let [name, dot, digits] = tokens.get(at..at + 3)? else { return None };
    let kinds = (name.kind, dot.kind, digits.kind) == (Kind::Name, Kind::Dot, Kind::Integer);
    let adjacent = name.span.end == dot.span.start && dot.span.end == digits.span.start;
    (kinds && adjacent).then_some(Span { start: name.span.start, end: digits.span.end })
}

/// Whether a rank, also a wrong or a missing one, and the variable to aggregate over stand here.
fn aggregates_after_rank(tokens: &[Token<Kind>]) -> bool {
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let sign = usize::from(kind(0) == Some(Kind::Minus));
    match kind(sign) {
        Some(Kind::Integer | Kind::Decimal) => is_name(tokens.get(sign + 1)),
        _ => sign == 0 && is_name(tokens.first()),
    }
}

fn is_name(token: Option<&Token<Kind>>) -> bool {
    token.is_some_and(|token| token.kind == Kind::Name)
}

/// Makes `<` and `-` of every `<-` that no aggregation follows.
fn split_arrows(tokens: &[Token<Kind>]) -> Vec<Token<Kind>> {
    let mut split = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let assigns = tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Aggregate);
        // The typographic arrow is longer than two bytes and never a comparison.
        if token.kind == Kind::Arrow && !assigns && token.span.end - token.span.start == 2 {
            let middle = token.span.start + 1;
            split.push(Token { kind: Kind::Less, span: Span { start: token.span.start, end: middle } });
            split.push(Token { kind: Kind::Minus, span: Span { start: middle, end: token.span.end } });
        } else {
            split.push(*token);
        }
    }
    split
}

/// The keyword that a name would be in capitals.
pub(super) fn keyword_like(name: &str) -> Option<&'static str> {
    let capitals = name.to_uppercase();
    if capitals == name {
        return None;
    }
    if let Some(aggregate) = AggregateNotation::Mfotl.names().into_iter().find(|name| *name == capitals) {
        return Some(aggregate);
    }
    let mut lexer = Kind::lexer(&capitals);
    let kind = lexer.next()?.ok()?;
    (lexer.next().is_none() && !kind.keyword().is_empty()).then(|| kind.keyword())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        lex(text).tokens.iter().map(|token| token.kind).collect()
    }

    #[test]
    fn numbers_durations_and_dots() {
        use Kind::*;
        assert_eq!(kinds("5d 10,000 2.5 2000."), [Duration, Integer, Comma, Integer, Decimal, Integer, Dot, End]);
        assert_eq!(kinds("[0,*)(5"), [OpenBracket, Integer, Comma, Star, Close, Open, Integer, End]);
    }

    #[test]
    fn names_keywords_and_strings() {
        use Kind::*;
        assert_eq!(
            kinds("u'' acc_F _ _x ONCES r\"\\d\" 'a\"b' r"),
            [Name, Name, Underscore, Name, Name, Text, Text, Name, End]
        );
        assert_eq!(
            kinds("PREVIOUS SOMETIMES HISTORICALLY FORWARD BACKWARD"),
            [Prev, Eventually, PastAlways, MatchForward, MatchPast, End]
        );
    }

    #[test]
    fn an_arrow_is_one_token_before_an_aggregation_only() {
        use Kind::*;
        assert_eq!(kinds("s <- SUM"), [Name, Arrow, Aggregate, End]);
        assert_eq!(kinds("s <-1"), [Name, Less, Minus, Integer, End]);
        assert_eq!(kinds("s <- QUANTILE 0.9 x"), [Name, Arrow, Aggregate, Decimal, Name, End]);
        assert_eq!(kinds("s <- QUANTILE x"), [Name, Arrow, Aggregate, Name, End]);
        assert_eq!(kinds("s <- QUANTILE -1 x"), [Name, Arrow, Aggregate, Minus, Integer, Name, End]);
        assert_eq!(kinds("s ← P95 x; g."), [Name, Arrow, Aggregate, Name, Semicolon, Name, Dot, End]);
        assert_eq!(kinds("s <- P99.9 x"), [Name, Arrow, Aggregate, Name, End]);
        assert_eq!(kinds("s <- P99 .9 x"), [Name, Less, Minus, Name, Dot, Integer, Name, End]);
    }

    #[test]
    fn what_looks_like_an_aggregate_elsewhere_is_a_name() {
        use Kind::*;
        assert_eq!(kinds("s <-P95 AND"), [Name, Less, Minus, Name, And, End]);
        assert_eq!(kinds("s <-QUANTILE"), [Name, Less, Minus, Name, End]);
        assert_eq!(kinds("P95(QUANTILE)"), [Name, Open, Name, Close, End]);
        assert_eq!(kinds("SUM"), [Aggregate, End]);
    }

    #[test]
    fn comments_vanish_and_unclosed_things_are_reported() {
        let lexed = lex("# one\n(* two ** *) a (* three");
        assert_eq!(lexed.comments.len(), 2);
        assert_eq!(lexed.tokens.len(), 2);
        let [found] = &lexed.diagnostics[..] else { panic!("one error") };
        assert_eq!((found.code, found.span), ("E0002", Span { start: 21, end: 29 }));
        assert_eq!(lex("\"a\nb").diagnostics.len(), 1);
    }

    #[test]
    fn symbols_of_other_notations_have_a_hint() {
        let hints: Vec<_> = lex("a() ∧ b() $ ¬").diagnostics.into_iter().map(|found| found.hint).collect();
        assert_eq!(hints, [Some("write `AND`".into()), Some("remove it".into()), Some("write `NOT`".into())]);
    }

    #[test]
    fn keywords_are_found_in_any_case() {
        assert_eq!(keyword_like("and"), Some("AND"));
        assert_eq!(keyword_like("Historically"), Some("PAST_ALWAYS"));
        assert_eq!((keyword_like("cnt"), keyword_like("Quantile")), (Some("CNT"), Some("QUANTILE")));
        assert_eq!(keyword_like("anders"), None);
        assert_eq!(keyword_like("HISTORICALLY"), None);
    }
}
