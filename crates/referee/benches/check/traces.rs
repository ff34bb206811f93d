//! The traces that are measured: generated once, kept in the build folder.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use referee_generate::{Generator, Request, Values, Verdict};
use referee_trace::format::Format;

/// A trace in a file.
#[derive(Debug, Clone)]
pub(crate) struct Trace {
    pub path: PathBuf,
    pub format: Format,
    pub events: u64,
    /// Whether the last column is the time.
    pub timed: bool,
    /// Where its property is broken, if it is and that is known.
    pub broken: Option<u64>,
}

impl Trace {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).expect("the trace is there")
    }
}

/// The trace that a generator writes for a request, broken or not.
pub(crate) fn generated(generator: &'static Generator, request: &Request, format: Format) -> Trace {
    let generator = generator.variant(request).expect("a possible variant");
    let order = generator.order(request).expect("a possible order");
    let values = if request.values == Values::Strings { "strings" } else { "integers" };
    let verdict = if request.verdict == Verdict::Violated { "violated" } else { "satisfied" };
    let name = generator.name.replace(" --", "-");
    let (events, per_point) = (order.events, order.per_point);
    let path = folder().join(format!("{name}-{events}-{per_point}-{values}-{verdict}.{}", format.name()));
    write_once(&path, |out| generator.write(&order, format, out, Some(&folder())).expect("there is room"));
    let last_column = generator.times && format == Format::CsvPlain;
    Trace { path, format, events, timed: last_column, broken: None }
}

/// The same trace with `on_` before every name and the arguments in reverse order.
pub(crate) fn permuted(trace: &Trace) -> Trace {
    let mut path = trace.path.clone().into_os_string();
    path.push(".permuted");
    let path = PathBuf::from(path);
    write_once(&path, |out| {
        let text = String::from_utf8(trace.bytes()).expect("traces are text");
        for line in text.lines() {
            let mut cells = line.split(',');
            write!(out, "on_{}", cells.next().unwrap_or_default()).expect("there is room");
            cells.rev().for_each(|cell| write!(out, ",{cell}").expect("there is room"));
            writeln!(out).expect("there is room");
        }
    });
    Trace { path, ..trace.clone() }
}

/// A published trace, where they are present: in the folder that `REFEREE_DEJAVU` names, or in one called `shared` above.
pub(crate) fn published(name: &str) -> Option<Trace> {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folders = manifest.ancestors().map(|folder| folder.join("shared/data/dejavu"));
    let source = std::env::var_os("REFEREE_DEJAVU").map(PathBuf::from).into_iter().chain(folders);
    let source = source.map(|folder| folder.join(format!("{name}.csv.gz"))).find(|file| file.is_file())?;
    let path = folder().join(format!("published-{name}.csv"));
    let mut bytes = Vec::new();
    MultiGzDecoder::new(File::open(source).ok()?).read_to_end(&mut bytes).ok()?;
    let events = memchr::memchr_iter(b'\n', &bytes).count() as u64;
    write_once(&path, |out| out.write_all(&bytes).expect("there is room"));
    Some(Trace { path, format: Format::CsvPlain, events, timed: false, broken: None })
}

/// Where traces and specifications are kept.
pub(crate) fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check");
    std::fs::create_dir_all(&folder).expect("there is room for a folder");
    folder
}

/// Writes a file unless it is there; it has its name only when it is whole.
fn write_once(path: &Path, write: impl FnOnce(&mut BufWriter<File>)) {
    if path.exists() {
        return;
    }
    let unfinished = path.with_extension("unfinished");
    let mut out = BufWriter::new(File::create(&unfinished).expect("there is room for a file"));
    write(&mut out);
    out.flush().expect("there is room for a file");
    std::fs::rename(&unfinished, path).expect("the file can be named");
}
