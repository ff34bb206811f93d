use proptest::prelude::*;
use referee_testing::properties;

use super::*;
use crate::format::testing::{collect, collect_cut};

/// A decoder for patterns and what names their events.
fn decoder(patterns: &[(&str, Naming)], strict: bool) -> LinesDecoder {
    let pattern = |(text, naming): &(&str, Naming)| {
        let described = crate::pattern::describe(text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        LinePattern { expression: described.expressions[0].clone(), naming: naming.clone(), entry: 0, line: 1 }
    };
    LinesDecoder::new(&InputRule { patterns: patterns.iter().map(pattern).collect(), strict, ..InputRule::default() })
}

fn constant(name: &str) -> Naming {
    Naming::Constant(name.into())
}

fn field(name: &str) -> Naming {
    Naming::Field(name.into())
}

#[test]
fn the_first_pattern_that_fits_counts() {
    let patterns = [("^login %{USER:user}$", constant("login")), ("^%{WORD:event} (?<rest>.*)$", field("event"))];
    let outcome = collect(decoder(&patterns, false), "login ann\r\n\nlogin ann from home\nlogout ann\n");
    assert_eq!(outcome.shown(), ["login(user=ann)", "login(rest=ann from home)", "logout(rest=ann)"]);
}

#[test]
fn groups_that_took_no_part_are_absent() {
    let patterns = [("^(?<a>[0-9]+)(?: (?<b>[a-z]+))?$", constant("x"))];
    let outcome = collect(decoder(&patterns, false), "1\n2 b\n3\n4 c");
    assert_eq!(outcome.shown(), ["x(a=1)", "x(a=2,b=b)", "x(a=3)", "x(a=4,b=c)"]);
}

#[test]
fn lines_that_do_not_fit_are_counted_or_refused() {
    let patterns = [("^(?<a>[0-9]+)$", constant("x"))];
    let mut lenient = decoder(&patterns, false);
    let block = Block { text: "1\nno\n\n2\nno more", last: true };
    struct Nobody;
    impl RawSink for Nobody {
        type Rows = crate::raw::NoRawRows;
        fn shape(&mut self, _: ShapeId, _: &crate::raw::Shape) -> crate::raw::Want {
            crate::raw::Want::NONE
        }
        fn event(&mut self, _: RawEvent<'_>) -> Flow {
            Ok(())
        }
        fn point(&mut self, _: &str, _: usize) -> Flow {
            Ok(())
        }
    }
    assert!(lenient.decode(block, &mut Shapes::new(), &mut Nobody).is_ok());
    assert_eq!(lenient.skipped(), Skipped { count: 2, first: 2 });
    let strict = collect(decoder(&patterns, true), "1\nno\n");
    assert_eq!(strict.fault(), (2, "no pattern of the mapping fits the line `no`"));
    let without = collect(LinesDecoder::default(), "a\n");
    assert_eq!(without.fault().0, 0);
}

proptest! {
    #![proptest_config(properties(200))]

    #[test]
    fn where_windows_end_changes_nothing(text in "([a1 \r]{0,6}\n?){0,6}", cuts in prop::collection::vec(0..40usize, 0..6)) {
        let patterns = [("^(?<n>a+)(?: (?<x>[0-9]))?", field("n")), ("(?<x>1)(?<n> *)", field("n"))];
        let cut = collect_cut(decoder(&patterns, false), &text, &cuts);
        prop_assert_eq!(cut, collect(decoder(&patterns, false), &text));
    }
}
