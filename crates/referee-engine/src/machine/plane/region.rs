//! The region that a definition makes of one event, and which part of a cell lies in it.
//!
//! ```text
//!  definition + arguments ─▶ linear forms, and a condition on their signs
//!  cell ─▶ the first form whose sign decides something ─▶ cut there ─▶ … ─▶ parts in which the condition is decided
//! ```
//!
//! A cut that decided nothing is undone: parts that all lie in the region, or all outside, are one cell again.

use std::cmp::Ordering;

use referee_spec::core::machine::plane::{RegionCondition, RegionDefinition, RegionTerm};
use referee_spec::core::{Arithmetic, Comparison};
use referee_trace::number::Number;

use super::geometry::{Cell, Linear, Side};

/// A part of the plane that straight lines bound.
#[derive(Debug)]
pub(super) struct Region {
    forms: Vec<Linear>,
    condition: Condition,
    /// A form that is zero in all of the region, if there is one: areas are cut by it first, since nothing is left of them but a line.
    zero: Option<usize>,
}

/// A condition on the signs of forms.
#[derive(Debug)]
enum Condition {
    Constant(bool),
    /// How the form compares with zero.
    Compare(usize, Comparison),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// Which part of a cell lies in a region.
pub(super) enum Division {
    /// All of it, or nothing of it.
    Whole(bool),
    /// These parts do and these do not.
    Parts(Vec<(Cell, bool)>),
}

impl Region {
    /// The region that a definition makes of an event with these numbers; those that it does not read may be anything.
    pub(super) fn of(definition: &RegionDefinition, arguments: &[Number]) -> Region {
        let mut forms = Vec::new();
        let mut condition = condition(&definition.condition, arguments, &mut forms);
        if let Condition::And(all) | Condition::Or(all) = &mut condition {
            // The sign of a form whose zeros are upright or level is found with the least effort.
            all.sort_by_key(|part| !matches!(part, Condition::Compare(form, _) if forms[*form].is_straight()));
        }
        let zero = condition.zero();
        Region { forms, condition, zero }
    }

    /// The points of a cell.
    pub(super) fn of_cell(cell: &Cell) -> Region {
        let signed = cell.forms().into_iter().enumerate();
        let (forms, conditions) = signed
            .map(|(index, (form, sign))| {
                let comparison = if sign == Ordering::Equal { Comparison::Equal } else { Comparison::Greater };
                (form, Condition::Compare(index, comparison))
            })
            .unzip();
        let condition = Condition::And(conditions);
        let zero = condition.zero();
        Region { forms, condition, zero }
    }

    /// Divides a cell; parts outside are left out of the list unless they are wanted.
    pub(super) fn divide(&self, cell: &Cell, wants_outside: bool) -> Division {
        self.divide_further(cell, &mut vec![None; self.forms.len()], wants_outside)
    }

    /// Divides a cell in which some forms have signs that are known.
    fn divide_further(&self, cell: &Cell, signs: &mut Vec<Option<Ordering>>, wants_outside: bool) -> Division {
        let index = match self.condition.truth(signs) {
            Ok(truth) => return Division::Whole(truth),
            Err(index) => match (cell, self.zero) {
                (Cell::Area(_), Some(zero)) if signs[zero].is_none() => zero,
                _ => index,
            },
        };
        let form = &self.forms[index];
        let crossing = match cell.side(form) {
            Side::All(sign) => {
                signs[index] = Some(sign);
                let division = self.divide_further(cell, signs, wants_outside);
                signs[index] = None;
                return division;
            }
            Side::Cut(crossing) => crossing,
        };
        let mut parts = Vec::new();
        // Whether some part lies inside, and some outside.
        let mut met = [false, false];
        for sign in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
            signs[index] = Some(sign);
            if !wants_outside && self.condition.truth(signs) == Ok(false) {
                met[0] = true;
                continue;
            }
            let part = cell.part(form, &crossing, sign);
            match self.divide_further(&part, signs, wants_outside) {
                Division::Whole(truth) => {
                    met[usize::from(truth)] = true;
                    if truth || wants_outside {
                        parts.push((part, truth));
                    }
                }
                Division::Parts(further) => {
                    met = [true, true];
                    parts.extend(further);
                }
            }
        }
        signs[index] = None;
        match met {
            [true, true] => Division::Parts(parts),
            [_, inside] => Division::Whole(inside),
        }
    }
}

impl Condition {
    /// A form that must be zero.
    fn zero(&self) -> Option<usize> {
        match self {
            Condition::Compare(form, Comparison::Equal) => Some(*form),
            Condition::And(all) => all.iter().find_map(Condition::zero),
            _ => None,
        }
    }

    /// Its truth, or a form whose sign must be known for it.
    fn truth(&self, signs: &[Option<Ordering>]) -> Result<bool, usize> {
        match self {
            Condition::Constant(truth) => Ok(*truth),
            Condition::Compare(form, comparison) => signs[*form].map(|sign| holds(*comparison, sign)).ok_or(*form),
            Condition::Not(body) => body.truth(signs).map(|truth| !truth),
            Condition::And(all) => Condition::joined(all, true, signs),
            Condition::Or(all) => Condition::joined(all, false, signs),
        }
    }

    /// A conjunction or a disjunction; `neutral` is the truth that changes nothing.
    fn joined(all: &[Condition], neutral: bool, signs: &[Option<Ordering>]) -> Result<bool, usize> {
        let mut result = Ok(neutral);
        for part in all {
            match part.truth(signs) {
                Ok(truth) if truth == neutral => {}
                Ok(truth) => return Ok(truth),
                Err(form) => result = result.and(Err(form)),
            }
        }
        result
    }
}

fn holds(comparison: Comparison, sign: Ordering) -> bool {
    match comparison {
        Comparison::Equal => sign.is_eq(),
        Comparison::NotEqual => sign.is_ne(),
        Comparison::Less => sign.is_lt(),
        Comparison::LessOrEqual => sign.is_le(),
        Comparison::Greater => sign.is_gt(),
        Comparison::GreaterOrEqual => sign.is_ge(),
        // Definitions compare numbers.
        Comparison::Substring | Comparison::Matches => false,
    }
}

fn condition(from: &RegionCondition, arguments: &[Number], forms: &mut Vec<Linear>) -> Condition {
    let mut all = |parts: &[RegionCondition]| parts.iter().map(|part| condition(part, arguments, forms)).collect();
    match from {
        RegionCondition::Constant(truth) => Condition::Constant(*truth),
        RegionCondition::Not(body) => Condition::Not(Box::new(condition(body, arguments, forms))),
        RegionCondition::And(parts) => Condition::And(all(parts)),
        RegionCondition::Or(parts) => Condition::Or(all(parts)),
        RegionCondition::Compare(comparison, left, right) => {
            let form = combined(&term(left, arguments), &term(right, arguments), Number::sub);
            if let Some(number) = form.as_constant() {
                return Condition::Constant(holds(*comparison, number.cmp(&Number::ZERO)));
            }
            let known = forms.iter().position(|known| *known == form);
            let index = known.unwrap_or_else(|| {
                forms.push(form);
                forms.len() - 1
            });
            Condition::Compare(index, *comparison)
        }
    }
}

/// A term as a number for every point. The language has seen to it that it is linear.
fn term(from: &RegionTerm, arguments: &[Number]) -> Linear {
    let (one, zero) = (Number::Int(1), Number::ZERO);
    let numbers = |all: &[RegionTerm]| all.iter().map(|part| term(part, arguments).c).collect::<Vec<Number>>();
    match from {
        RegionTerm::Number(number) => Linear::constant(number.clone()),
        RegionTerm::X => Linear { a: one, b: zero.clone(), c: zero },
        RegionTerm::Y => Linear { a: zero.clone(), b: one, c: zero },
        RegionTerm::Argument(index) => Linear::constant(arguments.get(*index).cloned().unwrap_or(zero)),
        RegionTerm::Negate(body) => scaled(&term(body, arguments), &Number::Int(-1)),
        RegionTerm::Least(all) => Linear::constant(numbers(all).into_iter().min().unwrap_or(zero)),
        RegionTerm::Greatest(all) => Linear::constant(numbers(all).into_iter().max().unwrap_or(zero)),
        RegionTerm::Binary(operator, left, right) => {
            let (left, right) = (term(left, arguments), term(right, arguments));
            match operator {
                Arithmetic::Add => combined(&left, &right, Number::add),
                Arithmetic::Subtract => combined(&left, &right, Number::sub),
                Arithmetic::Multiply => match left.as_constant() {
                    Some(factor) => scaled(&right, factor),
                    None => scaled(&left, &right.c),
                },
                Arithmetic::Divide | Arithmetic::DivideTruncating | Arithmetic::Modulo => {
                    scaled(&left, &Number::Int(1).div(&right.c).unwrap_or(zero))
                }
            }
        }
    }
}

fn combined(left: &Linear, right: &Linear, by: fn(&Number, &Number) -> Number) -> Linear {
    Linear { a: by(&left.a, &right.a), b: by(&left.b, &right.b), c: by(&left.c, &right.c) }
}

fn scaled(form: &Linear, factor: &Number) -> Linear {
    Linear { a: form.a.mul(factor), b: form.b.mul(factor), c: form.c.mul(factor) }
}
