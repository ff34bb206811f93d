//! Fenced blocks of a Markdown text.

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fence<'t> {
    /// What follows the opening fence.
    pub info: &'t str,
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// The lines between the fences.
    pub lines: Vec<&'t str>,
}

impl Fence<'_> {
    /// The block's text.
    pub(crate) fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line, "\n"]).collect()
    }
}

/// The fenced blocks of a text that begin at the margin, in order. A block without an end reaches to the end of the text.
pub(crate) fn fences(text: &str) -> Vec<Fence<'_>> {
    let mut found: Vec<Fence<'_>> = Vec::new();
    let mut ticks: Option<usize> = None;
    for (index, line) in text.lines().enumerate() {
        let count = line.bytes().take_while(|byte| *byte == b'`').count();
        match ticks {
            None if count >= 3 => {
                ticks = Some(count);
                found.push(Fence { info: line[count..].trim(), line: index + 1, lines: Vec::new() });
            }
            Some(open) if count >= open && line[count..].trim().is_empty() => ticks = None,
            Some(_) => found.last_mut().into_iter().for_each(|fence| fence.lines.push(line)),
            None => {}
        }
    }
    found
}

/// The words of an info string; quotes keep spaces together.
pub(crate) fn words(info: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in info.chars() {
        quoted ^= letter == '"';
        if letter.is_whitespace() && !quoted {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.push(letter);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_fences_hold_shorter_ones() {
        let text = "x\n````text\n```qtl\na\n```\n````\n```rejected point=2\na\n\nb\n```\ny";
        let expected = [
            Fence { info: "text", line: 2, lines: vec!["```qtl", "a", "```"] },
            Fence { info: "rejected point=2", line: 7, lines: vec!["a", "", "b"] },
        ];
        assert_eq!(fences(text), expected);
    }

    #[test]
    fn quotes_keep_words_together() {
        assert_eq!(words(" rejected  x=\"a b\" y=1 "), ["rejected", "x=\"a b\"", "y=1"]);
        assert!(words("").is_empty());
    }
}
