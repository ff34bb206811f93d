//! How a document of XES is told from other XML: by its first tags.
//!
//! ```text
//!  <log xes.version="1.0" …>            the root says so
//!  <log> <extension | <global | …       no event of `xml` begins so
//!  <log> <event> <string key=…          nor does the content of one
//! ```

/// The elements that hold the attributes of logs, traces and events.
pub(super) const ATTRIBUTES: [&str; 8] = ["string", "date", "int", "float", "boolean", "id", "list", "container"];

/// Elements of a log that say something about it, and hold no events.
pub(super) const ABOUT: [&str; 3] = ["extension", "global", "classifier"];

/// Whether a text that begins with `<` is a document of XES; nothing if that cannot be told yet.
pub(crate) fn is_xes(text: &str) -> Option<bool> {
    if !text.starts_with('<') {
        return Some(false);
    }
    let mut tags = Tags { rest: text };
    let (root, attributes) = tags.next()?;
    if root != "log" {
        return Some(false);
    }
    if attributes.contains("xes.") || attributes.contains("xes-standard") {
        return Some(true);
    }
    let (child, _) = tags.next()?;
    if child != "event" {
        return Some(child == "trace" || ABOUT.contains(&child) || ATTRIBUTES.contains(&child));
    }
    Some(ATTRIBUTES.contains(&tags.next()?.0))
}

/// The tags of a text, with what stands in them behind their names.
struct Tags<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Tags<'t> {
    type Item = (&'t str, &'t str);

    fn next(&mut self) -> Option<(&'t str, &'t str)> {
        loop {
            self.rest = &self.rest[self.rest.find('<')?..];
            let closing = match self.rest {
                comment if comment.starts_with("<!--") => "-->",
                instruction if instruction.starts_with("<?") => "?>",
                _ => ">",
            };
            let end = self.rest.find(closing)? + closing.len();
            let (tag, rest) = self.rest.split_at(end);
            self.rest = rest;
            if !tag.starts_with("<!") && !tag.starts_with("<?") {
                let inner = tag[1..].trim_end_matches(['>', '/']);
                let length = inner.find([' ', '\t', '\n', '\r']).unwrap_or(inner.len());
                return Some(inner.split_at(length));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_xes;

    #[test]
    fn xes_is_told_from_other_xml() {
        for (text, expected) in [
            ("<?xml version='1.0'?>\n<!-- a > b -->\n<log xes.version=\"1.0\">", Some(true)),
            ("<log xmlns=\"http://www.xes-standard.org/\">", Some(true)),
            ("<log>\n  <trace>", Some(true)),
            ("<log><extension name='Time'/>", Some(true)),
            ("<log><event><string key='concept:name' value='a'/>", Some(true)),
            ("<log><event><name>a</name>", Some(false)),
            ("<log></log>", Some(false)),
            ("<other>", Some(false)),
            ("{}", Some(false)),
            ("<?xml version='1.0'?>\n<log", None),
            ("<log><event>", None),
            ("<!-- <log>", None),
            ("<", None),
        ] {
            assert_eq!(is_xes(text), expected, "{text}");
        }
    }
}
