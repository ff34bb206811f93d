//! Names for what has none in a specification: of events, arguments and variables.

/// A text as a name of letters, digits and underscores, in small letters where it is not all one word.
pub(super) fn identifier(text: &str) -> String {
    let mut name = String::new();
    for letter in text.chars() {
        match letter {
            _ if letter.is_ascii_alphanumeric() => name.push(letter.to_ascii_lowercase()),
            _ if !name.ends_with('_') && !name.is_empty() => name.push('_'),
            _ => {}
        }
    }
    let name = name.trim_matches('_');
    match name.chars().next() {
        None => "value".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{name}"),
        Some(_) => name.to_owned(),
    }
}

/// Whether a specification can name an event so: letters of the alphabet, digits, underscores.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The last part of a path such as `user.name`.
pub(super) fn last_word(path: &str) -> &str {
    path.rsplit(['.', '/']).find(|part| !part.is_empty()).unwrap_or(path)
}

/// The parts of a name such as `session_opened` or `SessionOpened`, in small letters.
pub(super) fn parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut before_is_small = false;
    for letter in name.chars() {
        let starts = letter.is_ascii_uppercase() && before_is_small;
        if !letter.is_ascii_alphanumeric() {
            parts.push(String::new());
        } else if starts || parts.is_empty() {
            parts.push(letter.to_ascii_lowercase().to_string());
        } else if let Some(last) = parts.last_mut() {
            last.push(letter.to_ascii_lowercase());
        }
        before_is_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_names() {
        for (text, name) in
            [("Case ID", "case_id"), ("user.name", "user_name"), ("9x", "n9x"), ("é", "value"), ("a--b-", "a_b")]
        {
            assert_eq!(identifier(text), name);
        }
    }

    #[test]
    fn names_have_parts() {
        assert_eq!(parts("session_opened"), ["session", "opened"]);
        assert_eq!(parts("SessionOpened"), ["session", "opened"]);
        assert_eq!(parts("open"), ["open"]);
    }
}
