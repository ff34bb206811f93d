//! Insertions into a text, which may surround each other.

/// Texts to insert, each at its place, perhaps instead of a token.
#[derive(Debug, Default)]
pub(super) struct Edits {
    all: Vec<Edit>,
}

#[derive(Debug)]
struct Edit {
    /// Where the text goes.
    at: u32,
    /// Up to where the old text goes away.
    until: u32,
    /// What ends comes before what begins; what surrounds more begins earlier and ends later.
    order: (bool, i64),
    text: String,
}

impl Edits {
    /// Puts texts around what lies between two places.
    pub(super) fn around(&mut self, start: u32, end: u32, before: impl Into<String>, after: impl Into<String>) {
        self.all.push(Edit { at: start, until: start, order: (true, -i64::from(end)), text: before.into() });
        self.all.push(Edit { at: end, until: end, order: (false, -i64::from(start)), text: after.into() });
    }

    /// Puts a text where one begins that ends there.
    pub(super) fn opening(&mut self, start: u32, end: u32, text: impl Into<String>) {
        self.all.push(Edit { at: start, until: start, order: (true, -i64::from(end)), text: text.into() });
    }

    /// Puts a text where one ends that begins there.
    pub(super) fn closing(&mut self, start: u32, end: u32, text: impl Into<String>) {
        self.all.push(Edit { at: end, until: end, order: (false, -i64::from(start)), text: text.into() });
    }

    /// Puts a text in the place of another.
    pub(super) fn replace(&mut self, start: u32, end: u32, text: impl Into<String>) {
        self.all.push(Edit { at: start, until: end, order: (true, -i64::from(end)), text: text.into() });
    }

    /// The text with all that is inserted.
    pub(super) fn apply(mut self, text: &[u8]) -> Vec<u8> {
        self.all.sort_by_key(|edit| (edit.at, edit.order));
        let added: usize = self.all.iter().map(|edit| edit.text.len()).sum();
        let (mut out, mut done) = (Vec::with_capacity(text.len() + added), 0);
        for edit in &self.all {
            // What is taken away may hold newlines, which count.
            let at = edit.at as usize;
            out.extend_from_slice(&text[done.min(at)..at]);
            out.extend_from_slice(edit.text.as_bytes());
            done = edit.until.max(edit.at) as usize;
        }
        out.extend_from_slice(&text[done..]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_surrounds_more_is_outside() {
        let mut edits = Edits::default();
        edits.around(0, 1, "<", ">");
        edits.around(0, 5, "(", ")");
        edits.around(2, 5, "[", "]");
        edits.replace(1, 2, "|");
        assert_eq!(edits.apply(b"a+bcd;"), b"(<a>|[bcd]);");
    }
}
