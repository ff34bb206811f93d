//! What the core receives.

use super::super::tests::compiled;
use super::*;
use crate::core::Comparison;

/// The properties of a text without errors.
#[track_caller]
fn properties(text: &str, options: &Options) -> Vec<Property> {
    let result = super::super::compile(&Source::new("test.qtl", text), options);
    assert_eq!(result.diagnostics, []);
    result.properties
}

#[track_caller]
fn property(text: &str) -> Property {
    properties(text, &Options::default()).remove(0)
}

/// A formula in brackets, operators first; variables have their number behind the name.
fn shown(property: &Property, formula: &Formula) -> String {
    let list = |head: String, parts: Vec<String>| match parts.is_empty() {
        true => head,
        false => format!("({head} {})", parts.join(" ")),
    };
    let below = || formula.kind.children().into_iter().map(|child| shown(property, child)).collect();
    let terms = || formula.kind.terms().into_iter().map(|term| shown_term(property, term)).collect();
    match &formula.kind {
        Core::Constant(truth) => truth.to_string(),
        Core::Event(atom) => list(atom.name.to_string(), terms()),
        Core::Compare(comparison, ..) => list(format!("{comparison:?}"), terms()),
        Core::Not(_) => list("not".into(), below()),
        Core::And(_) => list("and".into(), below()),
        Core::Or(_) => list("or".into(), below()),
        Core::Implies(..) => list("implies".into(), below()),
        Core::Iff(..) => list("iff".into(), below()),
        Core::Quantified(quantifier, variable, _) => {
            list(format!("{quantifier:?} {}", shown_term(property, &Term::Variable(*variable))), below())
        }
        Core::Unary(operator, interval, _) => list(format!("{operator:?}{}", shown_interval(interval)), below()),
        Core::Binary(operator, interval, ..) => list(format!("{operator:?}{}", shown_interval(interval)), below()),
        Core::Call(rule, _) => list(format!("call {}", property.definitions[rule.index()].name), terms()),
        other => format!("{other:?}"),
    }
}

fn shown_term(property: &Property, term: &Term) -> String {
    match term {
        Term::Variable(id) => format!("{}{}", property.variable(*id).name, id.0),
        Term::Constant(Value::String(text)) => format!("{text:?}"),
        other => format!("{other:?}"),
    }
}

fn shown_interval(interval: &Interval) -> String {
    match (&interval.high, interval.is_all()) {
        (_, true) => String::new(),
        (Some(high), _) => format!("[{},{high}]", interval.low),
        (None, _) => format!("({},*)", interval.low),
    }
}

#[track_caller]
fn assert_body(text: &str, expected: &str) {
    let property = property(text);
    assert_eq!(shown(&property, &property.body), expected);
}

fn binding_names(property: &Property) -> Vec<&str> {
    property.bindings.iter().map(|binding| &*property.variable(binding.variable).name).collect()
}

const ACCESS: &str = "prop access :
  forall u . forall f . access(u,f) → [ login(u), logout(u) ] & [ open(f), close(f) ]";
const FILE: &str = "prop file :
  forall f . close(f) → exists m . @ [ open(f,m),close(f) ]";
const FIFO: &str = "prop fifo :
  forall x .
    (enter(x) → ! @ P enter(x)) &
    (exit(x) → ! @ P exit(x)) &
    (exit(x) → @ P enter(x)) &
    (forall y . (exit(y) & P (enter(y) & @ P enter(x))) →
      @ P exit(x))";
const LOCKING: &str = "prop locking :
  forall t . forall l .
    (
      (sleep(t) → ![acq(t,l), rel(t,l)]) &
      (acq(t,l) → ! exists s . @ [acq(s,l), rel(s,l)]) &
      (rel(t,l) → @ [acq(t,l), rel(t,l)])
    )";
const DEADLOCK: &str = "prop deadlock :
  forall t1 . forall t2 . forall l1 . forall l2 .
    (@ [acq(t1,l1), rel(t1,l1)] & acq(t1,l2)) →
      (! @ P (@ [acq(t2,l2), rel(t2,l2)] & acq(t2,l1)))";
const DATARACE: &str = "prop datarace :
  forall t1 . forall t2 . forall x .
    ((P (read(t1,x) | write(t1,x))) & (P write(t2,x))) →
      exists l .
        (H ((read(t1,x) | write(t1,x)) → [acq(t1,l), rel(t1,l)]) &
          H ((read(t2,x) | write(t2,x)) → [acq(t2,l), rel(t2,l)]))";

#[test]
fn the_benchmark_properties_lower() {
    for (text, bindings, body) in [
        (
            ACCESS,
            &["u", "f"][..],
            "(implies (access u0 f1) (and (Since (not (logout u0)) (login u0)) (Since (not (close f1)) (open f1))))",
        ),
        (FILE, &["f"], "(implies (close f0) (Exists m1 (Prev (Since (not (close f0)) (open f0 m1)))))"),
        (
            FIFO,
            &["x"],
            "(and (implies (enter x0) (not (Prev (Once (enter x0))))) \
             (implies (exit x0) (not (Prev (Once (exit x0))))) \
             (implies (exit x0) (Prev (Once (enter x0)))) \
             (Forall y1 (implies (and (exit y1) (Once (and (enter y1) (Prev (Once (enter x0)))))) \
             (Prev (Once (exit x0))))))",
        ),
        (
            LOCKING,
            &["t", "l"],
            "(and (implies (sleep t0) (not (Since (not (rel t0 l1)) (acq t0 l1)))) \
             (implies (acq t0 l1) (not (Exists s2 (Prev (Since (not (rel s2 l1)) (acq s2 l1)))))) \
             (implies (rel t0 l1) (Prev (Since (not (rel t0 l1)) (acq t0 l1)))))",
        ),
        (
            DEADLOCK,
            &["t1", "t2", "l1", "l2"],
            "(implies (and (Prev (Since (not (rel t10 l12)) (acq t10 l12))) (acq t10 l23)) \
             (not (Prev (Once (and (Prev (Since (not (rel t21 l23)) (acq t21 l23))) (acq t21 l12))))))",
        ),
        (
            DATARACE,
            &["t1", "t2", "x"],
            "(implies (and (Once (or (read t10 x2) (write t10 x2))) (Once (write t21 x2))) \
             (Exists l3 (and \
             (Historically (implies (or (read t10 x2) (write t10 x2)) (Since (not (rel t10 l3)) (acq t10 l3)))) \
             (Historically (implies (or (read t21 x2) (write t21 x2)) (Since (not (rel t21 l3)) (acq t21 l3)))))))",
        ),
    ] {
        let property = property(text);
        assert_eq!(binding_names(&property), bindings);
        assert_eq!(shown(&property, &property.body), body);
        assert_eq!(property.language, Language::Qtl);
        assert_eq!(property.judgement, Judgement::EveryPoint);
        assert_eq!(property.equality, Equality::ByText);
        assert_eq!(property.unseen_order, UnseenOrder::False);
        assert!(property.variables.iter().all(|variable| variable.domain == Domain::Infinite));
        assert!(property.sorts.is_empty() && property.definitions.is_empty());
    }
}

#[test]
fn a_small_property_lowers_to_exactly_this() {
    let text = "prop p: Forall x . a(x, 7) -> @ x < \"y\"";
    let property = property(text);
    let span = |part: &str| {
        let start = text.find(part).expect("part of the text");
        crate::core::Span { start, end: start + part.len() }
    };
    let constant = |text| Term::Constant(Value::string(text));
    let x = VarId(0);
    let event = EventAtom { name: "a".into(), arguments: Some(vec![Term::Variable(x), constant("7")]) };
    let relation = Core::Compare(Comparison::Less, Term::Variable(x), constant("y"));
    let relation = Formula::new(relation, span("x < \"y\""));
    let previous = Core::Unary(UnaryOp::Prev, Interval::all(), Box::new(relation));
    let (left, right) =
        (Formula::new(Core::Event(event), span("a(x, 7)")), Formula::new(previous, span("@ x < \"y\"")));
    let body = Formula::new(Core::Implies(Box::new(left), Box::new(right)), span("a(x, 7) -> @ x < \"y\""));
    assert_eq!(property.body, body);
    assert_eq!(property.bindings, [Binding { variable: x }]);
    let variable = Variable { name: "x".into(), domain: Domain::Infinite, span: span("x .").to(span("x .")) };
    assert_eq!(property.variables[0].name, variable.name);
    assert_eq!(property.variables[0].span.start, variable.span.start);
    assert_eq!(&*property.name, "p");
    assert_eq!(property.text(property.body.span), "a(x, 7) -> @ x < \"y\"");
}

#[test]
fn timed_operators_become_intervals() {
    assert_body("prop p: a S[<=3] b", "(Since[0,3] a b)");
    assert_body("prop p: a S[>3] b", "(Since(3,*) a b)");
    assert_body("prop p: a S b", "(Since a b)");
    assert_body("prop p: a Z[<=3] b", "(StrictSince[0,3] a b)");
    assert_body("prop p: P[<=3] a & P[>3] b & P c", "(and (Once[0,3] a) (Once(3,*) b) (Once c))");
    assert_body("prop p: H[<=3] a & H[>0] b", "(and (Historically[0,3] a) (Historically(0,*) b))");
    assert_body("prop p: [a, b)", "(Since (not b) a)");
    let bounds = property("prop p: P[<=123456789012345678901234567890] a");
    assert_eq!(shown(&bounds, &bounds.body), "(Once[0,123456789012345678901234567890] a)");
}

#[test]
fn constants_are_texts() {
    assert_body(
        "prop p: Exists x . a(7, \"7\", -1, \"a b\") & x = 007 & 3 >= x & 1 < 2",
        "(Exists x0 (and (a \"7\" \"7\" \"-1\" \"a b\") (Equal x0 \"007\") (GreaterOrEqual \"3\" x0) (Less \"1\" \"2\")))",
    );
}

#[test]
fn only_leading_universal_quantifiers_are_stripped() {
    let strip = |text| {
        let property = property(text);
        (binding_names(&property).join(","), shown(&property, &property.body))
    };
    assert_eq!(strip("prop p: (Forall x . (forall y . a(x, y)))"), ("x,y".into(), "(a x0 y1)".into()));
    assert_eq!(
        strip("prop p: Exists x . Forall y . a(x, y)"),
        (String::new(), "(Exists x0 (Forall y1 (a x0 y1)))".into())
    );
    assert_eq!(
        strip("prop p: (Forall x . a(x)) & Forall x . b(x)"),
        (String::new(), "(and (Forall x0 (a x0)) (Forall x1 (b x1)))".into())
    );
}

#[test]
fn macros_are_written_out_without_catching_variables() {
    let text = "prop p: Forall x . Forall y . m(y, x) & m(x, 3) & none
        pred none = !Exists x . n(x)
        pred m(x, z) = Exists y . n(y) & a(x, y, z) & n(x)
        pred n(x) = b(x)";
    assert_body(
        text,
        "(and (Exists y2 (and (b y2) (a y1 y2 x0) (b y1))) (Exists y3 (and (b y3) (a x0 y3 \"3\") (b x0))) \
         (not (Exists x4 (b x4))))",
    );
    let property = property("pred m(y) = P b(y)\nprop p: Forall x . m(x)");
    assert_eq!(property.text(property.body.span), "P b(y)");
}

#[test]
fn rules_become_definitions_in_the_order_of_their_needs() {
    let property = property(
        "prop p: Forall x . a(x) -> top(x)
         where top(x) := reach(x) & !last(x),
               reach(x) := start(x) | @ (reach(x) | top(x)),
               last(x) := @ start(x)",
    );
    let shown_definitions: Vec<(String, String, bool)> = (property.definitions.iter())
        .map(|rule| {
            let parameters: Vec<String> =
                rule.parameters.iter().map(|id| shown_term(&property, &Term::Variable(*id))).collect();
            (format!("{}({})", rule.name, parameters.join(",")), shown(&property, &rule.body), rule.recursive)
        })
        .collect();
    let expected = [
        ("reach(x1)", "(or (start x1) (Prev (or (call reach x1) (call top x1))))", true),
        ("last(x2)", "(Prev (start x2))", false),
        ("top(x3)", "(and (call reach x3) (not (call last x3)))", false),
    ];
    assert_eq!(shown_definitions, expected.map(|(head, body, recursive)| (head.into(), body.into(), recursive)));
    assert_eq!(shown(&property, &property.body), "(implies (a x0) (call top x0))");
}

#[test]
fn mutual_recursion_marks_the_rule_that_calls_a_later_one() {
    let property = property("prop p: even where even := start | @ odd, odd := @ even");
    let recursive: Vec<(&str, bool)> = property.definitions.iter().map(|rule| (&*rule.name, rule.recursive)).collect();
    assert_eq!(recursive, [("even", true), ("odd", false)]);
}

#[test]
fn seen_values_come_from_the_positions_of_the_variable() {
    let text = "prop p: forall x . Forall y . a(x, y) & m(x) -> exists z . r(z, x)
        where r(u, v) := c(u, v) | @ r(v, u)
        pred m(w) = b(1, w) & a(w, w)";
    let options = Options { seen: true, ..Options::default() };
    let property = properties(text, &options).remove(0);
    let domain = |name: &str| -> Vec<String> {
        let variable = property.variables.iter().find(|variable| &*variable.name == name).expect("a variable");
        let Domain::SoFar(sort) = variable.domain else { return vec![format!("{:?}", variable.domain)] };
        let positions = property.sorts[sort.0 as usize].positions.iter();
        positions
            .map(|position| match position {
                Position::Argument { event, arity, index } => format!("{event}/{arity}.{index}"),
                other => format!("{other:?}"),
            })
            .collect()
    };
    assert_eq!(domain("x"), ["a/2.0", "b/2.1", "a/2.1", "c/2.1", "c/2.0"]);
    assert_eq!(domain("y"), ["Infinite"]);
    assert_eq!(domain("z"), ["c/2.0", "c/2.1"]);
    assert_eq!(domain("u"), ["Infinite"]);
    assert!(compiled(text).properties[0].sorts.is_empty());
}
