//! Binary operators: their precedence, and what is said of those that are mixed or misread.

use super::parser::{Operand, Operator, Parser};
use crate::diagnostic::Diagnostic;
use crate::foltl::lex::Kind;
use crate::foltl::syntax::*;
use crate::parse::{BindingPower, Cursor, Pratt, quote};

impl Parser<'_> {
    /// Reports a chain that mixes operators, or repeats one that does not associate.
    pub(super) fn check_chain(&mut self, chain: &[(Operator, Span)], whole: Span) {
        let Some((first, first_span)) = chain.first().copied() else { return };
        let associates = matches!(first, Operator::And | Operator::Or);
        let Some((other, span)) = chain[1..].iter().copied().find(|(other, _)| !associates || *other != first) else {
            return;
        };
        let (a, b) = (self.cursor.text(first_span), self.cursor.text(span));
        let message = if first == other {
            format!("two `{a}` in a row need parentheses: it is not said which one comes first")
        } else {
            format!("`{a}` and `{b}` are mixed without parentheses")
        };
        let before = excerpt(self.cursor.text(Span { start: whole.start, end: span.start }));
        let hint = format!("write for example `({before}) {b} …`, or check with `--lenient`");
        let related = format!("the first operator is `{a}`");
        self.cursor.report(Diagnostic::error("E0101", span, message).hint(hint).related(first_span, related));
    }

    /// Warns of `always a => b`, which few people mean.
    fn check_reach(&mut self, left: &Formula, operator: &str) {
        let mut reach = left;
        while let FormulaKind::Quantified(_, _, _, body) = &reach.kind {
            reach = body;
        }
        let text = self.cursor.text(reach.span);
        if let FormulaKind::Unary(UnaryOp::Always | UnaryOp::Historically | UnaryOp::Eventually, _) = reach.kind
            && !text.starts_with('(')
        {
            let word = text.split(|end: char| end.is_whitespace() || end == '(').next().unwrap_or(text);
            let message = format!("`{word}` ends before `{operator}`: this says `({}) {operator} …`", excerpt(text));
            let hint = format!("write `{word} (… {operator} …)`, or put the left side into parentheses");
            self.cursor.report(Diagnostic::warning("L0003", reach.span, message).hint(hint));
        }
    }
}

/// The first characters of a text, on one line.
fn excerpt(text: &str) -> String {
    quote(text.lines().next().unwrap_or("").trim()).trim_matches('`').to_owned()
}

impl<'s> Pratt<'s> for Parser<'s> {
    type Kind = Kind;
    type Tree = Operand;
    type Operator = Operator;

    fn cursor(&mut self) -> &mut Cursor<'s, Kind> {
        &mut self.cursor
    }

    fn operand(&mut self) -> Operand {
        let Some(level) = self.cursor.enter() else {
            return Operand::Formula(Formula::missing(self.cursor.span()));
        };
        let operand = self.prefixed();
        self.cursor.leave(level);
        operand
    }

    fn operator(&mut self) -> Option<(Operator, BindingPower)> {
        self.cursor.expect_also("an operator");
        let operator = match (self.cursor.kind(), self.cursor.nth(1).kind) {
            (Kind::And, _) => Operator::And,
            (Kind::Or, _) => Operator::Or,
            (Kind::Implies, _) => Operator::Implies,
            (Kind::Iff, _) => Operator::Iff,
            (Kind::Until, _) => Operator::Temporal(BinaryOp::Until),
            (Kind::WeakUntil, _) | (Kind::Weakly, Kind::Until) => Operator::Temporal(BinaryOp::WeakUntil),
            (Kind::Since, _) => Operator::Temporal(BinaryOp::Since),
            (Kind::WeakSince, _) | (Kind::Weakly, Kind::Since) => Operator::Temporal(BinaryOp::WeakSince),
            (Kind::Release, _) => Operator::Temporal(BinaryOp::Release),
            (Kind::Name, next) if next.begins_operand() => Operator::Temporal(letter(self.word(0))?),
            _ => return None,
        };
        Some((operator, operator.binding()))
    }

    fn take(&mut self, operator: Operator) -> Operator {
        let start = self.cursor.span();
        if self.cursor.bump().kind == Kind::Weakly {
            self.cursor.bump();
        }
        let span = self.cursor.since(start);
        if let Some(chain) = self.chains.last_mut() {
            chain.push((operator, span));
        }
        operator
    }

    fn is_flat(&self, operator: &Operator) -> bool {
        matches!(operator, Operator::And | Operator::Or)
    }

    fn join(&mut self, operator: Operator, left: Operand, right: Operand) -> Operand {
        let (left, right) = (self.as_formula(left), self.as_formula(right));
        if operator == Operator::Implies {
            self.check_reach(&left, "=>");
        }
        let span = left.span.to(right.span);
        let (a, b) = (Box::new(left), Box::new(right));
        let kind = match operator {
            Operator::And => FormulaKind::And(flatten(*a, *b, |kind| match kind {
                FormulaKind::And(all) => Some(std::mem::take(all)),
                _ => None,
            })),
            Operator::Or => FormulaKind::Or(flatten(*a, *b, |kind| match kind {
                FormulaKind::Or(all) => Some(std::mem::take(all)),
                _ => None,
            })),
            Operator::Implies => FormulaKind::Implies(a, b),
            Operator::Iff => FormulaKind::Iff(a, b),
            Operator::Temporal(op) => FormulaKind::Binary(op, a, b),
        };
        Operand::Formula(Formula { kind, span })
    }
}

impl Operator {
    /// The order that `--lenient` gives the operators.
    fn binding(self) -> BindingPower {
        match self {
            Operator::Iff => BindingPower::left(0),
            Operator::Implies => BindingPower::right(2),
            Operator::Or => BindingPower::left(4),
            Operator::And => BindingPower::left(6),
            Operator::Temporal(_) => BindingPower::right(8),
        }
    }
}

/// The operator that a letter of the logic's own notation stands for.
fn letter(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "U" => BinaryOp::Until,
        "W" => BinaryOp::WeakUntil,
        "S" => BinaryOp::Since,
        "B" => BinaryOp::WeakSince,
        "R" => BinaryOp::Release,
        _ => return None,
    })
}

/// Both sides of `and` or `or` as one list, where `open` takes the parts of a side that is such a list already.
fn flatten(left: Formula, right: Formula, open: impl Fn(&mut FormulaKind) -> Option<Vec<Formula>>) -> Vec<Formula> {
    let list = |mut side: Formula| open(&mut side.kind).unwrap_or_else(|| vec![side]);
    let mut all = list(left);
    all.extend(list(right));
    all
}
