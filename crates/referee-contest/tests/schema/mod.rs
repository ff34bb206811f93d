//! As much of JSON Schema as our schemas use.

use serde_json::Value;

/// What is wrong with a value, if anything.
pub(crate) fn violations(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    Checker { root: schema, found: &mut found }.check(schema, value, "$");
    found
}

struct Checker<'a> {
    root: &'a Value,
    found: &'a mut Vec<String>,
}

impl Checker<'_> {
    fn check(&mut self, schema: &Value, value: &Value, at: &str) {
        for (keyword, argument) in schema.as_object().expect("a schema is an object") {
            let fits = match keyword.as_str() {
                "type" => is_of_type(argument, value),
                "const" => value == argument,
                "enum" => argument.as_array().expect("a list").contains(value),
                "required" => has_all(argument, value),
                "minimum" => value.as_f64().is_none_or(|number| number >= argument.as_f64().expect("a number")),
                "minLength" => {
                    value.as_str().is_none_or(|text| text.len() as u64 >= argument.as_u64().expect("a length"))
                }
                "minItems" => {
                    value.as_array().is_none_or(|list| list.len() as u64 >= argument.as_u64().expect("a length"))
                }
                "pattern" => value.as_str().is_none_or(|text| is_hash(text, argument)),
                "oneOf" => self.alternatives(argument, value) == 1,
                // One look at the members serves both keywords.
                "properties" if !schema["additionalProperties"].is_null() => true,
                "properties" | "additionalProperties" => {
                    self.members(schema, value, at);
                    true
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.check(argument, item, &format!("{at}[{index}]"));
                    }
                    true
                }
                "$ref" => {
                    let name = argument.as_str().and_then(|path| path.strip_prefix("#/$defs/")).expect("a definition");
                    self.check(&self.root["$defs"][name], value, at);
                    true
                }
                "$schema" | "$id" | "title" | "description" | "default" | "$defs" => true,
                other => panic!("the keyword {other} is not known here"),
            };
            if !fits {
                self.found.push(format!("{at}: {keyword} {argument}"));
            }
        }
    }

    fn alternatives(&self, schemas: &Value, value: &Value) -> usize {
        let fitting = |schema: &&Value| {
            let mut found = Vec::new();
            Checker { root: self.root, found: &mut found }.check(schema, value, "$");
            found.is_empty()
        };
        schemas.as_array().expect("a list").iter().filter(fitting).count()
    }

    fn members(&mut self, schema: &Value, value: &Value, at: &str) {
        for (name, member) in value.as_object().into_iter().flatten() {
            let at = format!("{at}.{name}");
            match (&schema["properties"][name], &schema["additionalProperties"]) {
                (Value::Null, Value::Bool(false)) => self.found.push(format!("{at}: unknown")),
                (Value::Null, Value::Null | Value::Bool(true)) => {}
                (Value::Null, other) => self.check(other, member, &at),
                (known, _) => self.check(known, member, &at),
            }
        }
    }
}

fn is_of_type(expected: &Value, value: &Value) -> bool {
    if let Some(list) = expected.as_array() {
        return list.iter().any(|one| is_of_type(one, value));
    }
    match expected.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the type {other} is not known here"),
    }
}

fn has_all(names: &Value, value: &Value) -> bool {
    let mut names = names.as_array().expect("a list").iter().filter_map(Value::as_str);
    value.as_object().is_none_or(|object| names.all(|name| object.contains_key(name)))
}

/// The only pattern in use is that of a hash.
fn is_hash(text: &str, pattern: &Value) -> bool {
    assert_eq!(pattern.as_str(), Some("^[0-9a-f]{64}$"));
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
