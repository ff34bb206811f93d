//! The published schemas against the types that documents are read into and scores are written from.
//!
//! ```text
//!   schema ─▶ SchemaReader ─▶ serde asks for a struct with fields, an enum with variants …
//!                                └─ are these the fields and the values that the schema lists at this place?
//! ```
//!
//! serde tells a deserializer which fields and variants a type has. The one here answers from the schema, so every field
//! and every name of the program is compared with the published ones, and none can be added on one side alone.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use referee_trace::format::Format;
use serde::Deserialize;
use serde::de::value::{Error, MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde_json::Value;

use super::LANGUAGES;
use super::document::Benchmark;
use crate::score::Outcome;

fn published(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas").join(name);
    serde_json::from_str(&fs::read_to_string(path).expect("the schema is there")).expect("it is JSON")
}

/// What a walk over a schema finds.
#[derive(Default)]
struct Walk {
    /// Where schema and type disagree.
    differences: RefCell<Vec<String>>,
    /// Every property by its path, and whether it is required.
    properties: RefCell<Vec<(String, bool)>>,
    /// The paths of lists of values that a type has been compared with.
    compared: RefCell<BTreeSet<String>>,
    /// A property that is left out of the document.
    left_out: Option<String>,
}

impl Walk {
    fn differ(&self, path: &str, of_type: &[&str], of_schema: &[String]) {
        let difference = format!("{path}: the program has {of_type:?}, the schema {of_schema:?}");
        self.differences.borrow_mut().push(difference);
    }
}

/// A document that has whatever the schema lists.
#[derive(Clone)]
struct SchemaReader<'s> {
    root: &'s Value,
    schema: &'s Value,
    path: String,
    walk: &'s Walk,
}

impl<'s> SchemaReader<'s> {
    fn new(root: &'s Value, pointer: &str, walk: &'s Walk) -> SchemaReader<'s> {
        let schema = root.pointer(pointer).expect("a part of the schema");
        SchemaReader { root, schema, path: pointer.to_owned(), walk }.resolved()
    }

    /// The definition that a reference names.
    fn resolved(self) -> SchemaReader<'s> {
        match self.schema["$ref"].as_str().and_then(|target| target.strip_prefix('#')) {
            Some(target) => SchemaReader { schema: self.root.pointer(target).expect("a definition"), ..self },
            None => self,
        }
    }

    fn below(&self, key: &str, schema: &'s Value) -> SchemaReader<'s> {
        SchemaReader { schema, path: format!("{}/{key}", self.path), ..self.clone() }.resolved()
    }

    fn allowed(&self) -> Vec<String> {
        let values = self.schema["enum"].as_array().map(Vec::as_slice).unwrap_or_default();
        values.iter().map(|value| value.as_str().expect("a text").to_owned()).collect()
    }

    fn members(&self) -> Vec<(String, SchemaReader<'s>)> {
        let properties = self.schema["properties"].as_object().expect("an object with properties");
        let required =
            |name: &str| self.schema["required"].as_array().is_some_and(|all| all.iter().any(|own| own == name));
        let mut members = Vec::new();
        for (name, schema) in properties {
            let member = self.below(name, schema);
            self.walk.properties.borrow_mut().push((member.path.clone(), required(name)));
            if self.walk.left_out.as_ref() != Some(&member.path) {
                members.push((name.clone(), member));
            }
        }
        members
    }
}

impl<'s> IntoDeserializer<'s> for SchemaReader<'s> {
    type Deserializer = SchemaReader<'s>;

    fn into_deserializer(self) -> SchemaReader<'s> {
        self
    }
}

impl<'s> Deserializer<'s> for SchemaReader<'s> {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'s>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let members = self.members();
        let properties = self.schema["properties"].as_object().expect("properties").keys().cloned().collect::<Vec<_>>();
        let same = fields.iter().map(|field| (*field).to_owned()).collect::<BTreeSet<_>>()
            == properties.iter().cloned().collect::<BTreeSet<_>>();
        if !same || self.schema["additionalProperties"] != false {
            self.walk.differ(&self.path, fields, &properties);
        }
        visitor.visit_map(MapDeserializer::new(members.into_iter()))
    }

    fn deserialize_enum<V: Visitor<'s>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let allowed = self.allowed();
        if allowed != variants {
            self.walk.differ(&self.path, variants, &allowed);
        }
        self.walk.compared.borrow_mut().insert(self.path);
        let first: StrDeserializer<'_, Error> = variants[0].into_deserializer();
        visitor.visit_enum(first)
    }

    fn deserialize_option<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Error> {
        let item = self.below("items", &self.schema["items"]);
        visitor.visit_seq(SeqDeserializer::new([item].into_iter()))
    }

    fn deserialize_map<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.below("additionalProperties", &self.schema["additionalProperties"]);
        visitor.visit_map(MapDeserializer::new([("key", value)].into_iter()))
    }

    /// Asked for where a type takes several kinds of values.
    fn deserialize_any<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(true)
    }

    fn deserialize_bool<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(true)
    }

    fn deserialize_u32<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u32(1)
    }

    fn deserialize_u64<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64(1)
    }

    fn deserialize_f64<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(1.0)
    }

    fn deserialize_string<V: Visitor<'s>>(self, visitor: V) -> Result<V::Value, Error> {
        let names: Vec<&str> = match self.path.rsplit('/').next() {
            Some("language") => LANGUAGES.to_vec(),
            Some("format") => Format::ALL.iter().map(|format| format.name()).collect(),
            _ => Vec::new(),
        };
        let allowed = self.allowed();
        if allowed != names {
            self.walk.differ(&self.path, &names, &allowed);
        }
        if !names.is_empty() {
            self.walk.compared.borrow_mut().insert(self.path.clone());
        }
        visitor.visit_string(allowed.into_iter().next().unwrap_or_default())
    }

    serde::forward_to_deserialize_any! {
        <V: Visitor<'s>>
        i8 i16 i32 i64 u8 u16 f32 char str bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct identifier
        ignored_any
    }
}

/// How many lists of values a schema has, where each reference counts once.
fn lists(schema: &Value) -> usize {
    match schema {
        Value::Object(members) => {
            usize::from(members.get("enum").is_some_and(Value::is_array)) + members.values().map(lists).sum::<usize>()
        }
        Value::Array(items) => items.iter().map(lists).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

#[test]
fn packages_have_the_fields_and_values_of_their_schema() {
    let (schema, walk) = (published("benchmark.schema.json"), Walk::default());
    let read = Benchmark::deserialize(SchemaReader::new(&schema, "", &walk));
    assert_eq!(walk.differences.take(), Vec::<String>::new());
    assert!(read.is_ok(), "{read:?}");
    // The trace and the verdict of `further` are those of the package itself: their lists are compared twice.
    let compared = walk.compared.take().into_iter().filter(|path| !path.starts_with("/further")).count();
    assert_eq!(compared, lists(&schema), "every list of the schema is one of the program's");
}

#[test]
fn packages_lack_what_their_schema_does_not_require() {
    let (schema, all) = (published("benchmark.schema.json"), Walk::default());
    Benchmark::deserialize(SchemaReader::new(&schema, "", &all)).expect("a whole document");
    let properties = all.properties.take();
    assert!(properties.len() > 70, "the walk sees all properties");
    for (path, required) in properties {
        let walk = Walk { left_out: Some(path.clone()), ..Walk::default() };
        let read = Benchmark::deserialize(SchemaReader::new(&schema, "", &walk));
        assert_eq!(read.is_err(), required, "{path}: {:?}", read.err());
    }
}

#[test]
fn scores_have_the_outcomes_of_their_schema() {
    let (schema, walk) = (published("scores.schema.json"), Walk::default());
    let read = Outcome::deserialize(SchemaReader::new(&schema, "/$defs/cell/properties/outcome", &walk));
    assert_eq!((read, walk.differences.take()), (Ok(Outcome::NotEntered), Vec::new()));
    assert_eq!(lists(&schema), 1, "a list of the schema that nothing is compared with");
}

/// The walk itself finds a drift, on either side.
#[test]
fn a_schema_that_drifted_is_found() {
    let drifted = [
        ("/properties/track/enum", serde_json::json!(["offline", "java"]), "/track:"),
        ("/properties/property/properties/colour", serde_json::json!({ "type": "string" }), "/property:"),
    ];
    for (path, value, place) in drifted {
        let mut schema = published("benchmark.schema.json");
        let (parent, key) = path.rsplit_once('/').expect("a path");
        schema.pointer_mut(parent).expect("a parent")[key] = value;
        let walk = Walk::default();
        let _ = Benchmark::deserialize(SchemaReader::new(&schema, "", &walk));
        let found = walk.differences.take();
        assert!(found.iter().any(|difference| difference.starts_with(place)), "{place} {found:?}");
    }
}
