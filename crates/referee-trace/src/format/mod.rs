//! One folder per trace format: how its text is cut into events (`decode`), and how events become its text (`encode`).
//!
//! | format | shape |
//! |---|---|
//! | [`csv`] | header `event, f1, f2`, then one event per row |
//! | [`csv_named`] | `name, field = value, …` |
//! | [`csv_plain`] | `name,value,…` |
//! | [`xml`] | `<log><event><name/><field><name/><value/></field>…</event></log>` |
//! | [`json`] | objects, in five writings |
//! | [`logfmt`] | `event=name field=value …` |
//! | [`blocks`] | a name line, then `field = value` lines |
//! | [`monpoly`] | `@ts P (v,…)(v,…) Q (v,…);` |
//! | [`abstract_`] | `a(1).b(2,x)` |
//! | [`xes`] | `<log><trace><event><string key="…" value="…"/>…`; only read |
//! | [`journald`] | blocks of `KEY=VALUE` lines; only read |
//! | [`lines`] | lines of text, which patterns describe; only read |
//!
//! **A decoder never sees a file.** It gets a block of text, takes the whole events at its start and says how far it
//! came; the rest comes again with more behind it. So the same code reads files, pipes and compressed streams, and a
//! decoder's memory does not depend on the length of the trace.
//!
//! **A format is declared once.** Its folder has a [`Description`], a decoder and an encoder; one line in the table below
//! names the folder. Options, hints, detection, conversion, generators and the tests of all formats follow from that.

pub mod abstract_;
pub mod blocks;
pub mod csv;
pub mod csv_named;
pub mod csv_plain;
pub(crate) mod decode;
mod description;
pub mod detect;
pub(crate) mod encode;
mod input;
pub mod journald;
pub mod json;
pub mod lines;
pub mod logfmt;
pub mod monpoly;
#[cfg(test)]
pub(crate) mod testing;
pub mod xes;
pub mod xml;

use std::io::Write;

pub use decode::decoder::{Block, Decoder, DecoderUser, Skipped};
pub use description::{Description, Detection, PointNotation};
use encode::encoder::{EncodeOptions, Encoder};
pub use input::{InputRule, LinePattern, Naming};

/// Makes the type of all formats and everything that has to choose between them of one table, in the order in which
/// the manual lists the formats. What is detected alike is tried in this order.
macro_rules! formats {
    (
        $($(#[$doc:meta])+ $format:ident: $folder:ident, $decoder:ident;)+
        only read: $($(#[$foreign_doc:meta])+ $foreign:ident: $foreign_folder:ident, $foreign_decoder:ident;)+
    ) => {
        /// A trace format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Format {
            $($(#[$doc])+ $format,)+
            $($(#[$foreign_doc])+ $foreign,)+
        }

        impl Format {
            /// Every format that is read and written, in the order in which the manual lists them.
            pub const ALL: [Format; [$(Format::$format),+].len()] = [$(Format::$format),+];

            /// Every format that is read.
            pub const READ: [Format; [$(Format::$format,)+ $(Format::$foreign),+].len()] =
                [$(Format::$format,)+ $(Format::$foreign),+];

            /// What there is to know about it.
            pub fn description(self) -> &'static Description {
                match self {
                    $(Format::$format => &$folder::DESCRIPTION,)+
                    $(Format::$foreign => &$foreign_folder::DESCRIPTION,)+
                }
            }

            /// Does something with a fresh decoder of this format, for records that are read so.
            pub fn with_decoder<U: DecoderUser>(self, input: &InputRule, user: U) -> U::Output {
                match self {
                    $(Format::$format => user.with($folder::decode::$decoder::new(input)),)+
                    $(Format::$foreign => user.with($foreign_folder::decode::$foreign_decoder::new(input)),)+
                }
            }

            /// What writes events in this format; what is only read refuses all.
            pub(crate) fn encoder<'w>(self, out: impl Write + 'w, options: EncodeOptions<'_>) -> Box<dyn Encoder + 'w> {
                match self {
                    $(Format::$format => Box::new($folder::encode::encoder(out, options)),)+
                    $(Format::$foreign => Box::new(encode::refusing::encoder(self.name())),)+
                }
            }
        }
    };
}

formats! {
    /// CSV with a header whose first cell is `event`.
    Csv: csv, CsvDecoder;
    /// CSV whose cells name their fields.
    CsvNamed: csv_named, CsvNamedDecoder;
    /// CSV without header or field names.
    CsvPlain: csv_plain, CsvPlainDecoder;
    /// XML.
    Xml: xml, XmlDecoder;
    /// JSON.
    Json: json, JsonDecoder;
    /// Pairs `key=value`, a line per event.
    Logfmt: logfmt, LogfmtDecoder;
    /// A name line and field lines per event.
    Blocks: blocks, BlocksDecoder;
    /// MonPoly's log.
    Monpoly: monpoly, MonpolyDecoder;
    /// `a(1).b(2)`.
    Abstract: abstract_, AbstractDecoder;

    only read:
    /// Logs for process mining.
    Xes: xes, XesDecoder;
    /// What `journalctl -o export` writes.
    Journald: journald, JournaldDecoder;
    /// Lines of text, which patterns describe.
    Lines: lines, LinesDecoder;
}

impl Format {
    /// The name that `--format` takes.
    pub fn name(self) -> &'static str {
        self.description().name
    }

    /// The names of all formats that are written, separated by commas.
    pub fn names() -> String {
        Format::ALL.map(Format::name).join(", ")
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::READ.into_iter().find(|format| format.name() == name)
    }

    /// How the name of a file in this format ends.
    pub fn extension(self) -> &'static str {
        self.description().extensions[0]
    }

    /// The format in which a file with this extension is written.
    pub fn of_extension(extension: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.description().extensions.contains(&extension))
    }

    /// Whether fields are named by the file itself; otherwise they are called `1`, `2`, ….
    pub fn names_fields(self) -> bool {
        self.description().points == PointNotation::Fields
    }
}
