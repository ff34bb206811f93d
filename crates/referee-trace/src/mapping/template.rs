//! Names built from fields: `{name}_{EventType}`.

/// A name with holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template(pub Vec<Part>);

/// A piece of a [`Template`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Text(Box<str>),
    /// `{name}`: the concrete name.
    Name,
    Field(Box<str>),
}

impl Template {
    /// The template that keeps the concrete name.
    pub(crate) fn unchanged() -> Template {
        Template(vec![Part::Name])
    }

    /// The fields in its holes.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Field(field) => Some(&**field),
            Part::Text(_) | Part::Name => None,
        })
    }

    /// Reads a template; the error is an offset and what is wrong there.
    pub(crate) fn parse(text: &str) -> Result<Template, (usize, String)> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut at = 0;
        while let Some(next) = text[at..].find(['{', '}']).map(|found| at + found) {
            literal.push_str(&text[at..next]);
            let (brace, rest) = text[next..].split_at(1);
            if rest.starts_with(brace) {
                literal.push_str(brace);
                at = next + 2;
                continue;
            }
            let field = match (brace, rest.split_once('}')) {
                ("{", Some((field, _))) if !field.is_empty() => field,
                ("{", _) => return Err((next, "expected a field and `}` after `{`".to_owned())),
                _ => return Err((next, "expected `{` before `}`; a brace itself is written `}}`".to_owned())),
            };
            if !literal.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut literal).into()));
            }
            parts.push(if field == "name" { Part::Name } else { Part::Field(field.into()) });
            at = next + field.len() + 2;
        }
        literal.push_str(&text[at..]);
        if !literal.is_empty() {
            parts.push(Part::Text(literal.into()));
        }
        match parts.is_empty() {
            true => Err((0, "an event needs a name".to_owned())),
            false => Ok(Template(parts)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Part {
        Part::Text(text.into())
    }

    #[test]
    fn holes_are_found() {
        let parts = |template| Template::parse(template).map(|template| template.0);
        assert_eq!(parts("a"), Ok(vec![text("a")]));
        assert_eq!(parts("{name}_{kind}"), Ok(vec![Part::Name, text("_"), Part::Field("kind".into())]));
        assert_eq!(parts("{{x}}{name}"), Ok(vec![text("{x}"), Part::Name]));
    }

    #[test]
    fn what_is_wrong_with_a_template() {
        for (template, offset) in [("", 0), ("a{", 1), ("é{}", 2), ("a}b", 1), ("{name", 0)] {
            assert_eq!(Template::parse(template).map_err(|(offset, _)| offset), Err(offset), "{template}");
        }
    }
}
