use super::*;
use crate::event::{Argument, Event, EventShape, EventSink};
use crate::raw::ShapeId;
use crate::value::Type;

fn parsed(text: &str) -> Signature {
    Signature::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn declarations_are_read_and_printed() {
    let text =
        "# bank\nlogin(string) + tick()\nwithdraw(user:string,amount : int) # more\n\"a b\"(\"x,y\": float,z:bool)";
    let printed = "login(string)\ntick()\nwithdraw(user: string, amount: int)\n\"a b\"(\"x,y\": float, z: bool)\n";
    assert_eq!(parsed(text).to_string(), printed);
    assert_eq!(parsed(printed), parsed(text));
    assert_eq!(parsed("").declarations(), []);
}

#[test]
fn events_are_found_by_name() {
    let signature = parsed("p(int, y: float) q()");
    let p = signature.get("p").expect("p is declared");
    let shown: Vec<_> = p.arguments.iter().map(|argument| (&*argument.name, argument.declared)).collect();
    assert_eq!(shown, [("1", Some(Type::Integer)), ("y", Some(Type::Decimal))]);
    assert_eq!(signature.get("r"), None);
}

#[test]
fn faults_have_a_place() {
    for (text, line, column, message) in [
        ("p", 1, 2, "expected `(`, found the end of the text"),
        ("p(int)\n  q(", 2, 5, "expected a type, or a name and a type, found the end of the text"),
        ("p(int\n,integr)", 2, 2, "expected a type, found `integr`"),
        ("é(x: int y)", 1, 10, "expected `,` or `)`, found `y`"),
        ("p(x:)", 1, 5, "expected a type, found `)`"),
        ("p(int) q() p()", 1, 12, "the event `p` is declared twice"),
        ("p(x: int, x: int)", 1, 11, "the argument `x` is declared twice"),
        ("p(int))", 1, 7, "expected an event's name, found `)`"),
        ("\"p", 1, 3, "expected `\"` at the end of a name in quotes, found the end of the text"),
    ] {
        let error = Signature::parse(text).expect_err(text);
        assert_eq!((error.line, error.column, &*error.message), (Some(line), Some(column), message), "{text}");
        assert!(error.hint.is_some(), "{text}");
    }
}

fn shape(name: &str, arguments: &[&str], declared: Option<Type>) -> EventShape {
    let arguments: std::sync::Arc<[Argument]> =
        arguments.iter().map(|&name| Argument { name: name.into(), declared }).collect();
    EventShape { name: name.into(), positional: arguments.len(), arguments }
}

fn see(inference: &mut Inference, shape: u32, arguments: &[&str]) {
    let event = Event { shape: ShapeId(shape), arguments, number: 1, offset: 0 };
    inference.event(event).expect("inference takes every event");
}

#[test]
fn types_are_joined() {
    let mut inference = Inference::default();
    inference.shape(ShapeId(0), &shape("a", &["1", "2", "3", "4"], None));
    inference.shape(ShapeId(1), &shape("b", &["x"], Some(Type::String)));
    inference.shape(ShapeId(2), &shape("a", &["1", "5"], None));
    see(&mut inference, 0, &["1", "2.5", "true", "7"]);
    see(&mut inference, 0, &["2", "3", "false", "true"]);
    see(&mut inference, 1, &["7"]);
    see(&mut inference, 2, &["0.5", "x"]);
    assert_eq!(inference.signature().to_string(), "a(float, float, bool, string, string)\nb(x: string)\n");
}

#[test]
fn numerals_are_canonical() {
    assert!(are_numerals(["1", "2"]));
    assert!(are_numerals([]));
    assert!(!are_numerals(["2", "1"]));
    assert!(!are_numerals(["01"]));
    assert!(!are_numerals(["+1"]));
}
