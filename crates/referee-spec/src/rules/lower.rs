//! From trees to the core: what names mean, and conditions, values and patterns of one rule.

mod conditions;
mod lowering;
mod values;

pub(crate) use lowering::Lowering;
