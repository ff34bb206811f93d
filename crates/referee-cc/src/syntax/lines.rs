//! Line markers: `# 12 "file.c" 2 3` says that the next line is line 12 of that file.

/// A marker.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Marker {
    /// Where the line behind the marker begins.
    start: u32,
    /// The number of that line.
    line: u32,
    /// Where the file's name stands, without its quotes.
    file: (u32, u32),
    /// Whether the file is a header of the system.
    system: bool,
}

impl Marker {
    /// The marker in a line of the text, if it is one.
    pub(super) fn parse(text: &[u8], start: usize, end: usize) -> Option<Marker> {
        let line = std::str::from_utf8(text.get(start + 1..end)?).ok()?;
        let number: &str = line.trim_start().split(' ').next()?;
        let open = start + 1 + line.find('"')? + 1;
        let close = start + 1 + line.rfind('"')?;
        let flags = line.get(close - start..)?;
        let system = flags.split(' ').any(|flag| flag == "3");
        let file = (open as u32, close.max(open) as u32);
        Some(Marker { start: end as u32 + 1, line: number.parse().ok()?, file, system })
    }
}

/// Where files and lines begin.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t [u8],
    markers: Vec<Marker>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t [u8], markers: Vec<Marker>) -> Lines<'t> {
        Lines { text, markers }
    }

    /// The marker that a byte is under.
    fn marker(&self, at: u32) -> Option<&Marker> {
        let behind = self.markers.partition_point(|marker| marker.start <= at);
        self.markers.get(behind.checked_sub(1)?)
    }

    /// The file, still escaped, and the line of a byte.
    pub(crate) fn place(&self, at: u32) -> (&'t str, u32) {
        let Some(marker) = self.marker(at) else { return ("", 0) };
        let between = &self.text[marker.start as usize..at as usize];
        let passed = between.iter().filter(|byte| **byte == b'\n').count() as u32;
        let file = &self.text[marker.file.0 as usize..marker.file.1 as usize];
        (std::str::from_utf8(file).unwrap_or(""), marker.line + passed)
    }

    /// Whether a byte is in a header of the system.
    pub(crate) fn is_system(&self, at: u32) -> bool {
        self.marker(at).is_some_and(|marker| marker.system)
    }
}
