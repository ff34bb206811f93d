use std::io::Write as _;

use super::*;

/// Hands out at most so many bytes per read.
struct Drip {
    bytes: Vec<u8>,
    at: usize,
    size: usize,
}

impl Read for Drip {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.size.min(buffer.len()).min(self.bytes.len() - self.at);
        buffer[..count].copy_from_slice(&self.bytes[self.at..][..count]);
        self.at += count;
        Ok(count)
    }
}

fn drip(bytes: &[u8], size: usize) -> Source {
    let source = Source::from_reader("drip", Drip { bytes: bytes.to_vec(), at: 0, size });
    source.unwrap_or_else(|error| panic!("{error}"))
}

/// The whole lines of a source, as a decoder would take them, with the error that ends them.
fn lines(mut source: Source) -> (Vec<String>, Option<TraceError>) {
    let mut found = Vec::new();
    loop {
        let (used, last) = match source.window() {
            Ok(Block { text, last }) => {
                let used = if last { text.len() } else { text.rfind('\n').map_or(0, |at| at + 1) };
                found.extend(text[..used].lines().map(str::to_owned));
                (used, last)
            }
            Err(error) => return (found, Some(error)),
        };
        source.consume(used);
        if last {
            return (found, None);
        }
    }
}

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap_or_else(|error| panic!("{error}"));
    file.write_all(bytes).unwrap_or_else(|error| panic!("{error}"));
    file
}

fn regular(file: &tempfile::NamedTempFile) -> Source {
    Source::open(file.path()).unwrap_or_else(|error| panic!("{error}"))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_else(|error| panic!("{error}"))
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap_or_else(|error| panic!("{error}"))
}

fn message(source: Source) -> String {
    match lines(source).1 {
        Some(error) => error.to_string(),
        None => panic!("an error was expected"),
    }
}

const TEXT: &str = "a,1\nbé,2\n\nc,ü€😀\nlast";

fn expected() -> Vec<String> {
    TEXT.lines().map(str::to_owned).collect()
}

#[test]
fn lines_are_the_same_however_the_bytes_trickle_in() {
    for size in 1..=TEXT.len() {
        assert_eq!(lines(drip(TEXT.as_bytes(), size)), (expected(), None), "{size} bytes at a time");
        assert_eq!(lines(drip(&gzip(TEXT.as_bytes()), size)), (expected(), None), "gzip, {size} bytes at a time");
        assert_eq!(lines(drip(&zstd(TEXT.as_bytes()), size)), (expected(), None), "zstd, {size} bytes at a time");
    }
}

#[test]
fn window_borders_of_a_regular_file_do_not_matter() {
    for back in 0..=TEXT.len() {
        let padding = format!("{}\n", "x".repeat(WINDOW - 1 - back));
        let file = file(format!("{padding}{TEXT}").as_bytes());
        let (found, error) = lines(regular(&file));
        assert_eq!((&found[1..], error), (&expected()[..], None), "border {back} bytes into the text");
    }
}

#[test]
fn compression_is_found_by_content_and_members_are_joined() {
    let (first, second) = ("a\nb".as_bytes(), "c\nd".as_bytes());
    for encode in [gzip, zstd] {
        let file = file(&[encode(first), encode(second)].concat());
        assert_eq!(lines(regular(&file)).0, ["a", "bc", "d"]);
    }
    let skippable = [&[0x5A, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 7, 7][..], &zstd(first)].concat();
    assert_eq!(lines(drip(&skippable, 1)), (vec!["a".to_owned(), "b".to_owned()], None));
    assert_eq!(lines(drip(b"(", 1)).0, ["("], "the first byte of zstd, but not the second");
}

#[test]
fn what_comes_before_a_truncation_is_served() {
    let text = (0..20_000).map(|number| format!("event,{number}\n")).collect::<String>();
    for (encode, name) in [(gzip as fn(&[u8]) -> Vec<u8>, "gzip"), (zstd, "zstd")] {
        let whole = encode(text.as_bytes());
        let (found, error) = lines(drip(&whole[..whole.len() - 9], 4096));
        let error = error.unwrap_or_else(|| panic!("{name} is truncated"));
        assert_eq!(error.message, format!("the {name} stream ends in the middle"));
        assert!(found.len() > 100, "{name}: {} lines", found.len());
        assert_eq!(error.line, Some(found.len() as u64 + 1), "{name}");
    }
    let damaged = [gzip(b"a\n"), b"garbage behind it".to_vec()].concat();
    assert!(message(drip(&damaged, 100)).contains("the gzip stream is damaged"));
}

#[test]
fn a_zstd_window_beyond_the_bound_is_refused() {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap_or_else(|error| panic!("{error}"));
    encoder.window_log(25).and_then(|()| encoder.write_all(b"a\n")).unwrap_or_else(|error| panic!("{error}"));
    let bytes = encoder.finish().unwrap_or_else(|error| panic!("{error}"));
    assert!(message(drip(&bytes, 100)).contains("needs a window of more than 8 MiB"));
}

#[test]
fn byte_order_marks() {
    for size in [1, 2, 3, 100] {
        assert_eq!(lines(drip(b"\xEF\xBB\xBFa\nb", size)).0, ["a", "b"], "{size}");
        assert_eq!(lines(drip(b"\xEF\xBB\xBF", size)).1, None, "{size}");
        for mark in [&b"\xFF\xFEa\0"[..], b"\xFE\xFF\0a"] {
            assert!(message(drip(mark, size)).contains("drip:1:1: the text is in UTF-16"), "{size}");
        }
    }
    assert_eq!(lines(regular(&file(b"\xEF\xBB\xBFa\nb"))).0, ["a", "b"]);
    assert!(message(drip(b"\xEF\xBB\xBFa\n\xEF\xBB\xFF", 100)).contains("drip:2:1: byte 0xEF"));
    assert!(message(regular(&file(b"\xEF\xBB\xBFab\xFF"))).contains(":1:3: byte 0xFF is not valid UTF-8"));
}

#[test]
fn bad_bytes_are_named_with_their_place_after_the_lines_before_them() {
    for size in [1, 2, 3, 7, 100] {
        for (bytes, place) in [
            (&b"a\nb\nu\xC3\xA9x\xFFy\n"[..], "3:4: byte 0xFF is not valid UTF-8"),
            (b"a\nb\n\xC3", "3:1: byte 0xC3 is not valid UTF-8"),
            (b"a\nb\nxy\0z\n", "3:3: NUL byte in the text"),
            (b"a\nb\n\xED\xA0\x80", "3:1: byte 0xED is not valid UTF-8"),
        ] {
            let (found, error) = lines(drip(bytes, size));
            assert_eq!(found, ["a", "b"], "{size}");
            assert!(
                error.is_some_and(|error| error.to_string().starts_with(&format!("drip:{place}"))),
                "{place} {size}"
            );
        }
    }
}

#[test]
fn a_bad_byte_is_found_at_every_window_border() {
    for back in 0..4 {
        let mut bytes = "x".repeat(WINDOW - 2 - back).into_bytes();
        bytes.extend(b"\n\xE2\x82\xAC\xF0\x9F\n");
        let error = lines(regular(&file(&bytes))).1;
        assert_eq!(error.map(|error| (error.line, error.column)), Some((Some(2), Some(2))), "{back}");
    }
}

#[test]
fn lines_up_to_the_limit_are_read_and_longer_ones_refused() {
    let good = format!("a\n{}\r\nb\n", "x".repeat(100));
    let bad = format!("a\n{}\nb\n", "x".repeat(110));
    for size in [1, 50, 1000] {
        assert_eq!(lines(drip(good.as_bytes(), size).max_line(100)).0.len(), 3, "{size}");
        let (found, error) = lines(drip(bad.as_bytes(), size).max_line(100));
        assert_eq!(found, ["a"], "{size}");
        let error = error.map(|error| error.to_string()).unwrap_or_default();
        assert!(error.starts_with("drip:2:1: a line or event of more than 100 bytes starts here"), "{error}");
        assert!(error.contains("--max-line"), "{error}");
    }
    assert!(message(regular(&file(bad.as_bytes())).max_line(100)).contains(":2:1: a line or event of more than 100"));
    assert_eq!(lines(regular(&file(good.as_bytes())).max_line(100)).0.len(), 3);
}

/// Feeds a stream through and returns the largest buffer it ever had.
fn largest_buffer(mut source: Source) -> (usize, Option<TraceError>) {
    let mut largest = 0;
    loop {
        let (used, last) = match source.window() {
            Ok(Block { text, last }) => (text.rfind('\n').map_or(0, |at| at + 1), last),
            Err(error) => return (largest, Some(error)),
        };
        if let SourceBytes::Stream(stream) = &source.bytes {
            largest = largest.max(stream.buffer.capacity());
        }
        source.consume(used);
        if last {
            return (largest, None);
        }
    }
}

#[test]
fn a_bomb_meets_one_small_buffer() {
    let bomb = "event,1,2,3\n".repeat(2 << 20);
    for encode in [gzip, zstd] {
        let packed = encode(bomb.as_bytes());
        assert!(packed.len() < bomb.len() / 90, "{} bytes", packed.len());
        let (largest, error) = largest_buffer(drip(&packed, 4096));
        assert_eq!((largest <= 2 * WINDOW, error), (true, None), "{largest}");
    }
    let (largest, error) = largest_buffer(drip(&gzip(&vec![b'x'; 64 << 20]), 4096).max_line(1 << 20));
    assert!(largest <= 4 << 20 && error.is_some_and(|error| error.message.contains("1048576")), "{largest}");
}

#[test]
fn a_long_line_gives_its_memory_back() {
    let text = format!("{}\n{}", "x".repeat(3 << 20), "y\n".repeat(1 << 20));
    let mut source = drip(text.as_bytes(), 8192);
    loop {
        let Ok(Block { text, last }) = source.window() else { panic!("all is well formed") };
        let (used, last) = (text.rfind('\n').map_or(0, |at| at + 1), last);
        source.consume(used);
        if last {
            break;
        }
    }
    let SourceBytes::Stream(stream) = &source.bytes else { panic!("a reader is a stream") };
    assert_eq!(stream.buffer.capacity(), WINDOW);
    assert_eq!(stream.place.line, (1 << 20) + 2);
}

#[test]
fn a_live_stream_is_shown_as_it_arrives() {
    let mut source = drip(b"a,1\nb,2\n", 4);
    let mut windows = Vec::new();
    loop {
        let Ok(Block { text, last }) = source.window() else { panic!("all is well formed") };
        windows.push(text.to_owned());
        let (used, last) = (text.rfind('\n').map_or(0, |at| at + 1), last);
        source.consume(used);
        if last {
            break;
        }
    }
    assert_eq!(windows, ["a", "a,1\nb", "b,2\n", ""]);
}

#[test]
fn what_is_no_file_is_explained() {
    let error = |path: &Path| match Source::open(path) {
        Ok(_) => panic!("{} should not open", path.display()),
        Err(error) => error,
    };
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(error(folder.path()).message, "this is a directory, not a file");
    let missing = error(&folder.path().join("none.csv"));
    assert_eq!(missing.message, "there is no such file");
    assert!(missing.file.is_some_and(|file| file.ends_with("none.csv")));
}

#[test]
fn progress_counts_the_bytes_of_the_file() {
    let text = "a,1\n".repeat(100_000);
    for bytes in [text.clone().into_bytes(), gzip(text.as_bytes())] {
        let file = file(&bytes);
        let mut source = regular(&file);
        assert_eq!(source.bytes_total(), Some(bytes.len() as u64));
        loop {
            let Ok(Block { text, last }) = source.window() else { panic!("all is well formed") };
            let (seen, last) = (text.len(), last);
            source.consume(seen);
            if last {
                break;
            }
        }
        assert_eq!(source.bytes_read(), bytes.len() as u64);
    }
}

#[test]
fn an_empty_file_is_one_empty_window() {
    assert_eq!(lines(regular(&file(b""))), (vec![], None));
    assert_eq!(lines(drip(b"", 1)), (vec![], None));
}
