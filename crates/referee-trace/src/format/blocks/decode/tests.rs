use proptest::prelude::*;
use referee_testing::properties;

use super::*;
use crate::format::testing::{Seen, collect, collect_cut};

fn shown(text: &str) -> Vec<String> {
    collect(BlocksDecoder::default(), text).shown()
}

fn fault(text: &str) -> (usize, String) {
    let outcome = collect(BlocksDecoder::default(), text);
    let (offset, message) = outcome.fault();
    (offset, message.to_owned())
}

fn offset(seen: &Seen) -> Option<usize> {
    match seen {
        Seen::Event { offset, .. } => Some(*offset),
        Seen::Point { .. } => None,
    }
}

#[test]
fn names_and_fields() {
    let text = "withdraw\nuser = alice\namount=10\n\nlogout\n\n\n  pay  \n\tto =  bob \r\n\r\n";
    assert_eq!(shown(text), ["withdraw(user=alice,amount=10)", "logout()", "pay(to=bob)"]);
}

#[test]
fn the_last_event_needs_no_line_break() {
    assert_eq!(shown("a\nx = 1"), ["a(x=1)"]);
    assert_eq!(shown("a"), ["a()"]);
    assert_eq!(shown(""), [""; 0]);
    assert_eq!(shown("\n \n\r\n"), [""; 0]);
}

#[test]
fn a_value_is_the_rest_of_its_line() {
    assert_eq!(shown("a\nx = b = c, \"d\"\ny =\nz =  "), ["a(x=b = c, \"d\",y=,z=)"]);
}

#[test]
fn an_event_starts_at_its_name() {
    let outcome = collect(BlocksDecoder::default(), "\n\n  a\nx = 1\n\nb\n");
    let offsets: Vec<usize> = outcome.seen.iter().filter_map(offset).collect();
    assert_eq!(offsets, [4, 13]);
}

#[test]
fn faults() {
    assert_eq!(fault("x = 1\n"), (0, "expected an event's name, found the field `x = 1`".into()));
    assert_eq!(fault("a\n\n x = 1\n").0, 4);
    assert_eq!(fault("a\nx = 1\nb\n"), (8, "expected `field = value` of the event `a`, found `b`".into()));
    assert_eq!(fault("a\n = 1\n"), (3, "expected a field's name, found `=`".into()));
    assert_eq!(fault("b\n\na\nx = 1\nx = 2\n"), (3, "the event `a` has two fields `x`".into()));
    assert!(fault(&format!("a\n{}\n", "é".repeat(1000))).1.len() < 200, "a long line is not repeated in full");
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn cuts_change_nothing(
        text in "([ab =\r]{0,4}\n){0,8}[ab= ]{0,3}",
        cuts in prop::collection::vec(0..60usize, 0..6),
    ) {
        prop_assert_eq!(collect_cut(BlocksDecoder::default(), &text, &cuts), collect(BlocksDecoder::default(), &text));
    }
}
