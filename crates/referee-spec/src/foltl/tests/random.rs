//! Random trees survive printing and parsing; random token soup is survived by the parser.

use proptest::prelude::*;
use referee_testing::properties;

use super::super::syntax::*;
use super::super::{compile, parse, print};
use crate::options::Options;
use crate::source::Source;

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-cxyz]",
        1 => prop_oneof![
            Just("next"), Just("release"), Just("before"), Just("define"), Just("event"), Just("property"), Just("U"), Just("always"),
            Just("weak-next"), Just("true"), Just("and"), Just("a b"), Just("é"), Just("x'"), Just("∀"), Just(""), Just("G")
        ].prop_map(str::to_owned),
    ]
}

fn arc(text: String) -> std::sync::Arc<str> {
    text.into()
}

fn term(kind: TermKind) -> Term {
    Term { kind, span: Span::default() }
}

fn formula(kind: FormulaKind) -> Formula {
    Formula { kind, span: Span::default() }
}

fn any_term() -> impl Strategy<Value = Term> + Clone {
    let leaf = prop_oneof![
        name().prop_map(|name| term(TermKind::Name(arc(name)))),
        "[1-9][0-9]{0,2}(\\.[0-9])?".prop_map(|text| term(TermKind::Number(arc(text)))),
        "[a-c\"\\\\\n\t ]{0,3}".prop_map(|text| term(TermKind::String(arc(text)))),
        any::<bool>().prop_map(|truth| term(TermKind::Boolean(truth))),
    ];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let op = prop_oneof![
            Just(Arithmetic::Add),
            Just(Arithmetic::Subtract),
            Just(Arithmetic::Multiply),
            Just(Arithmetic::Divide)
        ];
        prop_oneof![
            (op, inner.clone(), inner.clone()).prop_map(|(op, left, right)| term(TermKind::Binary(
                op,
                Box::new(left),
                Box::new(right)
            ))),
            inner.clone().prop_map(|body| term(TermKind::Negate(Box::new(body)))),
            (name(), prop::collection::vec(inner, 0..3))
                .prop_map(|(name, arguments)| term(TermKind::Apply(arc(name), arguments))),
        ]
    })
}

fn unary() -> impl Strategy<Value = UnaryOp> {
    use UnaryOp::*;
    prop::sample::select(vec![Prev, WeakPrev, Next, WeakNext, Once, Historically, Eventually, Always])
}

fn binary() -> impl Strategy<Value = BinaryOp> {
    use BinaryOp::*;
    prop::sample::select(vec![Since, WeakSince, Until, WeakUntil, Release])
}

fn comparison() -> impl Strategy<Value = Comparison> + Clone {
    use Comparison::*;
    prop::sample::select(vec![Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual])
}

/// A conjunction without conjunctions among its parts, as the parser builds it.
fn and(parts: Vec<Formula>) -> Formula {
    let open = |part: Formula| if let FormulaKind::And(all) = part.kind { all } else { vec![part] };
    formula(FormulaKind::And(parts.into_iter().flat_map(open).collect()))
}

fn or(parts: Vec<Formula>) -> Formula {
    let open = |part: Formula| if let FormulaKind::Or(all) = part.kind { all } else { vec![part] };
    formula(FormulaKind::Or(parts.into_iter().flat_map(open).collect()))
}

fn plain_name(text: String) -> Name {
    Name { text: arc(text), span: Span::default() }
}

fn quantified() -> impl Strategy<Value = (Quantifier, Vec<Name>, Option<Name>)> {
    let quantifier = prop::sample::select(vec![Quantifier::Forall, Quantifier::Exists]);
    let variables = prop::collection::vec("[xyz]'?".prop_map(plain_name), 1..3);
    (quantifier, variables, prop::option::of("[st]".prop_map(plain_name)))
}

fn any_formula() -> impl Strategy<Value = Formula> + Clone {
    let leaf = prop_oneof![
        any::<bool>().prop_map(|truth| formula(FormulaKind::Constant(truth))),
        (name(), prop::option::of(prop::collection::vec(any_term(), 0..3)))
            .prop_map(|(name, arguments)| formula(FormulaKind::Event(arc(name), arguments))),
        (comparison(), any_term(), any_term())
            .prop_map(|(comparison, left, right)| formula(FormulaKind::Compare(comparison, left, right))),
    ];
    leaf.prop_recursive(6, 40, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            boxed.clone().prop_map(|body| formula(FormulaKind::Not(body))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(and),
            prop::collection::vec(inner.clone(), 2..4).prop_map(or),
            (boxed.clone(), boxed.clone()).prop_map(|(left, right)| formula(FormulaKind::Implies(left, right))),
            (boxed.clone(), boxed.clone()).prop_map(|(left, right)| formula(FormulaKind::Iff(left, right))),
            (unary(), boxed.clone()).prop_map(|(op, body)| formula(FormulaKind::Unary(op, body))),
            (binary(), boxed.clone(), boxed.clone())
                .prop_map(|(op, left, right)| formula(FormulaKind::Binary(op, left, right))),
            (quantified(), boxed).prop_map(|((quantifier, variables, sort), body)| formula(FormulaKind::Quantified(
                quantifier, variables, sort, body
            ))),
        ]
    })
}

/// `m.x * t < n`: what definitions have and other formulas lack.
fn beside() -> impl Strategy<Value = Formula> + Clone {
    (comparison(), "[xy]", any_term()).prop_map(|(comparison, axis, factor)| {
        let coordinate = term(TermKind::Coordinate("m".into(), plain_name(axis)));
        let product = term(TermKind::Binary(Arithmetic::Multiply, Box::new(coordinate), Box::new(factor)));
        formula(FormulaKind::Compare(comparison, product, term(TermKind::Name("n".into()))))
    })
}

fn any_file() -> impl Strategy<Value = File> {
    let argument = (prop::option::of("[fg]"), "[st]")
        .prop_map(|(field, sort)| DeclaredArgument { field: field.map(plain_name), sort: plain_name(sort) });
    let declaration = ("[a-c]", prop::collection::vec(argument, 0..3)).prop_map(|(name, arguments)| {
        Item::Event(Declaration { name: plain_name(name), arguments, span: Span::default() })
    });
    let property = ("[pqr][0-9]", any_formula()).prop_map(|(name, formula)| {
        Item::Property(PropertyItem {
            name: Some(plain_name(name)),
            formula,
            span: Span::default(),
            damage: Damage::None,
        })
    });
    let bare = any_formula().prop_map(|formula| {
        Item::Property(PropertyItem { name: None, formula, span: Span::default(), damage: Damage::None })
    });
    let definition = ("[dg]", prop_oneof![any_formula(), beside()]).prop_map(|(name, body)| {
        let parameters = ["m", "n"].map(|name| plain_name(name.to_owned())).to_vec();
        let (span, damage) = (Span::default(), Damage::None);
        Item::Definition(DefinitionItem { name: plain_name(name), parameters, body, span, damage })
    });
    let first = prop_oneof![bare, declaration.clone(), definition.clone(), property.clone()];
    let others = prop::collection::vec(prop_oneof![declaration, definition, property], 0..3);
    (first, others).prop_map(|(first, others)| File { items: [vec![first], others].concat() })
}

/// The tree's text in Rust's notation without its spans: two trees are alike if these are.
fn without_spans(file: &File) -> String {
    let text = format!("{file:?}");
    let mut parts = text.split("Span { start: ");
    let mut kept = parts.next().unwrap_or("").to_owned();
    for part in parts {
        kept.push_str(part.split_once(" }").map_or("", |(_, rest)| rest));
    }
    kept
}

fn soup() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "(",
        ")",
        ",",
        ":",
        ".",
        "true",
        "not",
        "and",
        "or",
        "=>",
        "<=>",
        "forall",
        "exists",
        "next",
        "always",
        "before",
        "weakly",
        "until",
        "since",
        "release",
        "=",
        "<",
        "<=",
        ">",
        "+",
        "-",
        "*",
        "/",
        "1",
        "007",
        "\"a\"",
        "\"",
        "x",
        "y",
        "p",
        "property",
        "event",
        "define",
        "define d(p, x) =",
        "p.x",
        "d(p)",
        "U",
        "# c\n",
        "/* c */",
        "/*",
        "$",
        "é",
        "∀",
        "□",
        "(forall x:s)",
        "p(x)",
        "f(x) <",
    ]);
    prop::collection::vec(token, 0..60).prop_map(|tokens| tokens.join(" "))
}

proptest! {
    #![proptest_config(properties(2000))]

    #[test]
    fn printed_trees_parse_to_themselves(file in any_file()) {
        let text = print::print(&file, &[], "");
        let parsed = parse::parse(&text, false);
        let errors: Vec<_> = parsed.diagnostics.iter().filter(|found| found.is_error()).collect();
        prop_assert!(errors.is_empty(), "{text}\n{errors:?}");
        prop_assert_eq!(without_spans(&parsed.file), without_spans(&file), "{}", text);
        prop_assert_eq!(print::print(&parsed.file, &parsed.comments, &text), text);
    }

    #[test]
    fn token_soup_is_survived(text in soup(), lenient: bool) {
        let source = Source::new("soup.foltl", text.as_str());
        let compiled = compile(&source, &Options { lenient, ..Options::default() });
        for found in &compiled.diagnostics {
            prop_assert!(found.span.start <= found.span.end && found.span.end <= text.len());
            prop_assert!(!found.render(&source, false).is_empty());
        }
        let clean = compiled.diagnostics.iter().all(|found| !found.is_error());
        prop_assert!(!clean || !compiled.properties.is_empty());
    }

    #[test]
    fn any_text_is_survived(text in "\\PC{0,80}") {
        let source = Source::new("text.foltl", text.as_str());
        let compiled = compile(&source, &Options::default());
        prop_assert!(compiled.properties.len() <= 1 + text.matches("property").count());
    }
}
