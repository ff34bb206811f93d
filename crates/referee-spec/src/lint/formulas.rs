//! The formulas that lints look at.

use crate::core::{Formula, Property};

/// The formulas of a property: the bodies of its definitions, and its own.
pub(super) fn formulas(property: &Property) -> impl Iterator<Item = &Formula> {
    property.definitions.iter().map(|definition| &definition.body).chain([&property.body])
}
