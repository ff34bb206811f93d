//! Patterns: which functions, variables and fields an entry is about.

/// `open`, `conn_*`, `open(path, flags)`, `conn->chunk`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// Of a field, what holds it: a variable of this name, or a structure.
    pub(crate) object: Option<String>,
    /// The name, in which `*` stands for anything.
    pub(crate) name: String,
    /// The names of parameters by their position; `_` is none.
    pub(crate) parameters: Option<Vec<String>>,
    /// Where it is in the mapping, in bytes.
    pub(crate) offset: usize,
}

impl Pattern {
    /// Reads a pattern that begins at this offset of the mapping; the error is an offset inside and what is wrong there.
    pub(crate) fn parse(text: &str, offset: usize) -> Result<Pattern, (usize, String)> {
        let (head, list) = match text.split_once('(') {
            Some((head, list)) => (head, Some(list)),
            None => (text, None),
        };
        let head = head.trim();
        let (object, name) = match head.rsplit_once("->").or_else(|| head.rsplit_once('.')) {
            Some((object, name)) => (Some(object.trim().to_owned()), name.trim()),
            None => (None, head),
        };
        let parts = object.iter().map(String::as_str).chain([name]);
        if let Some(wrong) = parts.into_iter().find(|part| !is_name(part)) {
            return Err((0, format!("`{wrong}` is no name of C")));
        }
        if object.iter().any(|object| object.contains('*')) {
            return Err((0, "`*` stands for letters of a function's name only".to_owned()));
        }
        let parameters = list.map(|list| parameters(list, text.len() - list.len())).transpose()?;
        Ok(Pattern { object, name: name.to_owned(), parameters, offset })
    }

    /// Whether the name has `*` in it.
    pub(crate) fn is_glob(&self) -> bool {
        self.name.contains('*')
    }

    /// Whether a name is meant.
    pub(crate) fn matches(&self, name: &str) -> bool {
        if !self.is_glob() {
            return self.name == name;
        }
        let mut parts = self.name.split('*');
        let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
        let mut parts: Vec<&str> = parts.collect();
        let last = parts.pop().unwrap_or("");
        for part in parts {
            match rest.find(part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        rest.ends_with(last)
    }
}

fn parameters(list: &str, start: usize) -> Result<Vec<String>, (usize, String)> {
    let Some(inside) = list.trim_end().strip_suffix(')') else {
        return Err((start, "expected `)` behind the parameters".to_owned()));
    };
    let mut names: Vec<String> = Vec::new();
    let mut at = start;
    for part in inside.split(',').filter(|_| !inside.trim().is_empty()) {
        let name = part.trim();
        if !is_name(name) || name.contains('*') {
            return Err((at, format!("`{name}` is no name for a parameter")));
        }
        if name != "_" && names.iter().any(|known| known == name) {
            return Err((at, format!("two parameters are called `{name}`")));
        }
        names.push(name.to_owned());
        at += part.len() + 1;
    }
    Ok(names)
}

fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$' | '*');
    letters.next().is_some_and(|first| is_letter(first) && !first.is_ascii_digit()) && letters.all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        let matches = |pattern: &str, name| Pattern::parse(pattern, 0).expect("a pattern").matches(name);
        assert!(
            matches("*", "f") && matches("conn_*", "conn_open") && matches("*_*_x", "a_b_x") && matches("a*a", "aba")
        );
        assert!(!matches("conn_*", "con_open") && !matches("a*a", "a") && !matches("f", "ff") && !matches("*x", "xy"));
    }

    #[test]
    fn parts_of_a_pattern() {
        let pattern = Pattern::parse("conn->chunk", 3).expect("a pattern");
        assert_eq!((pattern.object.as_deref(), &*pattern.name, pattern.parameters), (Some("conn"), "chunk", None));
        let pattern = Pattern::parse("open(path, _, mode )", 0).expect("a pattern");
        assert_eq!(pattern.parameters.expect("parameters"), ["path", "_", "mode"]);
        assert_eq!(Pattern::parse("f()", 0).expect("a pattern").parameters, Some(vec![]));
        for (text, at) in [("", 0), ("a b", 0), ("f(a", 2), ("f(a, a)", 4), ("f(1)", 2), ("*->x", 0), ("->x", 0)] {
            assert_eq!(Pattern::parse(text, 0).map_err(|(at, _)| at), Err(at), "{text}");
        }
    }
}
