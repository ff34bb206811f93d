//! What the three CSV formats share, through the decoders.

use proptest::prelude::*;
use referee_testing::properties;

use crate::error::Flow;
use crate::format::csv::decode::CsvDecoder;
use crate::format::csv_named::decode::CsvNamedDecoder;
use crate::format::csv_plain::decode::CsvPlainDecoder;
use crate::format::decode::decoder::{Block, Decoder};
use crate::format::testing::{Outcome, Seen, collect, collect_cut};
use crate::raw::{NoRawRows, RawEvent, RawSink, Shape, ShapeId, Shapes, Want};

fn plain(text: &str) -> Vec<String> {
    collect(CsvPlainDecoder::default(), text).shown()
}

fn fault(text: &str) -> (usize, String) {
    let outcome = collect(CsvPlainDecoder::default(), text);
    let (offset, message) = outcome.fault();
    (offset, message.to_owned())
}

#[test]
fn values_are_called_by_their_position() {
    assert_eq!(plain("open,f,7\nclose, f\ntick\n"), ["open(1=f,2=7)", "close(1=f)", "tick()"]);
}

#[test]
fn a_blank_cell_of_csv_plain_is_an_empty_text() {
    assert_eq!(plain("a,\na,,2\na, ,\t\n"), ["a(1=)", "a(1=,2=2)", "a(1=,2=)"]);
}

#[test]
fn lines_end_in_any_way_and_blank_ones_are_skipped() {
    assert_eq!(plain("\n\na,1\r\nb\rc\n\r\n \t\nd,2\r"), ["a(1=1)", "b()", "c()", "d(1=2)"]);
    assert_eq!(plain(""), [""; 0]);
    assert_eq!(plain("a"), ["a()"]);
    assert_eq!(plain("a\n \t"), ["a()"]);
}

#[test]
fn blanks_around_cells_are_insignificant_but_not_within() {
    assert_eq!(plain("  a ,\tx y , \"  z \" \n"), ["a(1=x y,2=  z )"]);
}

#[test]
fn quoted_cells_hold_anything() {
    assert_eq!(plain("a,\"x,y\"\nb,\"x\r\ny\",2\n"), ["a(1=x,y)", "b(1=x\r\ny,2=2)"]);
    assert_eq!(plain("\"a\",\"say \"\"hi\"\"\",\"\"\"\"\nb"), ["a(1=say \"hi\",2=\")", "b()"]);
    assert_eq!(plain("a,\"\",\"é\"\"ü\""), ["a(1=,2=é\"ü)"]);
}

#[test]
fn a_quote_within_a_bare_cell_is_text() {
    assert_eq!(plain("disk,5\" or 3\", x\nb,a\"b\"\n"), ["disk(1=5\" or 3\",2=x)", "b(1=a\"b\")"]);
}

#[test]
fn a_quoted_cell_may_be_longer_than_a_window() {
    let long = "x\n,".repeat(20_000);
    assert_eq!(plain(&format!("a,\"{long}\"\nb,1\n")), [format!("a(1={long})"), "b(1=1)".into()]);
}

#[test]
fn events_know_where_they_start() {
    let outcome = collect(CsvPlainDecoder::default(), "a\n\n b,\"x\ny\"\r\nc");
    let offsets: Vec<usize> = outcome
        .seen
        .iter()
        .map(|seen| match seen {
            Seen::Event { offset, .. } | Seen::Point { offset, .. } => *offset,
        })
        .collect();
    assert_eq!(offsets, [0, 3, 13]);
}

#[test]
fn an_open_quote_is_refused_where_it_opens() {
    let message = "expected a closing quote, found the end of the input";
    assert_eq!(fault("a,1\nb, \"x\ny\n"), (7, message.into()));
    assert_eq!(fault("b,\"x\"\"\n"), (2, message.into()));
    assert_eq!(fault("b,\""), (2, message.into()));
}

#[test]
fn text_after_a_closing_quote_is_refused() {
    let message = "expected a comma or the end of the line after a closing quote, found";
    assert_eq!(fault("a,\"x\" y,2\n"), (6, format!("{message} `y`")));
    assert_eq!(fault("a,\"x\"é\n"), (5, format!("{message} `\\u{{e9}}`")));
}

#[test]
fn a_nul_byte_is_refused() {
    let message = "expected text, found a NUL byte";
    assert_eq!(fault("a,1\na,x\0y\n"), (7, message.into()));
    assert_eq!(fault("a,\"x\0\"\n"), (4, message.into()));
    assert_eq!(fault("\0"), (0, message.into()));
}

#[test]
fn an_event_needs_a_name() {
    let message = "expected the name of an event, found an empty cell";
    assert_eq!(fault("a\n,1\n"), (2, message.into()));
    assert_eq!(fault("\"\"\n"), (0, message.into()));
}

#[test]
fn events_before_a_fault_are_handed_over() {
    let outcome = collect(CsvPlainDecoder::default(), "a,1\n,2\n");
    assert_eq!((outcome.seen.len(), outcome.fault().0), (1, 4));
}

/// Counts events and their values, and wants none of them.
#[derive(Default)]
struct Uninterested {
    events: usize,
    values: usize,
}

impl RawSink for Uninterested {
    type Rows = NoRawRows;

    fn shape(&mut self, _: ShapeId, _: &Shape) -> Want {
        Want::NONE
    }

    fn event(&mut self, event: RawEvent<'_>) -> Flow {
        self.events += 1;
        self.values += event.values.len();
        Ok(())
    }

    fn point(&mut self, _: &str, _: usize) -> Flow {
        unreachable!("csv has no points")
    }
}

#[test]
fn events_whose_values_nobody_wants_still_happen() {
    let (text, mut sink) = ("a,1,2\nb\na,3,4\nc,\"x\"\n", Uninterested::default());
    let used = CsvPlainDecoder::default().decode(Block { text, last: true }, &mut Shapes::new(), &mut sink);
    assert_eq!((used.ok(), sink.events, sink.values), (Some(text.len()), 4, 5));
}

/// A cell as it is written.
fn cell() -> impl Strategy<Value = String> {
    let bare = "[a-c7é]{1,3}( [a-c]\"?)?";
    let quoted = "\"([a-c, \r\n\té]|\"\"){0,5}\"";
    prop_oneof![4 => bare, 2 => quoted, 1 => Just(String::new())]
}

/// Rows that follow RFC 4180, with mixed line ends.
fn well_formed() -> impl Strategy<Value = String> {
    let row = ("[a-d]{1,10}", prop::collection::vec(cell(), 0..5), "\n|\r\n|\r|\n\n");
    let line = row.prop_map(|(name, cells, end)| {
        let row: Vec<&str> = std::iter::once(name.as_str()).chain(cells.iter().map(String::as_str)).collect();
        row.join(",") + &end
    });
    prop::collection::vec(line, 0..40).prop_map(|lines| lines.concat())
}

/// Anything that is made of the bytes that matter.
fn anything() -> impl Strategy<Value = String> {
    let pieces =
        ["a", "bc", ",", ",", ", ", "\n", "\r", "\r\n", "\"", "\"", "\"\"", "=", " = ", "é", "event", "\t", "\0"];
    let weights: Vec<_> = pieces.iter().map(|&piece| (if piece == "\0" { 1 } else { 8 }, Just(piece))).collect();
    prop::collection::vec(prop::strategy::Union::new_weighted(weights), 0..60).prop_map(|pieces| pieces.concat())
}

/// What the `csv` crate reads: names and values.
fn oracle(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let records = reader.records().map(|record| record.expect("the text is well formed"));
    records.map(|record| record.iter().map(str::to_owned).collect()).collect()
}

fn names_and_values(outcome: &Outcome) -> Vec<Vec<String>> {
    assert_eq!(outcome.fault, None);
    let rows = outcome.seen.iter().map(|seen| match seen {
        Seen::Event { name, fields, .. } => {
            std::iter::once(name.clone()).chain(fields.iter().map(|(_, value)| value.clone())).collect()
        }
        Seen::Point { time, .. } => panic!("csv has no points, found {time}"),
    });
    rows.collect()
}

fn cuts_do_not_matter<D: Decoder + Default>(text: &str, cuts: &[usize]) -> Result<(), TestCaseError> {
    prop_assert_eq!(collect_cut(D::default(), text, cuts), collect(D::default(), text));
    Ok(())
}

proptest! {
    #![proptest_config(properties(256))]

    #[test]
    fn the_csv_crate_reads_the_same(text in well_formed()) {
        prop_assert_eq!(names_and_values(&collect(CsvPlainDecoder::default(), &text)), oracle(&text));
    }

    #[test]
    fn windows_do_not_matter(text in well_formed(), length in 8_000..18_000usize) {
        let text = text.repeat(length.checked_div(text.len()).unwrap_or(0));
        prop_assert_eq!(names_and_values(&collect(CsvPlainDecoder::default(), &text)), oracle(&text));
    }

    #[test]
    fn rows_of_any_length_are_read(counts in prop::collection::vec((0..140usize, 0..200usize), 0..12), lead in 0..64usize) {
        let row = |&(cells, width): &(usize, usize)| format!("abc{},{}\n", ",x".repeat(cells), "y".repeat(width));
        let text = "z".repeat(lead + 1) + "\n" + &counts.iter().map(row).collect::<String>();
        prop_assert_eq!(names_and_values(&collect(CsvPlainDecoder::default(), &text)), oracle(&text));
        let unterminated = text.trim_end_matches('\n');
        prop_assert_eq!(names_and_values(&collect(CsvPlainDecoder::default(), unterminated)), oracle(unterminated));
        cuts_do_not_matter::<CsvPlainDecoder>(&text, &[lead, 3 * lead, 50 * lead])?;
    }

    #[test]
    fn blocks_may_end_anywhere(text in well_formed(), header in "event,a,b,c,d\n", cuts in prop::collection::vec(0..300usize, 0..8)) {
        cuts_do_not_matter::<CsvPlainDecoder>(&text, &cuts)?;
        cuts_do_not_matter::<CsvDecoder>(&(header + &text), &cuts)?;
        cuts_do_not_matter::<CsvNamedDecoder>(&text.replace(",a", ",a="), &cuts)?;
    }

    #[test]
    fn blocks_may_end_anywhere_in_anything(text in anything(), cuts in prop::collection::vec(0..80usize, 0..8)) {
        cuts_do_not_matter::<CsvPlainDecoder>(&text, &cuts)?;
        cuts_do_not_matter::<CsvDecoder>(&format!("event,a\n{text}"), &cuts)?;
        cuts_do_not_matter::<CsvDecoder>(&text, &cuts)?;
        cuts_do_not_matter::<CsvNamedDecoder>(&text, &cuts)?;
    }
}
