//! What the first lines of a text look like: what the formats ask when they recognise their texts.

/// How many bytes at the start of a text are looked at.
pub const HEAD: usize = 64 * 1024;

/// At most [`HEAD`] bytes of a text.
pub(crate) fn first(text: &str) -> &str {
    &text[..text.floor_char_boundary(HEAD)]
}

/// The text from the first line on that is neither blank nor a `#` comment.
pub(crate) fn skip_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with('#') {
        rest = rest.split_once('\n').map_or("", |(_, after)| after.trim_start());
    }
    rest
}

/// A line's first cell without quotes and outer blanks, and what follows its comma.
pub(crate) fn first_cell(line: &str) -> (&str, Option<&str>) {
    let line = line.trim();
    if let Some((cell, after)) = line.strip_prefix('"').and_then(|quoted| quoted.split_once('"')) {
        return (cell, after.split_once(',').map(|(_, rest)| rest));
    }
    match line.split_once(',') {
        Some((cell, rest)) => (cell.trim_end(), Some(rest)),
        None => (line, None),
    }
}

/// The lines that are not blank.
pub(crate) fn lines(head: &str) -> impl Iterator<Item = &str> {
    head.lines().filter(|line| !line.trim().is_empty())
}

/// The name of the field that a line of blocks gives, if it looks like one.
pub(crate) fn field_of(line: &str) -> Option<&str> {
    let (field, _) = line.split_once('=')?;
    let field = field.trim();
    (!field.is_empty() && !field.contains([',', '(', '"'])).then_some(field)
}
