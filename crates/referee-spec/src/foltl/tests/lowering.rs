//! The formulas of the competition, as corrected, and what they become.

use super::super::compile;
use crate::compiled::Compiled;
use crate::core::{
    BinaryOp, Domain, Equality, Formula, Judgement, Kind, Position, Property, Rule, Sort, Term, UnaryOp, UnseenOrder,
};
use crate::options::Options;
use crate::source::Source;

fn compiled(text: &str) -> Compiled<Rule> {
    compile(&Source::new("spec.foltl", text), &Options::default())
}

/// The one property of a text that gives no diagnostics.
fn property(text: &str) -> Property {
    let mut compiled = compiled(text);
    assert_eq!(compiled.diagnostics, [], "{text}");
    assert_eq!(compiled.properties.len(), 1, "{text}");
    formula(compiled.properties.remove(0))
}

/// The formula that a rule is.
fn formula(rule: Rule) -> Property {
    rule.into_formula().expect("a formula").as_ref().clone()
}

/// The body of a property in the core's notation.
fn shown(text: &str) -> String {
    let property = property(text);
    property.body.display(&property).to_string()
}

fn bindings(property: &Property) -> Vec<&str> {
    property.bindings.iter().map(|binding| &*property.variable(binding.variable).name).collect()
}

fn sort<'a>(property: &'a Property, name: &str) -> &'a Sort {
    property.sorts.iter().find(|sort| &*sort.name == name).unwrap_or_else(|| panic!("no sort {name}"))
}

fn argument(event: &str, arity: usize, index: usize) -> Position {
    Position::Argument { event: event.into(), arity, index }
}

fn field(event: Option<&str>, field: &str) -> Position {
    Position::Field { event: event.map(Into::into), field: field.into() }
}

#[test]
fn has_next_in_future_and_past_form() {
    let future = "(forall i:iterator)((not next(i) weakly until hasNext(i, true))
        and always (next(i) => weak-next (not next(i) weakly until hasNext(i, true))))";
    let unicode =
        "(∀ i : iterator)((¬next(i) 𝒲 hasNext(i, true)) ∧ □(next(i) → ○\u{302}(¬next(i) W hasNext(i, true))))";
    let expected = "(not next(i) weakly until hasNext(i, true)) \
        and always (next(i) => weak-next (not next(i) weakly until hasNext(i, true)))";
    assert_eq!(shown(future), expected);
    assert_eq!(shown(unicode), expected);
    let past = "(forall i:iterator) always (next(i) => last (not next(i) since hasNext(i, true)))";
    assert_eq!(shown(past), "always (next(i) => last (not next(i) since hasNext(i, true)))");
    assert_eq!(shown("(∀ i : iterator) □(next(i) → ●(¬next(i) 𝒮 hasNext(i,true)))"), shown(past));
    let property = property(past);
    assert_eq!(bindings(&property), ["i"]);
    assert_eq!(sort(&property, "iterator").positions, [argument("next", 1, 0), argument("hasNext", 2, 0)]);
}

const AUCTION: &str = "(forall i:item)(forall min:int)(always (list(i, min) => always (
    (forall a,a':int)((a <= a' and bid(i, a)) => weak-last always-been not bid(i, a'))
    and (sold(i) => once (exists a:int)(a >= min and bid(i, a))))))";

#[test]
fn the_auction() {
    let property = property(AUCTION);
    assert_eq!(bindings(&property), ["i", "min"]);
    assert_eq!(
        property.body.display(&property).to_string(),
        "always (list(i, min) => always ((forall a:int)(forall a':int)((a <= a' and bid(i, a)) => \
         weak-last always-been not bid(i, a')) and (sold(i) => once (exists a:int)(a >= min and bid(i, a)))))"
    );
    assert_eq!(sort(&property, "int").positions, [argument("list", 2, 1), argument("bid", 2, 1)]);
    assert_eq!(
        sort(&property, "item").positions,
        [argument("list", 2, 0), argument("bid", 2, 0), argument("sold", 1, 0)]
    );
    assert_eq!(property.variables.len(), 5);
}

#[test]
fn what_every_property_says_of_itself() {
    let property = property("always not p");
    assert_eq!(&*property.name, "spec");
    assert_eq!(property.judgement, Judgement::Once);
    assert_eq!(property.equality, Equality::ByValue);
    assert_eq!(property.unseen_order, UnseenOrder::Undecided);
    assert_eq!(property.text(property.body.span), "always not p");
}

#[test]
fn maximum_per_connection() {
    let text = "(forall c:connection)(always (chunksize(c) <= 999999))";
    let belongs = "event with (connection = c, chunksize present)";
    let atom = "event with (connection = c, chunksize <= 999999)";
    assert_eq!(shown(text), format!("always ({belongs} => {atom})"));
    let property = property(text);
    assert_eq!(sort(&property, "connection").positions, [field(None, "connection")]);
    assert_eq!(property.variables[0].domain, Domain::Trace(crate::core::SortId(0)));
    let named = shown("∀ connection □ (bandwidth(connection) ≤ 100000)");
    assert!(named.contains("connection = connection, bandwidth <= 100000"), "{named}");
}

#[test]
fn change_per_connection() {
    let s = "event with (connection = c, bandwidth present)";
    let high = "event with (connection = c, bandwidth > 10000)";
    let low = "event with (connection = c, bandwidth <= 10000)";
    assert_eq!(
        shown("(forall c:connection)(always (bandwidth(c) > 10000 => eventually bandwidth(c) <= 10000))"),
        format!("always ({s} => ({high} => eventually ({s} and {low})))")
    );
}

#[test]
fn every_operator_is_confined_to_its_object() {
    let s = "event with (s = x, f present)";
    let f = "event with (s = x, f > 0)";
    let first = |op: &str, body: &str| format!("not {s} {op} ({s} and {body})");
    for (body, expected) in [
        ("f(x) > 0", first("until", f)),
        ("always f(x) > 0", format!("always ({s} => {f})")),
        ("eventually f(x) > 0", format!("eventually ({s} and {f})")),
        ("f(x) > 0 until p", format!("({s} => {f}) until ({s} and p)")),
        ("f(x) > 0 weakly until p", format!("({s} => {f}) weakly until ({s} and p)")),
        ("f(x) > 0 release p", format!("({s} and {f}) release ({s} => p)")),
        ("next f(x) > 0", first("until", &format!("next ({})", first("until", f)))),
        ("weak-next f(x) > 0", first("weakly until", &format!("weak-next ({})", first("weakly until", f)))),
        ("last f(x) > 0", first("until", &format!("last ({})", first("since", f)))),
        ("weak-last f(x) > 0", first("weakly until", &format!("weak-last ({})", first("weakly since", f)))),
        ("once f(x) > 0", first("until", &format!("once ({s} and {f})"))),
        ("always-been f(x) > 0", first("weakly until", &format!("always-been ({s} => {f})"))),
        ("f(x) > 0 since p", first("until", &format!("(({s} => {f}) since ({s} and p))"))),
        ("f(x) > 0 weakly since p", first("weakly until", &format!("(({s} => {f}) weakly since ({s} and p))"))),
        ("not (f(x) > 0)", format!("not ({})", first("until", f))),
        ("x = 3 and eventually f(x) > 0", format!("x = 3 and eventually ({s} and {f})")),
    ] {
        assert_eq!(shown(&format!("(forall x:s)({body})")), expected, "{body}");
    }
}

#[test]
fn several_fields_and_several_objects() {
    let either = "(event with (s = x, f present) or event with (s = x, g present))";
    let expected = format!("always ({either} => event with (s = x, f < g))");
    assert_eq!(shown("(forall x:s)(always f(x) < g(x))"), expected);
    let both = "(event with (s = x, f present) and event with (t = y, g present))";
    let nested = shown("(forall x:s)(exists y:t)(always (f(x) < 1 or g(y) < 2))");
    let atoms = "(event with (s = x, f < 1) or event with (t = y, g < 2))";
    assert_eq!(nested, format!("(exists y:t)(always ({both} => {atoms}))"));
    let beside = shown("(forall x:s)(always p(x)) and (forall x:s)(always f(x) < 1)");
    assert!(beside.starts_with("(forall x:s)(always p(x)) and "), "{beside}");
}

#[test]
fn files_and_sockets() {
    let text = "(forall p:process)(forall f:file)(always (open(p,f) => eventually close(p,f)))
        and (forall p:process)(forall s:socket)(always (accept(p,s) => eventually close(p,s)))";
    let property = property(text);
    assert_eq!(bindings(&property), [] as [&str; 0], "not through a conjunction");
    assert_eq!(sort(&property, "file").positions, [argument("open", 2, 1), argument("close", 2, 1)]);
    assert_eq!(sort(&property, "socket").positions, [argument("accept", 2, 1), argument("close", 2, 1)]);
}

#[test]
fn two_named_properties() {
    let text = "property files: (forall p:process)(forall f:file)(always (open(p,f) => eventually close(p,f)))
        property sockets: (forall p:process)(forall s:socket)(always (accept(p,s) => eventually close(p,s)))";
    let names: Vec<_> = compiled(text).properties.iter().map(|rule| rule.name().to_string()).collect();
    assert_eq!(names, ["files", "sockets"]);
}

#[test]
fn a_counter_that_grows_by_one() {
    let text = "event step(counter:int) (forall x:int)(always (counter = x => weak-next counter = x + 1))";
    assert_eq!(shown(text), "always (event with (counter = x) => weak-next event with (counter = x + 1))");
    let positions = [argument("step", 1, 0), field(Some("step"), "counter")];
    assert_eq!(sort(&property(text), "int").positions, positions);
}

#[test]
fn request_and_response() {
    let text = "event request(service:int, provider:int) event respond(service:int, provider:int)
        (forall s:int)(always ((request and service = s)
          => next eventually (exists p:int)(respond and service = s and provider = p)))";
    assert_eq!(
        shown(text),
        "always ((request and event with (service = s)) => next eventually \
         (exists p:int)(respond and event with (service = s) and event with (provider = p)))"
    );
}

#[test]
fn locking() {
    let text = "event lockTrue(id:thread) event unlock(id:thread) event action(id:thread)
        (forall i:thread)(
          (not (action and id = i) weakly until (lockTrue and id = i))
          and always ((unlock and id = i) => (not (action and id = i) weakly until (lockTrue and id = i)))
          and always ((lockTrue and id = i) => weak-next (not lockTrue weakly until (unlock and id = i))))";
    let property = property(text);
    assert_eq!(bindings(&property), ["i"]);
    let Kind::And(parts) = &property.body.kind else { panic!("a conjunction") };
    assert_eq!(parts.len(), 3);
    assert!(matches!(parts[0].kind, Kind::Binary(BinaryOp::WeakUntil, ..)));
    assert!(matches!(parts[2].kind, Kind::Unary(UnaryOp::Always, ..)));
}

#[test]
fn velocity() {
    let text = "event step(pos:real, time:real)
        (forall s,t:real)(always ((time = t and pos = s) => weak-next (pos - s < 10 * (time - t))))";
    let shown = shown(text);
    assert!(shown.ends_with("weak-next event with (pos - s < 10 * (time - t)))"), "{shown}");
    assert_eq!(bindings(&property(text)), ["s", "t"]);
}

#[test]
fn words_that_are_operators_and_events() {
    for (text, expected) in [
        ("(forall i:s)(next(i))", "next(i)"),
        ("(forall i:s)(next (p(i)))", "next p(i)"),
        ("(forall i:s)(<next>(i))", "next(i)"),
        ("(forall i:s)(next i = 3)", "next i = 3"),
        ("(forall i:s)(next (i) = 3)", "next i = 3"),
        ("(forall i:s)(next (i + 1) = 3)", "next i + 1 = 3"),
        ("(forall i:s)(release(i) release next(i, 3))", "release(i) release next(i, 3)"),
        ("next (p)", "next p"),
        ("next(3)", "next(3)"),
        ("last()", "last()"),
        ("<release>", "release"),
        ("<\"file open\">(3)", "file open(3)"),
        ("always before p", "always-been p"),
        ("always before (p and q)", "always-been (p and q)"),
        ("always before(3)", "always before(3)"),
        ("always before", "always before"),
    ] {
        assert_eq!(shown(text), expected, "{text}");
    }
}

#[test]
fn synonyms() {
    for (synonyms, expected) in [
        ("strong-next p; next p; ○ p; ◯ p", "next p"),
        ("weak-next p; ○\u{302} p", "weak-next p"),
        ("strong-last p; last p; ● p", "last p"),
        ("once p; previously p; ◆ p", "once p"),
        ("always-been p; always before p; ■ p", "always-been p"),
        ("p weakly since q; p back-to q; p weak-since q; p ℬ q; p B q", "p weakly since q"),
        ("p weakly until q; p weak-until q; p 𝒲 q; p W q", "p weakly until q"),
        ("p until q; p 𝒰 q; p U q", "p until q"),
        ("p since q; p 𝒮 q; p S q", "p since q"),
        ("p release q; p ℛ q; p R q", "p release q"),
        ("p => q; p -> q; p → q; p ⇒ q; p ⟹ q", "p => q"),
        ("p <=> q; p <-> q; p ↔ q; p ⇔ q", "p <=> q"),
        ("not p; not(p); !p; ~p; ¬p", "not p"),
        ("p and q; p & q; p && q; p ∧ q", "p and q"),
        ("p or q; p | q; p || q; p ∨ q", "p or q"),
        ("always p; □ p", "always p"),
        ("eventually p; ◇ p", "eventually p"),
        ("1 <= 2; 1 ≤ 2", "1 <= 2"),
        ("1 != 2; 1 ≠ 2", "1 != 2"),
    ] {
        for text in synonyms.split("; ") {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}

#[test]
fn constants_are_exact_and_typed() {
    let text = "(forall x:s)(p(x, -1.50, \"7\", true, -x, 1e3) and x / 3 > -(2 + 1))";
    assert_eq!(shown(text), "p(x, -1.5, \"7\", true, -(x), 1000) and x / 3 > -(2 + 1)");
}

#[test]
fn lenient_order_and_associativity() {
    let options = Options { lenient: true, ..Options::default() };
    let source = Source::new("spec.foltl", "a => b or c and d until e until f <=> g => h => i");
    let mut compiled = compile(&source, &options);
    assert_eq!(compiled.diagnostics, []);
    let property = formula(compiled.properties.remove(0));
    let expected = "(a => (b or (c and (d until (e until f))))) <=> (g => (h => i))";
    assert_eq!(property.body.display(&property).to_string(), expected);
}

#[test]
fn spans_are_exact() {
    let text = "always (p(3) => (q))";
    let property = property(text);
    let mut texts = Vec::new();
    property.body.visit(&mut |formula: &Formula| texts.push(property.text(formula.span)));
    assert_eq!(texts, ["always (p(3) => (q))", "(p(3) => (q))", "p(3)", "(q)"]);
}

#[test]
fn inner_variables_hide_outer_ones() {
    let property = property("(forall x:s)(p(x) and (exists x:t)(q(x)))");
    let Kind::And(parts) = &property.body.kind else { panic!("a conjunction") };
    let Kind::Quantified(_, inner, body) = &parts[1].kind else { panic!("a quantifier") };
    assert_eq!(body.kind.terms(), [&Term::Variable(*inner)]);
    assert_ne!(*inner, property.bindings[0].variable);
}

#[test]
fn fields_of_a_signature_feed_sorts_by_equality() {
    let mut options = Options::default();
    let argument = crate::vocabulary::Argument { name: Some("id".into()), declared: None };
    let shape = crate::vocabulary::EventShape { arguments: vec![argument] };
    options.signature.get_or_insert_default().events.insert("login".into(), vec![shape]);
    let source = Source::new("spec.foltl", "(forall u:user)(always not (login and id = u))");
    let compiled = compile(&source, &options);
    assert_eq!(compiled.diagnostics, []);
    assert_eq!(sort(compiled.properties[0].as_formula().expect("a formula"), "user").positions, [field(None, "id")]);
    let stranger = compile(&Source::new("spec.foltl", "always not logni"), &options);
    assert_eq!(stranger.diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), ["E0006"]);
    assert!(stranger.properties.is_empty());
}
