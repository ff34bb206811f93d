use proptest::prelude::*;
use referee_testing::properties;

use crate::format::csv::decode::CsvDecoder;
use crate::format::decode::decoder::Decoder;
use crate::format::input::{InputRule, Naming};
use crate::format::testing::{collect, collect_cut};

fn decoder(naming: Naming) -> CsvDecoder {
    CsvDecoder::new(&InputRule { header: true, naming, ..InputRule::default() })
}

fn field(name: &str) -> Naming {
    Naming::Field(name.into())
}

#[test]
fn any_column_names_the_events() {
    let text = "\ntime;user;action\n1;ann;login\r\n2; bob ;\"log;\"\"out\"\n";
    let outcome = collect(decoder(field("action")), text);
    assert_eq!(outcome.shown(), ["login(time=1,user=ann)", "log;\"out(time=2,user=bob)"]);
    let outcome = collect(decoder(Naming::Constant("seen".into())), "a\tb\n1\t\n\t\"\"\n");
    assert_eq!(outcome.shown(), ["seen(a=1)", "seen(b=)"]);
    assert_eq!(collect(decoder(Naming::Usual), "a,b\n1,2").shown(), ["row(a=1,b=2)"]);
    assert_eq!(collect(decoder(Naming::Usual), "a,event\n1,x\n").shown(), ["x(a=1)"]);
}

#[test]
fn what_is_wrong_with_a_table() {
    let fault = |naming: Naming, text: &str| {
        let outcome = collect(decoder(naming), text);
        let (offset, message) = outcome.fault();
        (offset, message.to_owned())
    };
    let usual = || Naming::Usual;
    assert_eq!(fault(usual(), "a,,b\n"), (2, "expected the name of a column, found an empty cell".into()));
    assert_eq!(fault(usual(), "a,a\n"), (2, "expected a new column, found `a` again".into()));
    assert_eq!(fault(usual(), "a,b\n1,2,3\n"), (8, "expected at most 2 cells, as in the header, found 3".into()));
    assert_eq!(fault(field("b"), "a,b\n1,\n"), (4, "the column `b`, which names the event, is empty".into()));
    let message = "the table has no column `bb`, which the mapping names the events by";
    assert_eq!(fault(field("bb"), "a,b\n"), (0, message.into()));
    let message = "expected `,` or the end of the line after a closing quote, found `x`";
    assert_eq!(fault(usual(), "a,b\n\"1\"x,2\n"), (7, message.into()));
    assert_eq!(fault(usual(), "a,b\n\"1"), (4, "expected a closing quote, found the end of the input".into()));
}

proptest! {
    #![proptest_config(properties(300))]

    #[test]
    fn where_windows_end_changes_nothing(
        rows in prop::collection::vec("[ab1 ,;\"\r]{0,8}", 0..6),
        cuts in prop::collection::vec(0..60usize, 0..6),
    ) {
        let text = format!("x,y,z\n{}", rows.join("\n"));
        let cut = collect_cut(decoder(field("y")), &text, &cuts);
        prop_assert_eq!(cut, collect(decoder(field("y")), &text));
    }
}
