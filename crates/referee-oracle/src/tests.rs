//! Cases worked out by hand, one group per construct.

use referee_spec::core::builder::*;
use referee_spec::core::*;
use referee_trace::number::Number;
use referee_trace::owned::{OwnedArgument, OwnedEvent, OwnedPoint, OwnedTrace};
use referee_trace::value::Value;

use crate::{Known, Meaning, Mode, Truth, evaluate, judge};

/// A trace without time: points separated by blanks, events of a point by `;`, arguments in parentheses.
fn trace(text: &str) -> OwnedTrace {
    OwnedTrace {
        points: text.split_whitespace().map(|point| OwnedPoint { time: None, events: events(point) }).collect(),
    }
}

/// The same with `time@` before each point.
fn timed(text: &str) -> OwnedTrace {
    let point = |text: &str| {
        let (time, point) = text.split_once('@').expect("a time before each point");
        OwnedPoint { time: Number::parse(time), events: events(point) }
    };
    OwnedTrace { points: text.split_whitespace().map(point).collect() }
}

/// `-` stands for a point without events.
fn events(point: &str) -> Vec<OwnedEvent> {
    let event = |text: &str| match text.trim_end_matches(')').split_once('(') {
        Some((name, arguments)) => OwnedEvent::positional(name, &arguments.split(',').collect::<Vec<_>>()),
        None => OwnedEvent::positional(text, &[]),
    };
    point.split(';').filter(|&text| text != "-" && !text.is_empty()).map(event).collect()
}

fn plain(judgement: Judgement) -> PropertyBuilder {
    PropertyBuilder::new(Language::Mfotl, judgement)
}

fn p() -> Formula {
    any_event("p")
}

fn q() -> Formula {
    any_event("q")
}

/// The truth at every point once the trace has ended: `1` or `0`.
fn truths(formula: &Formula, trace: &OwnedTrace) -> String {
    let property = plain(Judgement::EveryPoint).build(formula.clone());
    let truth = |point| match evaluate(&property, trace, formula, point, &[], Known::End) {
        Truth::True => '1',
        Truth::False => '0',
        open => panic!("{open:?} at {point}"),
    };
    (1..=trace.points.len().max(1)).map(truth).collect()
}

/// The truth at the first point after each point and at the end: `1`, `0`, `?` or `!`.
fn history(formula: &Formula, trace: &OwnedTrace) -> String {
    let property = plain(Judgement::EveryPoint).build(formula.clone());
    let stages = (1..=trace.points.len()).map(Known::UpTo).chain([Known::End]);
    let truth = |known| match evaluate(&property, trace, formula, 1, &[], known) {
        Truth::True => '1',
        Truth::False => '0',
        Truth::Unknown => '?',
        Truth::Undecidable(_) => '!',
    };
    stages.map(truth).collect()
}

/// Violations as `point decided (bindings)`, where `end` and `*` stand for nothing.
fn violations(outcome: &Outcome) -> Vec<String> {
    let show = |violation: &Violation| {
        let decided = violation.decided.map_or("end".to_string(), |point| point.to_string());
        let value = |value: &Option<Value>| value.as_ref().map_or("*".to_string(), Value::to_string);
        let bindings: Vec<String> = violation.bindings.iter().map(value).collect();
        format!("{} {decided} ({})", violation.point, bindings.join(","))
    };
    outcome.violations.iter().map(show).collect()
}

#[test]
fn connectives() {
    let trace = trace("p;q p q -");
    assert_eq!(truths(&not(p()), &trace), "0011");
    assert_eq!(truths(&and([p(), q()]), &trace), "1000");
    assert_eq!(truths(&or([p(), q()]), &trace), "1110");
    assert_eq!(truths(&implies(p(), q()), &trace), "1011");
    assert_eq!(truths(&iff(p(), q()), &trace), "1001");
    assert_eq!(truths(&and([]), &trace), "1111");
    assert_eq!(truths(&or([]), &trace), "0000");
}

#[test]
fn unary_operators_without_bounds() {
    let trace = trace("- p - p -");
    for (op, expected) in [
        (UnaryOp::Prev, "00101"),
        (UnaryOp::WeakPrev, "10101"),
        (UnaryOp::Next, "10100"),
        (UnaryOp::WeakNext, "10101"),
        (UnaryOp::Once, "01111"),
        (UnaryOp::Historically, "00000"),
        (UnaryOp::Eventually, "11110"),
        (UnaryOp::Always, "00000"),
    ] {
        assert_eq!(truths(&unary(op, p()), &trace), expected, "{op:?}");
    }
    assert_eq!(truths(&unary(UnaryOp::Historically, not(p())), &trace), "10000");
    assert_eq!(truths(&unary(UnaryOp::Always, not(p())), &trace), "00001");
}

#[test]
fn binary_operators_without_bounds() {
    let trace = trace("p p q p -");
    for (op, expected) in [
        (BinaryOp::Since, "00110"),
        (BinaryOp::StrictSince, "00010"),
        (BinaryOp::WeakSince, "11110"),
        (BinaryOp::Until, "11100"),
        (BinaryOp::WeakUntil, "11100"),
    ] {
        assert_eq!(truths(&binary(p(), op, q()), &trace), expected, "{op:?}");
    }
    // q holds back to a point with p and q, or to the first.
    let trace = self::trace("q q;p q - q");
    assert_eq!(truths(&binary(p(), BinaryOp::Trigger, q()), &trace), "11100");
    assert_eq!(truths(&binary(p(), BinaryOp::Release, q()), &trace), "11001");
    let trace = self::trace("p p");
    assert_eq!(truths(&binary(p(), BinaryOp::WeakUntil, q()), &trace), "11");
    assert_eq!(truths(&binary(p(), BinaryOp::Until, q()), &trace), "00");
}

#[test]
fn bounds_are_hit_exactly() {
    let trace = timed("0@p 2@- 3@- 3@- 4@-");
    let once = |interval| truths(&unary_within(UnaryOp::Once, interval, p()), &trace);
    assert_eq!(once(closed(2, 3)), "01110");
    assert_eq!(once(half_open(2, 3)), "01000");
    assert_eq!(once(more_than(2)), "00111");
    assert_eq!(once(at_least(3)), "00111");
    assert_eq!(once(closed(0, 0)), "10000");
    let trace = timed("0@- 1@- 1@- 3@p");
    let eventually = |interval| truths(&unary_within(UnaryOp::Eventually, interval, p()), &trace);
    assert_eq!(eventually(closed(0, 2)), "0111");
    assert_eq!(eventually(half_open(0, 2)), "0001");
    assert_eq!(eventually(closed(3, 3)), "1000");
    let next = |op, interval| truths(&unary_within(op, interval, constant(true)), &trace);
    assert_eq!(next(UnaryOp::Next, closed(0, 1)), "1100");
    assert_eq!(truths(&unary_within(UnaryOp::WeakNext, closed(0, 1), constant(false)), &trace), "0011");
    assert_eq!(next(UnaryOp::Prev, closed(1, 1)), "0100");
    assert_eq!(truths(&unary_within(UnaryOp::WeakPrev, closed(1, 1), constant(false)), &trace), "1011");
    // The left side of since is needed outside the interval too.
    let trace = timed("0@q 1@p 2@- 3@p");
    assert_eq!(truths(&binary_within(p(), BinaryOp::Since, closed(1, 3), q()), &trace), "0100");
    let trace = timed("0@p 1@- 1@p;q 2@q");
    assert_eq!(truths(&binary_within(p(), BinaryOp::Until, closed(1, 1), q()), &trace), "0010");
    let weak = binary_within(p(), BinaryOp::WeakUntil, closed(5, 9), q());
    assert_eq!(truths(&weak, &trace), "1111", "no point lies in the interval");
}

#[test]
fn weak_operators_hold_on_the_empty_trace() {
    let empty = OwnedTrace::default();
    for (op, expected) in [
        (UnaryOp::Prev, "0"),
        (UnaryOp::WeakPrev, "1"),
        (UnaryOp::Next, "0"),
        (UnaryOp::WeakNext, "1"),
        (UnaryOp::Once, "0"),
        (UnaryOp::Historically, "1"),
        (UnaryOp::Eventually, "0"),
        (UnaryOp::Always, "1"),
    ] {
        assert_eq!(truths(&unary(op, p()), &empty), expected, "{op:?}");
        assert_eq!(truths(&unary(op, not(p())), &empty), expected, "{op:?}");
    }
    let once = plain(Judgement::Once).build(eventually(p()));
    assert_eq!(violations(&judge(&once, &empty, Mode::Complete)), ["0 end ()"]);
    assert_eq!(judge(&once, &empty, Mode::Prefix).pending, 1);
    let every = plain(Judgement::EveryPoint).build(constant(false));
    assert_eq!(judge(&every, &empty, Mode::Complete).status, Status::Satisfied);
    assert_eq!(judge(&every, &empty, Mode::Prefix).pending, 0);
}

#[test]
fn what_decides_and_when() {
    let trace = trace("- p - q -");
    assert_eq!(history(&eventually(p()), &trace), "?11111");
    assert_eq!(history(&always(not(p())), &trace), "?00000");
    assert_eq!(history(&eventually(any_event("r")), &trace), "?????0");
    assert_eq!(history(&always(constant(true)), &trace), "?????1");
    assert_eq!(history(&unary(UnaryOp::Next, p()), &trace), "?11111");
    assert_eq!(history(&binary(not(p()), BinaryOp::Until, q()), &trace), "?00000");
    assert_eq!(history(&binary(p(), BinaryOp::Until, q()), &trace), "000000");
    assert_eq!(history(&binary(q(), BinaryOp::Release, not(q())), &trace), "???000");
    assert_eq!(history(&unary(UnaryOp::WeakNext, p()), &self::trace("-")), "?1");
}

#[test]
fn a_bounded_obligation_is_decided_by_its_deadline() {
    let formula = unary_within(UnaryOp::Eventually, closed(0, 3), p());
    assert_eq!(history(&formula, &timed("0@- 3@- 3@- 4@p")), "???00");
    let formula = unary_within(UnaryOp::Eventually, half_open(0, 3), p());
    assert_eq!(history(&formula, &timed("0@- 2@- 3@p")), "??00");
    let formula = unary_within(UnaryOp::Always, closed(0, 3), not(p()));
    assert_eq!(history(&formula, &timed("0@- 3@- 9@p")), "??11");
    let formula = unary_within(UnaryOp::Next, half_open(0, 0), p());
    assert_eq!(history(&formula, &timed("0@- 0@p")), "000");
}

#[test]
fn responses_are_violations_at_the_request_and_decided_by_the_end() {
    let body = implies(p(), eventually(q()));
    let trace = trace("p q p -");
    let every = plain(Judgement::EveryBinding).build(body.clone());
    assert_eq!(violations(&judge(&every, &trace, Mode::Complete)), ["3 end ()"]);
    let prefix = judge(&every, &trace, Mode::Prefix);
    assert_eq!((prefix.status, prefix.pending, prefix.violations.len()), (Status::Satisfied, 1, 0));
    let once = plain(Judgement::Once).build(always(body));
    assert_eq!(violations(&judge(&once, &trace, Mode::Complete)), ["4 end ()"]);
    let safety = plain(Judgement::Once).build(always(implies(p(), unary(UnaryOp::WeakNext, q()))));
    assert_eq!(violations(&judge(&safety, &trace, Mode::Complete)), ["4 4 ()"]);
    assert_eq!(violations(&judge(&safety, &trace, Mode::Prefix)), ["4 4 ()"]);
}

#[test]
fn a_bounded_response_is_reported_at_its_point_however_late_it_is_decided() {
    let mut property = plain(Judgement::EveryBinding);
    let x = property.binding("x");
    let response = unary_within(UnaryOp::Eventually, closed(0, 2), event("q", [var(x)]));
    let property = property.build(implies(event("p", [var(x)]), response));
    let trace = timed("0@p(1);p(2) 1@q(2) 2@p(3) 3@-");
    assert_eq!(violations(&judge(&property, &trace, Mode::Complete)), ["1 4 (1)", "3 end (3)"]);
    let prefix = judge(&property, &trace, Mode::Prefix);
    assert_eq!(violations(&prefix), ["1 4 (1)"]);
    assert_eq!(prefix.pending, 1);
}

#[test]
fn values_that_nobody_named() {
    let mut property = plain(Judgement::EveryPoint);
    let x = property.variable("x");
    let some_without = exists(x, not(event("q", [var(x)])));
    let all_have = forall(x, event("q", [var(x)]));
    assert_eq!(judge(&property.build(some_without), &trace("q(1);q(2)"), Mode::Complete).status, Status::Satisfied);
    assert_eq!(violations(&judge(&property.build(all_have), &trace("q(1);q(2)"), Mode::Complete)), ["1 1 ()"]);
}

#[test]
fn unnamed_values_differ_from_each_other() {
    let mut property = plain(Judgement::EveryBinding);
    let (x, y) = (property.binding("x"), property.binding("y"));
    let same = property.build(equal(var(x), var(y)));
    assert_eq!(violations(&judge(&same, &trace("-"), Mode::Complete)), ["1 1 (*,*)"]);
    let other = property.build(compare(var(x), Comparison::NotEqual, var(y)));
    assert_eq!(violations(&judge(&other, &trace("-"), Mode::Complete)), ["1 1 (*,*)"]);
    let seen = property.build(implies(and([event("p", [var(x)]), event("p", [var(y)])]), equal(var(x), var(y))));
    assert_eq!(
        violations(&judge(&seen, &trace("p(a);p(b)"), Mode::Complete)),
        ["1 1 (a,b)", "1 1 (b,a)"],
        "every pair of different values"
    );
}

#[test]
fn three_inner_variables_take_three_unnamed_values() {
    let mut property = plain(Judgement::EveryPoint);
    let (x, y, z) = (property.variable("x"), property.variable("y"), property.variable("z"));
    let differ = |a, b| compare(var(a), Comparison::NotEqual, var(b));
    let body = exists(x, exists(y, exists(z, and([differ(x, y), differ(y, z), differ(x, z)]))));
    assert_eq!(judge(&property.build(body), &trace("-"), Mode::Complete).status, Status::Satisfied);
}

#[test]
fn a_decided_row_covers_values_named_later() {
    let mut property = plain(Judgement::EveryBinding);
    let x = property.binding("x");
    // At point 1 every value but 1 fails at once, among them 2, which is named only at point 2.
    let body = or([event("p", [var(x)]), not(any_event("s"))]);
    let early = property.build(body);
    assert_eq!(violations(&judge(&early, &trace("s;p(1) p(2)"), Mode::Complete)), ["1 1 (*)"]);
    // Decided by the point that names 2, and by the end, 2 is a row of its own.
    let late = property.build(implies(any_event("s"), unary(UnaryOp::Next, event("p", [var(x)]))));
    assert_eq!(violations(&judge(&late, &trace("s;p(1) p(2)"), Mode::Complete)), ["1 2 (*)", "1 2 (1)"]);
    let end = property.build(implies(any_event("s"), eventually(event("r", [var(x)]))));
    assert_eq!(violations(&judge(&end, &trace("s r(1) p(2);r(2)"), Mode::Complete)), ["1 end (*)"]);
    assert_eq!(judge(&end, &trace("s r(1)"), Mode::Prefix).pending, 1);
}

#[test]
fn trace_domains() {
    let mut property = PropertyBuilder::new(Language::Foltl, Judgement::Once);
    let sort = property.sort("s", [argument("p", 1, 0)]);
    let x = property.binding_over("x", Domain::Trace(sort));
    let y = property.variable_over("y", Domain::Trace(sort));
    let responded = property.build(eventually(event("q", [var(x)])));
    assert_eq!(violations(&judge(&responded, &trace("p(1) p(2) q(1)"), Mode::Complete)), ["3 end (2)"]);
    assert_eq!(judge(&responded, &trace("p(1) p(2) q(1)"), Mode::Prefix).pending, 1);
    assert_eq!(judge(&responded, &trace("q(1)"), Mode::Complete).status, Status::Satisfied, "no values, none fails");
    // A value that comes late makes a formula false that was false of it before, when it comes.
    let at_once = property.build(event("p", [var(x)]));
    assert_eq!(violations(&judge(&at_once, &trace("p(1) - p(2)"), Mode::Complete)), ["3 3 (2)"]);
    let evaluated = |formula: &Formula, text: &str| {
        let known = [Known::UpTo(1), Known::UpTo(2), Known::End];
        known.map(|known| evaluate(&at_once, &trace(text), formula, 1, &[], known))
    };
    let some = exists(y, event("p", [var(y)]));
    let all = forall(y, event("p", [var(y)]));
    assert_eq!(evaluated(&some, "p(1) -"), [Truth::True, Truth::True, Truth::True]);
    assert_eq!(evaluated(&some, "- p(1)"), [Truth::Unknown, Truth::Unknown, Truth::False]);
    assert_eq!(evaluated(&all, "p(1) -"), [Truth::Unknown, Truth::Unknown, Truth::True]);
    assert_eq!(evaluated(&all, "p(1) p(2)"), [Truth::Unknown, Truth::False, Truth::False]);
    assert_eq!(evaluated(&some, "- -"), [Truth::Unknown, Truth::Unknown, Truth::False]);
    assert_eq!(evaluated(&all, "- -"), [Truth::Unknown, Truth::Unknown, Truth::True]);
}

#[test]
fn domains_that_grow_with_the_points() {
    let mut property = PropertyBuilder::new(Language::Qtl, Judgement::EveryPoint);
    let sort = property.sort("x", [argument("p", 1, 0)]);
    let x = property.variable_over("x", Domain::SoFar(sort));
    let body = forall(x, event("p", [var(x)]));
    let outcome = judge(&property.build(body), &trace("- p(1) p(2) p(2);p(1)"), Mode::Complete);
    assert_eq!(violations(&outcome), ["3 3 ()"]);
}

#[test]
fn the_first_falsifying_assignment_of_a_point() {
    let mut property = plain(Judgement::EveryPoint);
    let (x, y) = (property.binding("x"), property.binding("y"));
    let body = not(and([event("p", [var(x)]), event("q", [var(y)]), not(equal(var(y), int(9)))]));
    let outcome = judge(&property.build(body), &trace("p(3);q(2);q(9) q(1);p(2);p(3)"), Mode::Complete);
    assert_eq!(violations(&outcome), ["1 1 (3,2)", "2 2 (2,1)"], "2 is less than 3");
    let not_p = property.build(implies(equal(var(x), var(y)), or([event("p", [var(x)]), equal(var(x), int(9))])));
    assert_eq!(violations(&judge(&not_p, &trace("p(3);r(4)"), Mode::Complete)), ["1 1 (*,*)"], "4 is not named");
}

#[test]
fn definitions() {
    let mut property = plain(Judgement::EveryPoint);
    let x = property.variable("x");
    let pair = property.define("pair", &[x], false, |_| and([event("p", [var(x)]), event("q", [var(x)])]));
    let trace = trace("p(1);q(1) p(1);q(2) p(2);q(2)");
    let body = not(call(pair, [int(1)]));
    assert_eq!(violations(&judge(&property.build(body), &trace, Mode::Complete)), ["1 1 ()"]);
    let computed = not(call(pair, [arithmetic(int(1), Arithmetic::Add, int(1))]));
    assert_eq!(violations(&judge(&property.build(computed), &trace, Mode::Complete)), ["3 3 ()"]);
    let no_value = call(pair, [Term::Negate(Box::new(text("a")))]);
    assert_eq!(judge(&property.build(no_value), &self::trace("-"), Mode::Complete).violations.len(), 1);
}

#[test]
fn recursion_reads_earlier_points() {
    let mut property = plain(Judgement::EveryPoint);
    // Holds at every second point from the first p on.
    let blink = property.define("blink", &[], true, |own| {
        or([and([p(), not(prev(once(p())))]), prev(and([not(call(own, [])), once(p())]))])
    });
    let outcome = judge(&property.build(not(call(blink, []))), &trace("- p - - p -"), Mode::Complete);
    assert_eq!(violations(&outcome), ["2 2 ()", "4 4 ()", "6 6 ()"]);
    let mut property = plain(Judgement::EveryPoint);
    let (x, y) = (property.variable("x"), property.variable("y"));
    // reached(x): x is 1, or an edge led to it from a value reached strictly before.
    let reached = property.define("reached", &[x], true, |own| {
        let edge = event("e", [var(y), var(x)]);
        let before = unary_within(UnaryOp::Once, more_than(0), call(own, [var(y)]));
        or([equal(var(x), int(1)), exists(y, and([edge, before])), prev(call(own, [var(x)]))])
    });
    let outcome =
        judge(&property.build(not(call(reached, [int(3)]))), &timed("0@- 1@e(2,3) 2@e(1,2) 3@e(2,3)"), Mode::Complete);
    assert_eq!(violations(&outcome), ["4 4 ()"]);
}

#[test]
fn an_unnamed_parameter_is_among_the_values() {
    let mut property = plain(Judgement::EveryPoint);
    let (x, y) = (property.variable("x"), property.variable("y"));
    let exist = property.define("exist", &[x], false, |_| exists(y, equal(var(y), var(x))));
    let eight = arithmetic(int(4), Arithmetic::Add, int(4));
    let body = call(exist, [eight.clone()]);
    assert_eq!(judge(&property.build(body), &trace("-"), Mode::Complete).status, Status::Satisfied);
    let direct = judge(&property.build(exists(y, equal(var(y), eight))), &trace("-"), Mode::Complete);
    assert_eq!((direct.status, direct.obstacle.map(|it| it.problem)), (Status::GaveUp, Some(Problem::UnnamedValue)));
}

#[test]
fn regular_expressions() {
    let trace = trace("p p q - p");
    let future = |regex| truths(&matches(Direction::Future, Interval::all(), regex), &trace);
    let past = |regex| truths(&matches(Direction::Past, Interval::all(), regex), &trace);
    assert_eq!(future(concat(star(step(p())), test(q()))), "11100", "p until q");
    assert_eq!(future(step(p())), "11000", "a step needs a point to arrive at");
    assert_eq!(future(concat(Regex::Any, test(q()))), "01000");
    assert_eq!(future(choice(test(q()), concat(Regex::Any, concat(Regex::Any, test(q()))))), "10100");
    assert_eq!(past(concat(test(q()), star(step(not(q()))))), "00111", "not q since q");
    assert_eq!(past(step(p())), "01001", "a past step tests where it arrives");
    assert_eq!(past(concat(step(q()), Regex::Any)), "00010");
    assert_eq!(future(star(test(p()))), "11111", "no rounds match everywhere, and empty rounds end");
    assert_eq!(future(concat(star(star(test(p()))), test(q()))), "00100");
}

#[test]
fn regular_expressions_in_time_and_in_parts() {
    let regex = concat(star(Regex::Any), test(p()));
    let within = |interval| matches(Direction::Future, interval, regex.clone());
    assert_eq!(history(&within(closed(0, 2)), &timed("0@- 2@- 3@p")), "??00");
    assert_eq!(history(&within(closed(3, 3)), &timed("0@p 2@- 3@p")), "??11");
    let past = matches(Direction::Past, closed(2, 2), concat(test(p()), star(Regex::Any)));
    assert_eq!(truths(&past, &timed("0@p 1@- 2@- 3@-")), "0010");
    // From a point without p nothing can match, and that is known at once.
    let formula = matches(Direction::Future, Interval::all(), concat(step(p()), step(q())));
    assert_eq!(history(&formula, &trace("- -")), "000");
    assert_eq!(history(&formula, &trace("p q")), "??0");
    assert_eq!(history(&formula, &trace("p q -")), "??11");
    assert_eq!(history(&formula, &trace("p p")), "?00");
}

#[test]
fn arithmetic_and_comparisons() {
    let holds = |left: Term, comparison, right: Term| truths(&compare(left, comparison, right), &trace("-")) == "1";
    let half = || arithmetic(int(7), Arithmetic::Divide, int(2));
    assert!(holds(half(), Comparison::Greater, int(3)));
    assert!(holds(arithmetic(int(-7), Arithmetic::DivideTruncating, int(2)), Comparison::Equal, int(-3)));
    assert!(holds(arithmetic(int(-7), Arithmetic::Modulo, int(2)), Comparison::Equal, int(-1)));
    assert!(holds(arithmetic(int(2), Arithmetic::Multiply, int(3)), Comparison::LessOrEqual, int(6)));
    assert!(holds(Term::Apply(Function::ToInteger, Box::new(half())), Comparison::Equal, int(3)));
    assert!(holds(Term::Apply(Function::ToText, Box::new(half())), Comparison::Equal, text("3.5")));
    assert!(holds(Term::Apply(Function::ParseInteger, Box::new(text("12"))), Comparison::Equal, int(12)));
    assert!(!holds(Term::Apply(Function::ParseInteger, Box::new(text("x"))), Comparison::NotEqual, int(12)));
    assert!(holds(text("a"), Comparison::Less, text("b")));
    assert!(!holds(text("a"), Comparison::Less, int(1)));
    assert!(!holds(int(1), Comparison::GreaterOrEqual, text("a")));
    assert!(holds(text("bc"), Comparison::Substring, text("abcd")));
    assert!(holds(text("abcd"), Comparison::Matches, text("b.d")));
    assert!(!holds(text("abcd"), Comparison::Matches, text("(")));
    let trace = timed("5@- 7@-");
    assert_eq!(truths(&equal(Term::PointNumber, int(1)), &trace), "01");
    assert_eq!(truths(&equal(Term::PointTime, int(5)), &trace), "10");
}

#[test]
fn division_by_zero_is_undecidable_where_it_decides() {
    let broken = at(3, 8, equal(arithmetic(int(1), Arithmetic::Divide, int(0)), int(1)));
    let property = |body| plain(Judgement::EveryPoint).build(body);
    let outcome = judge(&property(or([p(), broken.clone()])), &trace("p - -"), Mode::Complete);
    let obstacle = Obstacle { point: 2, span: Span { start: 3, end: 8 }, problem: Problem::DivisionByZero };
    assert_eq!((outcome.status, outcome.obstacle), (Status::GaveUp, Some(obstacle.clone())));
    let violated = judge(&property(and([p(), broken.clone()])), &trace("p -"), Mode::Complete);
    assert_eq!(violated.status, Status::Violated);
    assert_eq!(violated.obstacle.map(|it| it.point), Some(1));
    assert_eq!(history(&or([eventually(q()), broken.clone()]), &trace("- - q")), "??11");
    assert_eq!(history(&or([eventually(q()), broken.clone()]), &trace("- -")), "??!");
    // An event atom is about events first.
    let atom = event("p", [arithmetic(int(1), Arithmetic::Divide, int(0))]);
    assert_eq!(truths(&atom, &trace("q(1) p")), "00");
    assert_eq!(history(&atom, &trace("p(1)")), "!!");
}

#[test]
fn the_order_of_unnamed_values_is_undecidable_in_mfotl() {
    let mut property = plain(Judgement::EveryBinding);
    let x = property.binding("x");
    let small = property.build(less(var(x), int(5)));
    let outcome = judge(&small, &trace("-"), Mode::Complete);
    assert_eq!(violations(&outcome), ["1 1 (5)"]);
    assert_eq!(outcome.obstacle.map(|it| it.problem), Some(Problem::UnnamedValue));
    let guarded = property.build(implies(event("p", [var(x)]), less(var(x), int(5))));
    let outcome = judge(&guarded, &trace("p(3) p(7)"), Mode::Complete);
    assert_eq!((violations(&outcome), outcome.obstacle), (vec!["2 2 (7)".to_string()], None));
    let mut property = plain(Judgement::EveryPoint);
    let y = property.variable("y");
    let inner = judge(&property.build(exists(y, less(var(y), int(5)))), &trace("-"), Mode::Complete);
    assert_eq!(inner.status, Status::GaveUp);
}

#[test]
fn the_order_of_unseen_values_is_false_in_dejavu() {
    let mut property = PropertyBuilder::new(Language::Qtl, Judgement::EveryPoint);
    let x = property.variable("x");
    let five = || Term::Constant(Value::string("5"));
    let smaller = property.build(exists(x, less(var(x), five())));
    let outcome = judge(&smaller, &trace("p(7) p(07) p(3)"), Mode::Complete);
    assert_eq!(outcome.status, Status::Violated, "p is in no atom, so its values are not seen");
    let smaller = property.build(or([event("p", [text("9")]), exists(x, less(var(x), five()))]));
    assert_eq!(violations(&judge(&smaller, &trace("p(7) p(07) p(3) q(1)"), Mode::Complete)), ["1 1 ()", "2 2 ()"]);
    // 3 is smaller than 5 only from the point on that shows it.
    let before = property.build(exists(x, and([event("p", [var(x)]), prev(less(var(x), five()))])));
    assert_eq!(violations(&judge(&before, &trace("p(3) p(4) p(3)"), Mode::Complete)), ["1 1 ()", "2 2 ()"]);
}

#[test]
fn texts_are_values_in_dejavu() {
    let mut property = PropertyBuilder::new(Language::Qtl, Judgement::EveryPoint);
    let x = property.binding("x");
    let body = property.build(implies(event("p", [var(x)]), once(event("q", [var(x)]))));
    let outcome = judge(&body, &trace("q(7) p(7) p(7.0) p(007)"), Mode::Complete);
    assert_eq!(violations(&outcome), ["3 3 (7.0)", "4 4 (007)"]);
    assert_eq!(outcome.violations[0].bindings, [Some(Value::string("7.0"))]);
}

#[test]
fn observations_are_about_one_event() {
    let named = |name: &str, fields: &[(&str, &str)]| OwnedEvent {
        name: name.into(),
        arguments: fields
            .iter()
            .map(|(name, text)| OwnedArgument { name: (*name).into(), text: (*text).into(), declared: None })
            .collect(),
        positional: 0,
    };
    let events = vec![named("a", &[("size", "9"), ("user", "u")]), named("b", &[("size", "2"), ("user", "v")])];
    let trace = OwnedTrace { points: vec![OwnedPoint { time: None, events }] };
    let observe = |user: &str, limit: i64| {
        let constraint = Constraint { comparison: Comparison::Greater, left: field("size"), right: int(limit) };
        formula(Kind::Observe(Observation {
            required: vec![("user".into(), text(user))],
            present: vec!["size".into()],
            constraint: Some(constraint),
        }))
    };
    assert_eq!(truths(&observe("u", 5), &trace), "1");
    assert_eq!(truths(&observe("v", 5), &trace), "0", "the large size belongs to another user");
    let lacking = Observation { required: vec![], present: vec!["other".into()], constraint: None };
    assert_eq!(truths(&formula(Kind::Observe(lacking)), &trace), "0");
    let constraint = Constraint { comparison: Comparison::NotEqual, left: field("other"), right: int(1) };
    let lacking = Observation { required: vec![], present: vec![], constraint: Some(constraint) };
    assert_eq!(truths(&formula(Kind::Observe(lacking)), &trace), "0");
}

#[test]
fn events_have_names_arities_and_equal_arguments() {
    let trace = trace("p(1,1) p(1,2) p(1) q(1,1)");
    let mut property = plain(Judgement::EveryPoint);
    let x = property.variable("x");
    let twice = property.build(not(exists(x, event("p", [var(x), var(x)]))));
    assert_eq!(violations(&judge(&twice, &trace, Mode::Complete)), ["1 1 ()"]);
    assert_eq!(truths(&event("p", [int(1), Term::Any]), &trace), "1100");
    assert_eq!(truths(&any_event("p"), &trace), "1110");
    let at = |value| evaluate(&twice, &trace, &event("p", [var(x)]), 3, &[(x, value)], Known::End);
    assert_eq!(at(Meaning::Value(Value::of("1.0"))), Truth::True);
    assert_eq!(at(Meaning::Anonymous(0)), Truth::False);
}
