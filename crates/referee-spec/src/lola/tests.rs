use super::*;

fn compiled(text: &str) -> Program {
    let Compiled { properties, diagnostics } = compile(&Source::new("s.lola", text), &Options::default());
    properties.into_iter().next().unwrap_or_else(|| panic!("{text}\n{diagnostics:?}"))
}

fn codes(text: &str) -> Vec<&'static str> {
    compile(&Source::new("s.lola", text), &Options::default()).diagnostics.iter().map(|found| found.code).collect()
}

#[test]
fn types_are_inferred_through_circles() {
    let program =
        compiled("input x: Int\noutput s := s[-1, 0] + x / 2\noutput n := n[-1, 0] + 1\ntrigger s > 1 and n > 2");
    let types: Vec<_> = program.outputs.iter().map(|output| output.value_type.keyword()).collect();
    assert_eq!(types, ["float", "int"]);
}

#[test]
fn errors_have_their_codes() {
    for (text, code) in [
        ("input x: Int\ntrigger y > 1", "E0907"),
        ("input x: Int\ntrigger x", "E0910"),
        ("input x: String\ntrigger x > 1", "E0910"),
        ("input x: Int\ninput x: Int\ntrigger x > 1", "E0903"),
        ("input x\ntrigger x > 1", "E0904"),
        ("input x: Int\noutput s(p: Int) := x\ntrigger x > 1", "E0905"),
        ("input x: Int\noutput s(p: Int) spawn with x eval when x = p with 1\ntrigger s > 1", "E0909"),
        ("input x: Int\noutput a := b\noutput b := a + x\ntrigger a > 1", "E0914"),
        ("input x: Int\noutput a := a[1, 0] + x\ntrigger a > 1", "E0915"),
        ("input x: Int\noutput a := x.offset(by: -1)\ntrigger a > 1", "E0912"),
        ("input x: Int\ntrigger at end x > 1", "E0911"),
        ("input x: Int\noutput a := x", "E0916"),
        ("input x: Int\ntrigger x > 1 \"{x\"", "E0902"),
        ("input x: Int\nreport x to \"../x.csv\"\ntrigger x > 1", "E0906"),
        ("input x: Int\ntrigger x.aggregate(over: 5s) > 1", "E0913"),
        ("constant c := c\ninput x: Int\ntrigger x > 1", "E0907"),
        ("input x: Int\ntrigger x > 007", "E0901"),
        ("input x: Int\nconstant c := x\ntrigger x > 1", "E0908"),
    ] {
        assert_eq!(codes(text), [code], "{text}");
    }
}

#[test]
fn constant_conditions_and_visits_of_all_instances_are_warned_of_where_they_matter() {
    let per_file = |clause: &str| {
        format!("input open: Int, shut: Int\ntrigger (f: Int) spawn with open {clause} close when shut.get(or: 0) = f")
    };
    assert_eq!(codes(&per_file("eval when shut > 7 \"late\"")), ["L0901"]);
    assert_eq!(codes(&per_file("eval when shut = f and f > 7 \"late\"")), [""; 0]);
    assert_eq!(codes(&per_file("at end eval when true \"{f} is open\"")), [""; 0]);
    assert_eq!(codes("input x: Int\ntrigger 1 > 2\ntrigger true\ntrigger x > 1"), ["L0902"]);
}

#[test]
fn circles_are_drawn() {
    let text = "input x: Int\noutput a := b.hold(or: 0)\noutput b := a + x\ntrigger b > 1";
    let diagnostics = compile(&Source::new("s.lola", text), &Options::default()).diagnostics;
    assert_eq!(diagnostics[0].message, "`a` needs itself at the same step: a → b → a");
    assert_eq!(diagnostics[0].related.len(), 1);
}

#[test]
fn a_circle_with_a_future_offset_may_be_sound() {
    let program = compiled("input x: Int\noutput a := b[1, 0] + x\noutput b := a[-2, 0]\ntrigger a > 1");
    let delays = crate::core::stream::delays(&program).expect("no circle");
    assert_eq!((delays.streams, delays.triggers), (vec![0, 1, 0], vec![1]));
    assert_eq!(codes("input x: Int\noutput a := b[1, 0]\noutput b := a[-1, 0] + x\ntrigger a > 1"), ["E0914"]);
}

#[test]
fn the_layout_is_canonical_and_stable() {
    let text = "# speeds\ninput x,y:Int, z: Bool from 'a'\n";
    assert!(format(&Source::new("s.lola", text)).is_err());
    let text = "# speeds\ninput x,y:Int , z:Bool from close.\"1\"\n\nconst k:=-3*(2+1)\noutput s(p:Int) spawn with x when x>0 eval when x==p && !z with s(p).offset(by:-1).defaults(to:0)+1 close when y=p\ntrigger x>3||(y<2 -> z) \"x is {x}\"   // why\ntrigger (p:Int) spawn with x at end s(p).hold(or:0)>3 close when y=p\noutput m := x.aggregate(over: 10s, using: max).defaults(to: 0)\nreport x,y to \"a.csv\"\n";
    let once = format(&Source::new("s.lola", text)).expect("readable");
    let expected = "# speeds
input x: Int, y: Int, z: Bool from \"close\".\"1\"

constant k := -3 * (2 + 1)
output s(p: Int)
  spawn with x when x > 0
  eval when x = p and not z with s(p).offset(by: -1).defaults(to: 0) + 1
  close when y = p
// why
trigger x > 3 or (y < 2 -> z) \"x is {x}\"
trigger (p: Int)
  spawn with x
  at end eval when s(p).hold(or: 0) > 3
  close when y = p
output m := x.aggregate(over: 10s, using: max).defaults(to: 0)
report x, y to \"a.csv\"
";
    assert_eq!(once, expected);
    assert_eq!(format(&Source::new("s.lola", once.as_str())).expect("readable"), once);
}

#[test]
fn nothing_that_is_typed_breaks_the_compiler() {
    let text = "input x: Int, y: Bool\noutput s(p: Int): Int spawn with x when y eval when x = p with s(p).last(or: 0) + x[2, 1] close when y\ntrigger (q: Int) spawn with x s(q) > 3 \"m {s(q)} {{\"\nreport x to \"a.csv\"\n";
    for end in 0..=text.len() {
        compile(&Source::new("s.lola", &text[..end]), &Options::default());
        compile(&Source::new("s.lola", &text[end..]), &Options::default());
        let without = format!("{}{}", &text[..end], text.get(end + 1..).unwrap_or(""));
        compile(&Source::new("s.lola", without.as_str()), &Options::default());
    }
    compile(&Source::new("s.lola", "(".repeat(10_000).as_str()), &Options::default());
    compile(&Source::new("s.lola", format!("trigger {}x", "not ".repeat(10_000)).as_str()), &Options::default());
    compile(&Source::new("s.lola", format!("trigger x{}", ".a()".repeat(10_000)).as_str()), &Options::default());
}

#[test]
fn instances_are_reached_by_key() {
    use crate::core::stream::outline;
    let program = compiled(
        "input init: Int, run: Int\noutput s(p: Int) spawn with init eval when (init.get(or: 0) = p or run.get(or: 0) = p) and init.get(or: 1) > 0 with true close when run.get(or: 0) = p\ntrigger (p: Int) spawn with init not s(p) \"{p}\"",
    );
    let outline = outline(&program).expect("no circle").to_string();
    assert_eq!(
        outline,
        "s: streams
  input init: int
    memory: constant
  input run: int
    memory: constant
  output s(p): bool
    memory: one row per live p
    instances: found by key: init.get(or: 0), run.get(or: 0)
  trigger 1(p)
    memory: one row per p seen (nothing closes them)
    instances: found by key: those of s
"
    );
}

/// How the instances of the last stream of a program with inputs x and y are reached.
fn reached(text: &str) -> String {
    let program = compiled(&format!("input x: Int, y: Int\n{text}\n"));
    let outline = crate::core::stream::outline(&program).expect("no circle");
    outline.streams.into_iter().filter_map(|stream| stream.reached).next_back().expect("instances")
}

#[test]
fn instances_are_reached_by_as_much_of_the_key_as_is_known() {
    let one = |condition: &str| reached(&format!("trigger (p: Int) spawn with x eval when {condition}"));
    let two = |condition: &str| reached(&format!("trigger (p: Int, q: Int) spawn with (x, y) eval when {condition}"));
    assert_eq!(one("x = p and p < 0"), "found by key: x");
    assert_eq!(one("p < 0 and (x = p or y = p)"), "found by key: x, y");
    assert_eq!(one("p < 0"), "all visited at every event");
    assert_eq!(reached("trigger (p: Int) spawn with x at end eval when p < 0"), "all visited once, at the end");
    assert_eq!(two("x = p and y = q"), "found by key: (x, y)");
    assert_eq!(two("x = p"), "found by key: those with p = x");
    assert_eq!(two("x = q or y = p"), "found by key: those with q = x, those with p = y");
    assert_eq!(two("x = p and (y = q or x = q)"), "found by key: (x, y), (x, x)");
    let with = "output s(p: Int) spawn with x eval when x = p with p\n";
    let of = |condition| reached(&format!("{with}trigger (p: Int, q: Int) spawn with (x, y) eval when {condition}"));
    assert_eq!(of("s(q) > 3"), "found by key: those with the q of s");
    assert_eq!(of("s(q) > 3 and x = p and y = q"), "found by key: (x, y)");
}

/// What is not visited must not be able to divide by zero.
#[test]
fn a_division_before_an_equation_is_met_by_all_instances() {
    let of = |condition: &str| reached(&format!("trigger (p: Int) spawn with x eval when {condition}"));
    assert_eq!(of("1 / p > 0 and x = p"), "all visited at every event");
    assert_eq!(of("x = p and 1 / p > 0"), "found by key: x");
    assert_eq!(of("(1 / p > 0 and x = p) or y = p"), "all visited at every event");
    assert_eq!(of("x / y = p"), "all visited at every event");
    assert_eq!(of("x % 16 = p"), "found by key: x % 16");
}

#[test]
fn a_lint_names_what_is_missing_of_a_key() {
    let text =
        "input x: Int\noutput c(p: Int, q: Int) spawn with (x, x + 1) eval when x = p with p + q\ntrigger c(x, x) > 1";
    let diagnostics = compile(&Source::new("s.lola", text), &Options::default()).diagnostics;
    let messages: Vec<&str> = diagnostics.iter().map(|found| &*found.message).collect();
    assert_eq!(messages, ["nothing says which q this concerns: all live instances with this p are visited"]);
    assert_eq!(diagnostics[0].hint.as_deref(), Some("name the rest of the key: `… and x = q`"));
    let text = "input x: Int\ntrigger (p: Int, q: Int) spawn with (x, x) eval when x = p or x + 1 = q";
    let diagnostics = compile(&Source::new("s.lola", text), &Options::default()).diagnostics;
    let expected = "nothing says which p, q this concerns: all live instances with one of these parts are visited";
    assert_eq!(&*diagnostics[0].message, expected);
}

#[test]
fn what_is_wrong_with_an_argument_is_said_once() {
    let messages = |window: &str| -> Vec<String> {
        let text = format!("input x: Int\ntrigger x.aggregate({window}) > 3");
        let diagnostics = compile(&Source::new("s.lola", text.as_str()), &Options::default()).diagnostics;
        diagnostics.into_iter().map(|found| found.message.to_string()).collect()
    };
    assert_eq!(messages("over: 10s, using: nope"), ["there is no such aggregate"]);
    assert_eq!(messages("over: 10s, using: quantile"), ["a quantile has one rank"]);
    assert_eq!(messages("over: 10s, using: quantile(0.1, 0.2)"), ["a quantile has one rank"]);
    let rank = "a rank is a constant from 0 to 1 with at most 18 digits";
    assert_eq!(messages("over: 10s, using: quantile(95)"), [rank]);
    assert_eq!(messages("over: 10s, using: quantile(-0.1)"), [rank]);
    assert_eq!(messages("over: 10s, using: quantile(x)"), [rank]);
    assert_eq!(messages("over: 10s, using: p101"), ["this is not between 0 and 100 percent"]);
    assert_eq!(messages("over: 10s, using: sum(3)"), ["only `quantile` takes a rank"]);
    assert_eq!(messages("over: 10s, using: p95"), [""; 0]);
    assert_eq!(messages("over: 10s, using: quantile(0.95)"), [""; 0]);
    assert_eq!(messages("over: 0, using: sum"), ["a window needs a length of time above 0"]);
    assert_eq!(messages("over_discrete: 0, using: sum"), ["a window needs at least one value"]);
    assert_eq!(messages("over: 10s"), ["an aggregate says over what, and using what"]);
}

#[test]
fn two_reports_to_one_file_are_refused() {
    let text = "input x: Int, y: Int\nreport x to \"a.csv\"\nreport y to \"./a.csv\"\nreport y to \"b.csv\"";
    let diagnostics = compile(&Source::new("s.lola", text), &Options::default()).diagnostics;
    let found: Vec<(&str, &str)> = diagnostics.iter().map(|found| (found.code, &*found.message)).collect();
    assert_eq!(found, [("E0906", "another report goes to this file")]);
}
