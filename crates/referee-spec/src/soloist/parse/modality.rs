//! Intervals, powers and modalities.
//!
//! ```text
//!  I        ::= ('[' | '(') m ',' (m | 'inf') (']' | ')')            also in braces
//!  modality ::= letter '[' K [',' h] ']' op n arguments
//!             | letter '[' K [',' h] ';' op n ']' arguments
//!             | letter ('^' K | '^{' K [',' h] '}') ('_' op n | '_{' op n '}') arguments       in either order
//!  arguments ::= '(' F ')'                                           for D: '(' F ',' F ')' or '{' '(' F ',' F ')' '}'
//! ```

use referee_trace::mapping::Unit;
use referee_trace::number::{Number, TOO_LARGE, is_too_large};

use super::super::lex::{Letter, Lexeme};
use super::super::syntax::{Formula, Kind, Modality, Natural, WrittenInterval};
use super::parser::Parser;
use crate::core::{Comparison, Span};
use crate::diagnostic::Diagnostic;
use crate::parse::quote;

const INTERVAL_HINT: &str =
    "an interval is written `[m, n]`, with `(` or `)` where an end is left out, or `inf` for no upper end";
const BOUND_HINT: &str = "write a comparison and a natural number: `C[600] <= 3 (p)`";
const WINDOW_HINT: &str = "write the window: `C[600]`, `C[10m]`, or with a stretch `AVG[600, 60]`";

/// What the window and the bound of a modality say.
#[derive(Default)]
struct Script {
    window: Option<Natural>,
    stretch: Option<Natural>,
    bound: Option<(Comparison, Natural)>,
}

impl Parser<'_> {
    /// The interval of an operator; `marked` if an underscore announced it, else it may be absent.
    pub(super) fn interval(&mut self, marked: bool) -> Option<WrittenInterval> {
        let brace = self.cursor.kind() == Lexeme::OpenBrace;
        let ahead = self.cursor.nth(usize::from(brace) + 1).kind;
        let opening = self.cursor.nth(usize::from(brace)).kind;
        let number = matches!(ahead, Lexeme::Natural | Lexeme::OtherNumber);
        let begins = opening == Lexeme::OpenSquare || (opening == Lexeme::Open && number);
        if !begins {
            if marked {
                self.cursor.expect_also("an interval");
                self.cursor.unexpected(INTERVAL_HINT);
            }
            return None;
        }
        if brace {
            self.cursor.bump();
        }
        let interval = self.bare_interval();
        if brace {
            self.close(Lexeme::CloseBrace, "close the brace");
        }
        interval
    }

    fn bare_interval(&mut self) -> Option<WrittenInterval> {
        let start = self.cursor.span();
        let low_included = self.cursor.bump().kind == Lexeme::OpenSquare;
        let low = self.length(INTERVAL_HINT)?;
        self.cursor.expect(Lexeme::Comma, INTERVAL_HINT)?;
        let high = match self.cursor.eat(Lexeme::Infinity) {
            Some(_) => None,
            None => Some(self.length(INTERVAL_HINT)?),
        };
        let high_included = self.interval_end()?;
        let high_included = high_included && high.is_some();
        let interval = WrittenInterval { low, low_included, high, high_included };
        let span = self.cursor.since(start);
        if interval.high.as_ref().is_some_and(|high| high.is_mixed_with(&interval.low)) {
            let message = "one end has a unit, the other has none";
            let hint = "write both ends with or both without a unit of time";
            self.cursor.report(Diagnostic::error("E0401", span, message).hint(hint));
        } else if holds_nothing(&interval) {
            let message = "no natural number lies in this interval";
            let hint = "write the smaller end first, and `[` and `]` where an end belongs to the interval";
            self.cursor.report(Diagnostic::error("E0401", span, message).hint(hint));
        }
        Some(interval)
    }

    fn interval_end(&mut self) -> Option<bool> {
        if self.cursor.eat(Lexeme::CloseSquare).is_some() {
            return Some(true);
        }
        if self.cursor.eat(Lexeme::Close).is_some() {
            return Some(false);
        }
        self.cursor.unexpected(INTERVAL_HINT);
        self.cursor.skip_to(|kind| matches!(kind, Lexeme::CloseSquare | Lexeme::Close));
        self.cursor.bump();
        None
    }

    /// `^n` after an operator: how often it stands.
    pub(super) fn power(&mut self, letter: Letter) -> u32 {
        let start = self.cursor.bump().span;
        let Some(natural) = self.in_optional_braces(|parser| parser.natural("write how often: `X^6`")) else {
            return 1;
        };
        let span = self.cursor.since(start);
        if !matches!(letter, Letter::Next | Letter::Yesterday) {
            let message = format!("`{}` cannot be repeated with `^`", letter.word());
            let hint = "only `X` and `Y` count positions; write the operator as often as it is meant";
            self.cursor.report(Diagnostic::error("E0405", span, message).hint(hint));
            return 1;
        }
        match natural.digits.parse::<u32>() {
            Ok(0) => {
                let message = "zero times is no operator";
                self.cursor.report(Diagnostic::error("E0405", span, message).hint("leave the operator out"));
                1
            }
            Ok(times) => self.repeat(times),
            Err(_) => self.repeat(u32::MAX),
        }
    }

    /// Counts every repetition as a level, so that the bound on nesting holds for them too.
    fn repeat(&mut self, times: u32) -> u32 {
        (1..times).take_while(|_| self.cursor.grow()).fold(1, |count, _| count + 1)
    }

    /// A modality, at its letter.
    pub(super) fn modality(&mut self, letter: Letter) -> Kind {
        let start = self.cursor.span();
        let marked = self.take_letter();
        let script = if self.cursor.kind() == Lexeme::OpenSquare && !marked {
            self.bracketed_script()
        } else {
            self.written_script(marked)
        };
        let arguments = self.arguments(letter);
        let (Some(Script { window: Some(window), stretch, bound: Some((comparison, bound)) }), Some(arguments)) =
            (script, arguments)
        else {
            return Kind::Missing;
        };
        let modality = Modality { letter, window, stretch, comparison, bound, arguments };
        self.check(&modality, self.cursor.since(start));
        Kind::Modality(Box::new(modality))
    }

    /// `[K, h; op n]`, or `[K, h] op n`.
    fn bracketed_script(&mut self) -> Option<Script> {
        self.cursor.bump();
        let mut script = Script::default();
        self.window(&mut script);
        if self.cursor.eat(Lexeme::Semicolon).is_some() {
            script.bound = self.bound();
        }
        self.close(Lexeme::CloseSquare, WINDOW_HINT);
        if script.bound.is_none() {
            script.bound = self.bound();
        }
        Some(script)
    }

    /// `^K _op n`, in either order.
    fn written_script(&mut self, marked: bool) -> Option<Script> {
        let mut script = Script::default();
        if marked {
            script.bound = self.in_optional_braces(Parser::bound);
        }
        self.cursor.expect(Lexeme::Caret, WINDOW_HINT)?;
        let braces = self.cursor.eat(Lexeme::OpenBrace).is_some();
        if braces {
            self.window(&mut script);
            self.close(Lexeme::CloseBrace, "close the brace");
        } else {
            script.window = self.length(WINDOW_HINT);
        }
        if script.bound.is_none() {
            self.took_underscore();
            script.bound = self.in_optional_braces(Parser::bound);
        }
        Some(script)
    }

    fn window(&mut self, script: &mut Script) {
        script.window = self.length(WINDOW_HINT);
        if self.cursor.eat(Lexeme::Comma).is_some() {
            script.stretch = self.length(WINDOW_HINT);
        }
    }

    fn in_optional_braces<T>(&mut self, parse: impl Fn(&mut Self) -> Option<T>) -> Option<T> {
        if self.cursor.eat(Lexeme::OpenBrace).is_none() {
            return parse(self);
        }
        let parsed = parse(self);
        self.close(Lexeme::CloseBrace, "close the brace");
        parsed
    }

    fn bound(&mut self) -> Option<(Comparison, Natural)> {
        let comparison = match self.cursor.kind() {
            Lexeme::Less => Comparison::Less,
            Lexeme::LessOrEqual => Comparison::LessOrEqual,
            Lexeme::Greater => Comparison::Greater,
            Lexeme::GreaterOrEqual => Comparison::GreaterOrEqual,
            Lexeme::Equal => Comparison::Equal,
            _ => {
                self.cursor.expect_also("a comparison");
                self.cursor.unexpected(BOUND_HINT);
                return None;
            }
        };
        self.cursor.bump();
        Some((comparison, self.length(BOUND_HINT)?))
    }

    /// A natural number; another number is an error of its own and read as its digits.
    fn natural(&mut self, hint: &str) -> Option<Natural> {
        let token = self.cursor.token();
        if token.kind == Lexeme::OtherNumber {
            self.cursor.bump();
            let message = format!("{} is no natural number", quote(self.cursor.text(token.span)));
            let hint =
                "windows, stretches, bounds and intervals are whole numbers; a smaller unit makes one whole: `500ms`";
            self.cursor.report(Diagnostic::error("E0404", token.span, message).hint(hint));
            return Some(Natural { digits: "1".into(), unit: None, span: token.span });
        }
        let span = self.cursor.expect(Lexeme::Natural, hint)?.span;
        let digits = self.cursor.text(span).trim_start_matches('0');
        if is_too_large(digits) {
            let message = format!("the number {} is too large", quote(digits));
            self.cursor.report(Diagnostic::error("E0404", span, message).hint(TOO_LARGE));
        }
        Some(Natural { digits: if digits.is_empty() { "0" } else { digits }.into(), unit: None, span })
    }

    /// A natural number of the trace's unit of time, or of the unit right behind it.
    fn length(&mut self, hint: &str) -> Option<Natural> {
        let natural = self.natural(hint)?;
        let unit = self.cursor.eat_unit();
        Some(Natural { unit, span: self.cursor.since(natural.span), ..natural })
    }

    fn arguments(&mut self, letter: Letter) -> Option<Vec<Formula>> {
        let hint = if letter == Letter::Distance { "write two arguments: `D[900] <= 5 (p, q)`" } else { BOUND_HINT };
        let brace = letter == Letter::Distance && self.cursor.eat(Lexeme::OpenBrace).is_some();
        self.cursor.expect(Lexeme::Open, hint)?;
        let mut arguments = vec![self.formula()];
        if letter == Letter::Distance {
            self.cursor.expect(Lexeme::Comma, hint)?;
            arguments.push(self.formula());
        }
        self.close(Lexeme::Close, hint);
        if brace {
            self.close(Lexeme::CloseBrace, "close the brace");
        }
        Some(arguments)
    }

    /// Reports what no modality can say.
    fn check(&mut self, modality: &Modality, span: Span) {
        let wants_stretch = matches!(modality.letter, Letter::Average | Letter::Maximum);
        match &modality.stretch {
            None if wants_stretch => {
                let message = format!("`{}` has no stretch", modality.letter.word());
                let hint = format!(
                    "write `{}[{}, h]`, where h is the length of a stretch",
                    modality.letter.word(),
                    modality.window
                );
                self.cursor.report(Diagnostic::error("E0402", span, message).hint(hint));
            }
            Some(stretch) if !wants_stretch => {
                let message = format!("`{}` counts no stretches", modality.letter.word());
                let hint = "leave the second number out, or write `AVG` or `MAX`";
                self.cursor.report(Diagnostic::error("E0402", stretch.span, message).hint(hint));
            }
            Some(stretch) => self.check_stretch(modality, stretch),
            None => {}
        }
        if modality.letter != Letter::Distance && modality.bound.unit.is_some() {
            let message = format!("`{}` counts positions, not time", modality.letter.word());
            let hint = format!("write `{}` without a unit", modality.bound.digits);
            self.cursor.report(Diagnostic::error("E0404", modality.bound.span, message).hint(hint));
        }
        for argument in &modality.arguments {
            self.check_argument(argument);
        }
    }

    fn check_stretch(&mut self, modality: &Modality, stretch: &Natural) {
        if &*stretch.digits == "0" {
            let message = "a stretch of length 0 holds nothing";
            let hint = "write a length of at least 1";
            self.cursor.report(Diagnostic::error("E0402", stretch.span, message).hint(hint));
        } else if stretch.is_mixed_with(&modality.window) {
            let message = "one of window and stretch has a unit, the other has none";
            let hint = "write both with or both without a unit of time";
            self.cursor.report(Diagnostic::error("E0402", stretch.span, message).hint(hint));
        } else if modality.letter == Letter::Average
            && stretch.in_unit(Unit::Second) > modality.window.in_unit(Unit::Second)
        {
            let message = format!("no stretch of {stretch} fits into a window of {}", modality.window);
            let hint = "write a stretch that is no longer than the window";
            self.cursor.report(Diagnostic::error("E0402", stretch.span, message).hint(hint));
        }
    }

    /// Arguments of modalities are Boolean combinations of atoms.
    fn check_argument(&mut self, argument: &Formula) {
        if matches!(argument.kind, Kind::Unary(..) | Kind::Binary(..) | Kind::Modality(_)) {
            let message = "what a modality counts must be a combination of atoms";
            let hint = "use atoms, `!`, `&`, `|`, `->` and `<->` only";
            self.cursor.report(Diagnostic::error("E0403", argument.span, message).hint(hint));
            return;
        }
        argument.children().into_iter().for_each(|child| self.check_argument(child));
    }
}

/// Whether no natural number lies in an interval, or no length of time at all in one with units.
fn holds_nothing(bounds: &WrittenInterval) -> bool {
    let interval = bounds.in_unit(Unit::Second);
    if bounds.low.unit.or(bounds.high.as_ref().and_then(|high| high.unit)).is_some() {
        let between = interval.high.as_ref().is_none_or(|high| *high > interval.low);
        return !between && !interval.contains(&interval.low);
    }
    let lowest = if interval.low_included { interval.low.clone() } else { interval.low.add(&Number::Int(1)) };
    interval.is_before(&lowest)
}
