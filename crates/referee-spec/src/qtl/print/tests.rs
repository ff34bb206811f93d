//! The layout, and that nothing is lost in it.

use proptest::prelude::*;
use referee_testing::properties;

use super::super::parse::{Parsed, parse};
use super::super::syntax::{Name, Relation};
use super::*;
use crate::core::Span;
use crate::core::stream::Duration;
use referee_trace::mapping::Unit;

#[track_caller]
fn formatted(text: &str) -> String {
    let Parsed { document, diagnostics } = parse(text);
    assert_eq!(diagnostics, []);
    print(&document)
}

#[track_caller]
fn assert_layout(text: &str, expected: &str) {
    let once = formatted(text);
    assert_eq!(once, expected);
    assert_eq!(formatted(&once), once, "a second time");
}

#[test]
fn short_items_stand_on_one_line() {
    assert_layout(
        "event a( x ,y)events b,c pred m ( x )=a(x,1)prop p:Forall x.m(x)->@b where r:=c,s(y):=@r&b",
        "event a(x, y)\n\nevents b, c\n\npred m(x) = a(x, 1)\n\nprop p: Forall x . m(x) -> @b\nwhere\n  r := c,\n  s(y) := @r & b\n",
    );
    assert_layout("", "");
    assert_layout("// only\n\n\n// comments", "// only\n\n// comments\n");
}

#[test]
fn long_formulas_are_broken_at_their_outermost_operators() {
    let text = "prop locking: Forall t . Forall l . (sleep(t) -> ![acq(t, l), rel(t, l))) &
        (acq(t, l) -> !Exists s . @[acq(s, l), rel(s, l))) & (rel(t, l) -> @[acq(t, l), rel(t, l)))";
    let expected = "\
prop locking:
  Forall t . Forall l .
    (sleep(t) -> ![acq(t, l), rel(t, l))) &
    (acq(t, l) -> !Exists s . @[acq(s, l), rel(s, l))) &
    (rel(t, l) -> @[acq(t, l), rel(t, l)))
";
    assert_layout(text, expected);
}

#[test]
fn every_kind_of_formula_can_be_broken() {
    let long = "an_event_with_a_long_name(first_argument, second_argument)";
    let text = format!(
        "prop p: !({long} S[<=3] {long}) -> P[>2] [{long}, {long} | {long}) -> \
         H (Exists x . Exists y . {long} & ({long} | x = y)) | {long} & {long} S {long}"
    );
    let expected = format!(
        "\
prop p:
  !(
    {long} S[<=3]
      {long}
  ) ->
    P[>2] [
      {long},
      {long} |
      {long}
    ) ->
    H (
      Exists x . Exists y .
        {long} &
        ({long} | x = y)
    ) |
    {long} &
      {long} S
        {long}
"
    );
    assert_layout(&text, &expected);
}

#[test]
fn long_rules_macros_and_declarations_are_broken() {
    let name = "a_name_of_forty_characters_in_all_for_it";
    assert_layout(
        &format!("events {name}(x), {name}2(x), {name}3(x) pred {name}4(x) = {name}(x) & {name}2(x) & b"),
        &format!("events {name}(x), {name}2(x),\n  {name}3(x)\n\npred {name}4(x) =\n  {name}(x) & {name}2(x) & b\n"),
    );
    assert_layout(
        &format!("prop p: r(1) where r(x) := {name}(x) | @ r(x) | {name}2(x), s := a"),
        &format!("prop p: r(1)\nwhere\n  r(x) :=\n    {name}(x) |\n    @r(x) |\n    {name}2(x),\n  s := a\n"),
    );
}

#[test]
fn comments_stay_with_what_they_explain() {
    let text = "\
// The head of the file.

-- About p.
prop p: Forall x . // all of them
  (a(x) -> b) & // first
  # before the second
  !(c /* odd place */ | d(x))
  where // the rules
  // about r
  r := a(1), /* about s */ s := b // at the end
/* Two
   lines. */
pred m = a(2) // behind m

// Nothing follows.
";
    let expected = "\
// The head of the file.

-- About p.
// at the end
prop p:
  Forall x .
    // all of them
    // first
    (a(x) -> b) &
    # before the second
    /* odd place */
    !(c | d(x))
where
  // the rules
  // about r
  r := a(1),
  /* about s */
  s := b

/* Two
   lines. */
// behind m
pred m = a(2)

// Nothing follows.
";
    assert_layout(text, expected);
}

fn name() -> impl Strategy<Value = Name> {
    const WORDS: [&str; 7] = ["x", "y", "zed", "Z", "a_long_name_that_fills_lines", "open", "é$1"];
    prop::sample::select(&WORDS[..]).prop_map(|text| Name { text: text.into(), span: Span::default() })
}

fn any_argument() -> impl Strategy<Value = Argument> {
    let constant = |quoted| move |text: String| Argument::Constant(Constant { text: text.into(), quoted });
    prop_oneof![
        name().prop_map(Argument::Variable),
        "-?[0-9]{1,3}".prop_map(constant(false)),
        "[ -~é\n\t]{0,6}".prop_map(constant(true)),
    ]
}

fn length((amount, unit): (i64, Option<Unit>)) -> Duration {
    Duration { amount: amount.into(), unit }
}

fn bound() -> impl Strategy<Value = Bound> {
    let number = || (0..30i64, proptest::option::of(prop::sample::select(Unit::ALL.to_vec()))).prop_map(length);
    prop_oneof![Just(Bound::None), number().prop_map(Bound::AtMost), number().prop_map(Bound::MoreThan)]
}

fn plain(kind: Kind) -> Formula {
    Formula::new(kind, Span::default())
}

fn leaf() -> impl Strategy<Value = Kind> {
    use Relation::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual};
    let relation = prop::sample::select(&[Less, LessOrEqual, Greater, GreaterOrEqual, Equal][..]);
    prop_oneof![
        any::<bool>().prop_map(Kind::Constant),
        (name(), prop::collection::vec(any_argument(), 0..4)).prop_map(|(name, all)| Kind::Atom(name, all)),
        (relation, any_argument(), any_argument()).prop_map(|(how, left, right)| Kind::Relation(how, left, right)),
    ]
}

/// Joins operands as the parser does: chains in chains are one chain.
fn chain(all: Vec<Formula>, conjunction: bool) -> Kind {
    let flat = all.into_iter().flat_map(|operand| match operand.kind {
        Kind::And(inner) if conjunction => inner,
        Kind::Or(inner) if !conjunction => inner,
        kind => vec![plain(kind)],
    });
    if conjunction { Kind::And(flat.collect()) } else { Kind::Or(flat.collect()) }
}

fn formula() -> impl Strategy<Value = Formula> {
    let quantification = (any::<bool>(), any::<bool>()).prop_map(|(forall, lower_case)| Quantification {
        quantifier: if forall { Quantifier::Forall } else { Quantifier::Exists },
        lower_case,
    });
    leaf().prop_map(plain).prop_recursive(6, 40, 4, move |inner| {
        let one = inner.clone().prop_map(Box::new);
        let two = (one.clone(), one.clone());
        prop_oneof![
            one.clone().prop_map(Kind::Not),
            one.clone().prop_map(Kind::Previous),
            (bound(), one.clone()).prop_map(|(bound, body)| Kind::Once(bound, body)),
            (bound(), one.clone()).prop_map(|(bound, body)| Kind::Historically(bound, body)),
            (bound(), two.clone()).prop_map(|(bound, (left, right))| Kind::Since(bound, left, right)),
            (0..9i64, two.clone()).prop_map(|(limit, (left, right))| Kind::StrictSince(
                length((limit, None)),
                left,
                right
            )),
            two.clone().prop_map(|(from, to)| Kind::Interval(from, to)),
            (quantification.clone(), name(), one).prop_map(|(how, name, body)| Kind::Quantified(how, name, body)),
            (prop::collection::vec(inner, 2..4), any::<bool>()).prop_map(|(all, both)| chain(all, both)),
            two.clone().prop_map(|(left, right)| Kind::Implies(left, right)),
            two.prop_map(|(left, right)| Kind::Iff(left, right)),
        ]
        .prop_map(plain)
    })
}

fn head() -> impl Strategy<Value = Head> {
    (name(), prop::collection::vec(name(), 0..3)).prop_map(|(name, parameters)| Head { name, parameters })
}

fn definition() -> impl Strategy<Value = Definition> {
    (head(), formula()).prop_map(|(head, body)| Definition { comments: Vec::new(), head, body })
}

fn document() -> impl Strategy<Value = Document> {
    let property = (name(), formula(), prop::collection::vec(definition(), 0..3))
        .prop_map(|(name, formula, rules)| ItemKind::Property(Property { name, formula, rules }));
    let kind = prop_oneof![
        definition().prop_map(ItemKind::Macro),
        property,
        prop::collection::vec(head(), 1..4).prop_map(ItemKind::Events),
    ];
    let item = kind.prop_map(|kind| Item { comments: Vec::new(), kind, span: Span::default() });
    prop::collection::vec(item, 0..4).prop_map(|items| Document { items, comments: Vec::new() })
}

/// A tree whose places are all the same.
fn without_places(mut document: Document) -> Document {
    for item in &mut document.items {
        item.span = Span::default();
        match &mut item.kind {
            ItemKind::Macro(definition) => forget_definition(definition),
            ItemKind::Events(heads) => heads.iter_mut().for_each(forget_head),
            ItemKind::Property(property) => {
                property.name.span = Span::default();
                forget_formula(&mut property.formula);
                property.rules.iter_mut().for_each(forget_definition);
            }
        }
    }
    document
}

fn forget_definition(definition: &mut Definition) {
    forget_head(&mut definition.head);
    forget_formula(&mut definition.body);
}

fn forget_head(head: &mut Head) {
    head.name.span = Span::default();
    head.parameters.iter_mut().for_each(|name| name.span = Span::default());
}

fn forget_argument(argument: &mut Argument) {
    if let Argument::Variable(name) = argument {
        name.span = Span::default();
    }
}

fn forget_formula(formula: &mut Formula) {
    formula.span = Span::default();
    match &mut formula.kind {
        Kind::Constant(_) | Kind::Unreadable => {}
        Kind::Atom(name, arguments) => {
            name.span = Span::default();
            arguments.iter_mut().for_each(forget_argument);
        }
        Kind::Relation(_, left, right) => [left, right].into_iter().for_each(forget_argument),
        Kind::Not(body) | Kind::Previous(body) => forget_formula(body),
        Kind::Once(_, body) | Kind::Historically(_, body) => forget_formula(body),
        Kind::Quantified(_, name, body) => {
            name.span = Span::default();
            forget_formula(body);
        }
        Kind::Since(_, left, right) | Kind::StrictSince(_, left, right) | Kind::Interval(left, right) => {
            [left, right].into_iter().for_each(|side| forget_formula(side));
        }
        Kind::Implies(left, right) | Kind::Iff(left, right) => {
            [left, right].into_iter().for_each(|side| forget_formula(side));
        }
        Kind::And(all) | Kind::Or(all) => all.iter_mut().for_each(forget_formula),
    }
}

/// Puts comments between some of the tokens of a text.
fn with_comments(text: &str, marks: &[u8]) -> String {
    let mut marks = marks.iter().cycle();
    let mut commented = String::new();
    for word in text.split_inclusive(' ') {
        commented.push_str(word);
        match marks.next() {
            Some(0) => commented.push_str("/* block */ "),
            Some(1) => commented.push_str("// line\n"),
            Some(2) => commented.push_str("\n# own line\n\n"),
            _ => {}
        }
    }
    commented
}

proptest! {
    #![proptest_config(properties(1000))]

    #[test]
    fn printing_and_parsing_gives_the_tree_back(document in document()) {
        let text = print(&document);
        let Parsed { document: again, diagnostics } = parse(&text);
        prop_assert_eq!(&diagnostics, &[], "{}", text);
        prop_assert_eq!(without_places(again), document, "{}", text);
        prop_assert_eq!(formatted(&text), text);
    }

    #[test]
    fn comments_are_never_lost(document in document(), marks in prop::collection::vec(0..12u8, 1..30)) {
        let plain = print(&document);
        // Strings may hold blanks, where no comment can stand.
        prop_assume!(!plain.contains('"'));
        let text = with_comments(&plain, &marks);
        let once = formatted(&text);
        let count = |text: &str| ["/* block */", "// line", "# own line"].map(|mark| text.matches(mark).count());
        prop_assert_eq!(count(&once), count(&text), "{}\n---\n{}", text, once);
        prop_assert_eq!(formatted(&once), once.clone(), "{}", text);
        prop_assert_eq!(without_comments(&once), plain);
    }
}

/// The canonical text without its comments.
fn without_comments(text: &str) -> String {
    let kept: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with(['/', '#'])).collect();
    formatted(&kept.join("\n"))
}
