//! All fields of a record, where a mapping does not say which it wants: every value that is no object or array, under its path.
//!
//! ```text
//!  {"user": {"name": "ann"}, "tags": ["a", "b"], "x.y": 1}     user.name=ann  tags[0]=a  tags[1]=b  /x.y=1
//! ```

use super::super::path::{push_index, push_key};
use super::extract::{another, key, open, scalar_span};
use crate::error::Fault;
use crate::format::decode::cursor::{Cursor, Read};
use crate::format::decode::draft::Span;

/// How deep objects and arrays may be within each other.
const DEEPEST: usize = 128;

/// The fields of a record.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    /// Where the name of each field ends in `names`, and its value.
    fields: Vec<(usize, Span)>,
    names: String,
    path: String,
}

impl Leaves {
    /// Finds all fields of the record at the cursor; texts with escapes go into the buffer.
    pub(super) fn find(&mut self, cursor: &mut Cursor<'_>, buffer: &mut String) -> Read<()> {
        self.fields.clear();
        self.names.clear();
        self.path.clear();
        self.value(cursor, buffer, 0)
    }

    /// The names and values found.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Span)> {
        let starts = std::iter::once(0).chain(self.fields.iter().map(|(end, _)| *end));
        starts.zip(&self.fields).map(|(start, (end, value))| (&self.names[start..*end], *value))
    }

    fn value(&mut self, cursor: &mut Cursor<'_>, buffer: &mut String, depth: usize) -> Read<()> {
        if depth > DEEPEST {
            return Err(Fault::new(cursor.at, format!("a record is nested more than {DEEPEST} deep"))
                .hint("name the fields that are needed with `args` in the mapping: then the others are not read")
                .into());
        }
        match cursor.need("a value")? {
            b'{' => self.object(cursor, buffer, depth),
            b'[' => self.array(cursor, buffer, depth),
            _ => {
                if let Some(value) = scalar_span(cursor, buffer)? {
                    self.names.push_str(&self.path);
                    self.fields.push((self.names.len(), value));
                }
                Ok(())
            }
        }
    }

    fn object(&mut self, cursor: &mut Cursor<'_>, buffer: &mut String, depth: usize) -> Read<()> {
        let mut more = open(cursor, b'}')?;
        while more {
            let before = self.path.clone();
            let name = key(cursor, buffer)?;
            push_key(&mut self.path, name.of(cursor.text, buffer));
            self.value(cursor, buffer, depth + 1)?;
            self.path = before;
            more = another(cursor, b'}')?;
        }
        Ok(())
    }

    fn array(&mut self, cursor: &mut Cursor<'_>, buffer: &mut String, depth: usize) -> Read<()> {
        let mut more = open(cursor, b']')?;
        let mut number = 0;
        while more {
            let before = self.path.clone();
            push_index(&mut self.path, number);
            self.value(cursor, buffer, depth + 1)?;
            self.path = before;
            number += 1;
            more = another(cursor, b']')?;
        }
        Ok(())
    }
}
