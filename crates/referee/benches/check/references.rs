//! The two loops that measurements refer to: they split a trace's bytes, held in memory, and do nothing else.

use quick_xml::Reader;
use quick_xml::events::Event;

/// The `csv` crate's ByteRecord loop: cells and bytes.
pub(crate) fn csv_loop(bytes: &[u8]) -> u64 {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let mut record = csv::ByteRecord::new();
    let mut count = 0;
    while reader.read_byte_record(&mut record).expect("the trace is well formed") {
        count += (record.len() + record.as_slice().len()) as u64;
    }
    count
}

/// quick-xml's slice reader: events and bytes of text.
pub(crate) fn xml_loop(text: &str) -> u64 {
    let mut reader = Reader::from_str(text);
    let mut count = 0;
    loop {
        match reader.read_event().expect("the trace is well formed") {
            Event::Start(_) => count += 1,
            Event::Text(text) => count += text.xml10_content().len() as u64,
            Event::Eof => return count,
            _ => {}
        }
    }
}
