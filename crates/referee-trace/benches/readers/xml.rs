//! XML against quick-xml's slice reader.

use std::fmt::Write;

use quick_xml::Reader;
use quick_xml::events::Event;
use referee_trace::format::xml::decode::XmlDecoder;

use crate::kit::Kit;
use crate::tally::{EVENTS, tally};

/// Measures indented logs whose values are plain; logs in which every event has a value with a reference; and logs in
/// which no event is like an earlier one, because each has an attribute of its own.
pub(crate) fn run(kit: &Kit) {
    for (work, aim, form) in [
        ("xml, 1M events of 3 fields", 5.0, Form { text: plain, attribute: false }),
        ("xml, 1M events, a reference in each", 1.0, Form { text: escaped, attribute: false }),
        ("xml, 1M events, an attribute in each", 1.0, Form { text: plain, attribute: true }),
    ] {
        if kit.selects(work) {
            let log = log(&form);
            kit.row(work, aim, || reference(&log), || tally::<XmlDecoder>(&log));
        }
    }
}

/// How the events of a log are written.
struct Form {
    text: fn(u64) -> String,
    attribute: bool,
}

fn plain(event: u64) -> String {
    format!("/var/data/{}.txt", event % 5000)
}

fn escaped(event: u64) -> String {
    format!("/var/data/{}&amp;{}.txt", event % 5000, event % 7)
}

/// An indented log as the competitions write them: five kinds of events with three fields each.
fn log(form: &Form) -> String {
    let mut log = String::from("<log>\n");
    for event in 0..EVENTS {
        let kind = ["open", "close", "read", "write", "access"][(event * 7 % 5) as usize];
        let attribute = if form.attribute { format!(" id=\"{event}\"") } else { String::new() };
        let _ = write!(log, "  <event{attribute}>\n    <name>{kind}</name>\n");
        for (field, value) in
            [("user", (event % 977).to_string()), ("file", (form.text)(event)), ("ts", event.to_string())]
        {
            let _ =
                write!(log, "    <field>\n      <name>{field}</name>\n      <value>{value}</value>\n    </field>\n");
        }
        log.push_str("  </event>\n");
    }
    log.push_str("</log>\n");
    log
}

/// Events and bytes of values: tag names are compared and text is unescaped, nothing is stored.
fn reference(log: &str) -> u64 {
    let mut reader = Reader::from_str(log);
    let (mut count, mut in_value) = (0, false);
    loop {
        match reader.read_event().expect("the log is well formed") {
            Event::Start(tag) => in_value = tag.name().as_ref() == "value",
            Event::End(tag) => {
                in_value = false;
                count += u64::from(tag.name().as_ref() == "event");
            }
            Event::Text(text) if in_value => count += text.xml10_content().len() as u64,
            Event::GeneralRef(reference) if in_value => {
                let text = quick_xml::escape::resolve_predefined_entity(&reference).expect("a known entity");
                count += text.len() as u64;
            }
            Event::Eof => return count,
            _ => {}
        }
    }
}
