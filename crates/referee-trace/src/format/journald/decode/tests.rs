use proptest::prelude::*;
use referee_testing::properties;

use super::*;
use crate::format::testing::{collect, collect_cut};

const TWO: &str = "__CURSOR=a\nMESSAGE=x = y\nNOTE\n=two\\nlines \\\\\nPRIORITY=6\n\n\n__CURSOR=b\nMESSAGE=\n";

#[test]
fn entries_are_events() {
    let outcome = collect(JournaldDecoder::default(), TWO);
    let expected = ["entry(__CURSOR=a,MESSAGE=x = y,NOTE=two\nlines \\,PRIORITY=6)", "entry(__CURSOR=b,MESSAGE=)"];
    assert_eq!(outcome.shown(), expected);
}

#[test]
fn the_mapping_names_entries_and_chooses_fields() {
    let input = InputRule {
        naming: Naming::Field("COMM".into()),
        fields: vec!["MESSAGE".into()],
        only_named: true,
        ..InputRule::default()
    };
    let read = |text| collect(JournaldDecoder::new(&input), text);
    let outcome = read("A=1\nCOMM=sshd\nMESSAGE=m\nMESSAGE=n\n\nMESSAGE=o\nCOMM=cron\n");
    assert_eq!(outcome.shown(), ["sshd(MESSAGE=m)", "cron(MESSAGE=o)"]);
    assert_eq!(read("MESSAGE=m\n").fault(), (0, "the entry has no field `COMM`, which names it"));
    assert_eq!(read("COMM=a\n\nMESSAGE\n").fault(), (8, "expected a line KEY=VALUE, found `MESSAGE`"));
    assert_eq!(read("=a\n").fault(), (0, "expected a line KEY=VALUE, found `=a`"));
}

proptest! {
    #![proptest_config(properties(200))]

    #[test]
    fn where_windows_end_changes_nothing(text in "([AB]{0,2}=?[a\\\\n]{0,3}\n{0,2}){0,8}", cuts in prop::collection::vec(0..60usize, 0..6)) {
        prop_assert_eq!(collect_cut(JournaldDecoder::default(), &text, &cuts), collect(JournaldDecoder::default(), &text));
    }

    #[test]
    fn where_windows_end_in_entries_changes_nothing(cuts in prop::collection::vec(0..TWO.len(), 0..6)) {
        prop_assert_eq!(collect_cut(JournaldDecoder::default(), TWO, &cuts), collect(JournaldDecoder::default(), TWO));
    }
}
