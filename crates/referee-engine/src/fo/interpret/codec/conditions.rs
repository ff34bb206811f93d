//! Open conditions as entries of a pool.

use std::sync::Arc;

use referee_spec::core::{
    AggregateFunction, Arithmetic, Comparison, Function, Obstacle, Problem, Quantifier, Rank, Span,
};

use crate::fo::interpret::aggregate::Aggregate;
use crate::fo::interpret::obligation::{FutureId, Later};
use crate::fo::interpret::operand::{Operand, OperandSlot, Test};
use crate::fo::interpret::table::{Condition, Gathering, Open, Residual, Scope};
use crate::fo::interpret::variables::FormulaVar;

use crate::fo::interpret::codec::pool::{Pool, Tables};
use crate::shared::bytes::{Damaged, Reader, Writer};

/// How deep the terms of a comparison may nest.
const MAX_TERM_DEPTH: u32 = 500;

const COMPARISONS: [Comparison; 8] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessOrEqual,
    Comparison::Greater,
    Comparison::GreaterOrEqual,
    Comparison::Substring,
    Comparison::Matches,
];

const ARITHMETIC: [Arithmetic; 6] = [
    Arithmetic::Add,
    Arithmetic::Subtract,
    Arithmetic::Multiply,
    Arithmetic::Divide,
    Arithmetic::DivideTruncating,
    Arithmetic::Modulo,
];

const FUNCTIONS: [Function; 5] =
    [Function::ToInteger, Function::ToDecimal, Function::ToText, Function::ParseInteger, Function::ParseDecimal];

/// Their order is part of the layout: new ones come last.
const PROBLEMS: [Problem; 13] = [
    Problem::DivisionByZero,
    Problem::UnnamedValue,
    Problem::TooDeep,
    Problem::Endless,
    Problem::WrongType,
    Problem::Unbound,
    Problem::NotANumber,
    Problem::StepLimit,
    Problem::StackLimit,
    Problem::TooManyStates,
    Problem::TooManyCombinations,
    Problem::TooLong,
    Problem::Restless,
];

const QUANTIFIERS: [Quantifier; 2] = [Quantifier::Forall, Quantifier::Exists];

impl Writer<'_> {
    /// Writes one of a few choices.
    fn choice<T: PartialEq>(&mut self, choices: &[T], choice: &T) {
        self.length(choices.iter().position(|own| own == choice).unwrap_or(choices.len()));
    }

    /// Writes an aggregate by the number that its descriptor holds, and its rank.
    fn aggregate(&mut self, function: AggregateFunction) {
        self.number(u64::from(function.descriptor().code));
        if let Some(rank) = function.rank() {
            let (numerator, denominator) = rank.fraction();
            self.number(numerator);
            self.number(denominator);
        }
    }

    fn slot(&mut self, slot: &OperandSlot) {
        match slot {
            OperandSlot::Value(value) => self.number(u64::from(value.0) << 1),
            OperandSlot::Var(var) => self.number(u64::from(var.0) << 1 | 1),
        }
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Slot(slot) => {
                self.byte(0);
                self.slot(slot);
            }
            Operand::Binary(op, left, right) => {
                self.byte(1);
                self.choice(&ARITHMETIC, op);
                self.operand(left);
                self.operand(right);
            }
            Operand::Negate(body) => {
                self.byte(2);
                self.operand(body);
            }
            Operand::Apply(function, body) => {
                self.byte(3);
                self.choice(&FUNCTIONS, function);
                self.operand(body);
            }
        }
    }

    /// Writes what stands in the way of a verdict.
    pub fn obstacle(&mut self, obstacle: &Obstacle) {
        self.number(obstacle.point);
        self.span(obstacle.span);
        self.choice(&PROBLEMS, &obstacle.problem);
    }

    fn span(&mut self, span: Span) {
        self.length(span.start);
        self.length(span.end);
    }

    fn later(&mut self, later: &Later) {
        self.byte(3);
        self.number(u64::from(later.future.0));
        self.exact(&later.origin);
        self.length(later.slots.len());
        later.slots.iter().for_each(|slot| self.slot(slot));
        self.truth(later.negated);
        self.number(later.opened);
    }

    fn test(&mut self, test: &Test) {
        self.byte(4);
        self.choice(&COMPARISONS, &test.comparison);
        self.operand(&test.left);
        self.operand(&test.right);
        self.truth(test.negated);
        self.number(test.point);
        self.span(test.span);
    }

    fn scope(&mut self, scope: Scope) {
        let (tag, sort, after) = match scope {
            Scope::Infinite { after } => (0, 0, after),
            Scope::Trace { sort, after } => (1, sort, after),
            Scope::SoFar { sort } => (2, sort, 0),
        };
        self.byte(tag);
        self.number(u64::from(sort));
        self.number(u64::from(after));
    }
}

impl Pool {
    /// The bytes of an open condition, whose parts are written first.
    pub(crate) fn write_open(&mut self, open: &Open) -> Writer<'static> {
        let mut entry = Writer::default();
        match open {
            Open::All(members) => self.members(1, members, &mut entry),
            Open::Any(members) => self.members(2, members, &mut entry),
            Open::Later(later) => entry.later(later),
            Open::Test(test) => entry.test(test),
            Open::Residual(residual) => self.residual(residual, &mut entry),
            Open::Gathering(gathering) => self.gathering(gathering, &mut entry),
            Open::Stuck(obstacle) => {
                entry.byte(6);
                entry.obstacle(obstacle);
            }
        }
        entry
    }

    fn members(&mut self, tag: u8, members: &[Condition], entry: &mut Writer) {
        entry.byte(tag);
        entry.length(members.len());
        members.iter().for_each(|member| entry.number(self.condition(member)));
    }

    fn gathering(&mut self, gathering: &Gathering, entry: &mut Writer) {
        let spec = &gathering.spec;
        entry.byte(7);
        entry.aggregate(spec.function);
        entry.truth(spec.grouped);
        entry.length(spec.own.len());
        spec.own.iter().for_each(|var| entry.number(u64::from(var.0)));
        entry.span(spec.span);
        entry.slot(&gathering.result);
        entry.slot(&gathering.over);
        entry.truth(gathering.negated);
        entry.number(gathering.point);
        entry.number(self.table(&gathering.body));
    }

    fn residual(&mut self, residual: &Residual, entry: &mut Writer) {
        entry.byte(5);
        entry.choice(&QUANTIFIERS, &residual.quantifier);
        entry.number(u64::from(residual.var.0));
        entry.scope(residual.scope);
        entry.length(residual.apart.len());
        residual.apart.iter().for_each(|var| entry.number(u64::from(var.0)));
        entry.number(self.table(&residual.body));
    }
}

impl Reader<'_> {
    fn choice<T: Clone>(&mut self, choices: &[T]) -> Result<T, Damaged> {
        choices.get(usize::from(self.byte()?)).cloned().ok_or(Damaged)
    }

    fn aggregate(&mut self) -> Result<AggregateFunction, Damaged> {
        let code = self.number()?;
        AggregateFunction::from_code(code, || Rank::new(self.number()?, self.number()?).ok_or(Damaged))?.ok_or(Damaged)
    }

    /// Reads what stands in the way of a verdict.
    pub fn obstacle(&mut self) -> Result<Obstacle, Damaged> {
        Ok(Obstacle { point: self.number()?, span: self.span()?, problem: self.choice(&PROBLEMS)? })
    }

    fn span(&mut self) -> Result<Span, Damaged> {
        Ok(Span { start: self.small()? as usize, end: self.small()? as usize })
    }

    fn var(&mut self) -> Result<FormulaVar, Damaged> {
        self.small().map(FormulaVar)
    }
}

impl Tables {
    /// Reads an open condition whose tag is read already.
    pub(crate) fn read_open(&mut self, tag: u8, reader: &mut Reader) -> Result<Condition, Damaged> {
        let open = match tag {
            1 => Open::All(reader.list(|reader| self.condition(reader))?),
            2 => Open::Any(reader.list(|reader| self.condition(reader))?),
            3 => Open::Later(Later {
                future: FutureId(self.below(reader, self.limits.futures)?),
                origin: reader.exact()?,
                slots: reader.list(|reader| self.slot(reader))?.into(),
                negated: reader.truth()?,
                opened: reader.number()?,
            }),
            4 => Open::Test(Test {
                comparison: reader.choice(&COMPARISONS)?,
                left: self.operand(reader, MAX_TERM_DEPTH)?,
                right: self.operand(reader, MAX_TERM_DEPTH)?,
                negated: reader.truth()?,
                point: reader.number()?,
                span: reader.span()?,
            }),
            5 => Open::Residual(Residual {
                quantifier: reader.choice(&QUANTIFIERS)?,
                var: reader.var()?,
                scope: self.scope(reader)?,
                apart: reader.list(Reader::var)?,
                body: self.table(reader)?,
            }),
            6 => Open::Stuck(reader.obstacle()?),
            7 => Open::Gathering(Gathering {
                spec: Arc::new(Aggregate {
                    function: reader.aggregate()?,
                    grouped: reader.truth()?,
                    own: reader.list(Reader::var)?,
                    span: reader.span()?,
                }),
                result: self.slot(reader)?,
                over: self.slot(reader)?,
                negated: reader.truth()?,
                point: reader.number()?,
                body: self.table(reader)?,
            }),
            _ => return Err(Damaged),
        };
        Ok(Condition::open(open))
    }

    fn slot(&self, reader: &mut Reader) -> Result<OperandSlot, Damaged> {
        let folded = reader.number()?;
        let number = u32::try_from(folded >> 1).map_err(|_| Damaged)?;
        match folded & 1 {
            0 if number < self.limits.values => Ok(OperandSlot::Value(crate::shared::universe::ValueId(number))),
            0 => Err(Damaged),
            _ => Ok(OperandSlot::Var(FormulaVar(number))),
        }
    }

    fn operand(&self, reader: &mut Reader, depth: u32) -> Result<Operand, Damaged> {
        let depth = depth.checked_sub(1).ok_or(Damaged)?;
        let body = |reader: &mut Reader| self.operand(reader, depth).map(Arc::new);
        Ok(match reader.byte()? {
            0 => Operand::Slot(self.slot(reader)?),
            1 => Operand::Binary(reader.choice(&ARITHMETIC)?, body(reader)?, body(reader)?),
            2 => Operand::Negate(body(reader)?),
            3 => Operand::Apply(reader.choice(&FUNCTIONS)?, body(reader)?),
            _ => return Err(Damaged),
        })
    }

    fn scope(&self, reader: &mut Reader) -> Result<Scope, Damaged> {
        let tag = reader.byte()?;
        let (sort, after) = (reader.small()?, reader.small()?);
        match tag {
            0 => Ok(Scope::Infinite { after }),
            1 if sort < self.limits.sorts => Ok(Scope::Trace { sort, after }),
            2 if sort < self.limits.sorts => Ok(Scope::SoFar { sort }),
            _ => Err(Damaged),
        }
    }
}

#[cfg(test)]
mod tests {
    use referee_spec::core::AggregateMaker;

    use super::*;

    #[test]
    fn every_aggregate_is_read_as_it_was_written() {
        for row in AggregateFunction::ALL {
            let function = match row.make {
                AggregateMaker::Plain(function) => function,
                AggregateMaker::Ranked(make) => make(Rank::new(999, 1000).expect("a rank")),
            };
            let mut writer = Writer::default();
            writer.aggregate(function);
            assert_eq!(Reader::new(writer.as_bytes()).aggregate().ok(), Some(function));
            assert!(
                Reader::new(&writer.as_bytes()[..writer.as_bytes().len() - 1]).aggregate().is_err(),
                "{function:?} is cut off"
            );
        }
        assert!(Reader::new(&[127]).aggregate().is_err());
    }

    #[test]
    fn a_rank_beyond_the_values_is_damage() {
        let mut writer = Writer::default();
        writer.aggregate(AggregateFunction::Quantile(Rank::GREATEST));
        let mut bytes = writer.as_bytes().to_vec();
        let end = bytes.len();
        bytes[end - 2] = 5;
        assert!(Reader::new(&bytes).aggregate().is_err());
    }
}
