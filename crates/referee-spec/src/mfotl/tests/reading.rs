//! How texts are understood.

use super::understood;

#[test]
fn prefix_operators_extend_as_their_level_says() {
    for (text, expected) in [
        ("ONCE[0,28] withdraw(u,a) AND tp(i)", "(Once<0None true 28None true> (AND withdraw(u, a), tp(i)))"),
        ("NOT a() SINCE b()", "((NOT a()) Since b())"),
        ("ONCE a() SINCE b()", "((Once a()) Since b())"),
        ("EXISTS x. a(x) SINCE b()", "((Exists x. a(x)) Since b())"),
        ("EXISTS x. a(x) IMPLIES b()", "(Exists x. (a(x) IMPLIES b()))"),
        ("ONCE EXISTS x. a(x) AND b()", "(Once (Exists x. (AND a(x), b())))"),
        ("EXISTS x. ONCE a(x) SINCE b()", "((Exists x. (Once a(x))) Since b())"),
        ("a() AND ONCE b() AND c() OR d()", "(AND a(), (Once (OR (AND b(), c()), d())))"),
        ("a() AND ONCE b() SINCE c()", "((AND a(), (Once b())) Since c())"),
        ("NOT ONCE a() AND b()", "(NOT (Once (AND a(), b())))"),
        ("NOT a() AND b()", "(AND (NOT a()), b())"),
        ("NOT x = y", "(NOT (x Equal y))"),
        ("LET p(x) = a(x) OR b(x) IN p(y) SINCE c()", "(LET p(x) = (OR a(x), b(x)) IN (p(y) Since c()))"),
        ("a() OR LET p(x) = b(x) IN p(y) AND c()", "(OR a(), (LET p(x) = b(x) IN (AND p(y), c())))"),
    ] {
        assert_eq!(understood(text), expected, "{text}");
    }
}

#[test]
fn binary_operators_by_level_and_side() {
    for (text, expected) in [
        ("a() SINCE b() UNTIL c()", "(a() Since (b() Until c()))"),
        ("a() TRIGGER b() RELEASE c()", "(a() Trigger (b() Release c()))"),
        ("a() IMPLIES b() IMPLIES c()", "(a() IMPLIES (b() IMPLIES c()))"),
        ("a() EQUIV b() EQUIV c()", "((a() EQUIV b()) EQUIV c())"),
        ("a() EQUIV b() IMPLIES c()", "(a() EQUIV (b() IMPLIES c()))"),
        ("a() OR b() AND c() OR d()", "(OR a(), (AND b(), c()), d())"),
        ("a() AND (b() AND c())", "(AND a(), b(), c())"),
        ("a() AND b() IMPLIES c() OR d()", "((AND a(), b()) IMPLIES (OR c(), d()))"),
        ("x + y * z = 1 - 2 - 3", "((x Add (y Multiply z)) Equal ((#1 Subtract #2) Subtract #3))"),
        ("-x * y MOD 2 / z < 1", "(((((- x) Multiply y) Modulo #2) Divide z) Less #1)"),
        ("(x + 1) * 2 = y AND (a())", "(AND (((x Add #1) Multiply #2) Equal y), a())"),
        ("((x)) = (((y)))", "(x Equal y)"),
    ] {
        assert_eq!(understood(text), expected, "{text}");
    }
}

#[test]
fn intervals() {
    for (text, expected) in [
        ("ONCE[0,5] a()", "<0None true 5None true>"),
        ("ONCE (2 , 3h] a()", "<2None false 3Some(Hour) true>"),
        ("ONCE (0,*) a()", "<0None false * false>"),
        ("ONCE[1d,*] a()", "<1Some(Day) true * false>"),
        ("ONCE[5m,007s) a()", "<5Some(Minute) true 7Some(Second) false>"),
        ("ONCE (10,000) a()", "<10None false 0None false>"),
    ] {
        assert_eq!(understood(text), format!("(Once{expected} a())"), "{text}");
    }
    assert_eq!(understood("ONCE (10,000 < x)"), "(Once (#10000 Less x))");
    assert_eq!(understood("a() SINCE(1,2] (b())"), "(a() Since<1None false 2None true> b())");
}

#[test]
fn numbers_in_groups_of_three() {
    assert_eq!(understood("s <= 10,000"), "(s LessOrEqual #10000)");
    assert_eq!(understood("s <= 1,234,567."), "(s LessOrEqual #1234567)");
    assert_eq!(understood("p(10,200)"), "p(#10, #200)");
    assert_eq!(understood("(s + 10,000) > 2"), "((s Add #10000) Greater #2)");
}

#[test]
fn notations_are_synonyms() {
    for (one, other) in [
        ("PREVIOUS a()", "PREV a()"),
        ("SOMETIMES a()", "EVENTUALLY a()"),
        ("HISTORICALLY a()", "PAST_ALWAYS a()"),
        ("FORWARD a()", "MATCHF a()"),
        ("BACKWARD[0,3] a()", "MATCHP[0,3] a()"),
        ("x <> y AND x ≠ y", "x != y AND x != y"),
        ("x ≤ y AND x ≥ y", "x <= y AND x >= y"),
        ("s ← SUM a; u. p(u,a)", "s <- SUM a; u p(u,a)"),
        ("x <-1", "x < -1"),
        ("f MATCHES r\"^a\"", "f MATCHES '^a'"),
        ("a() # one\n AND (* two\n *) b().", "a() AND b()"),
    ] {
        assert_eq!(understood(one), understood(other), "{one}");
    }
}

#[test]
fn terms() {
    assert_eq!(
        understood("p(_, u'', \"a b\", -1, 2.50, f2i(x / 2), s2i(i2s(3)))"),
        "p(_, u'', \"a b\", (- #1), #2.50, FloatToInteger((x Divide #2)), TextToInteger(IntegerToText(#3)))"
    );
    assert_eq!(understood("x SUBSTRING y AND f2s(z) = s2f(w)"), {
        "(AND (x Substring y), (FloatToText(z) Equal TextToFloat(w)))"
    });
}

#[test]
fn regular_expressions() {
    for (text, expected) in [
        ("MATCHP .* a(x) b()", "[.*, <a(x)>, <b()>]"),
        ("MATCHP a() + b() c()*", "{<a()>, [<b()>, <c()>*]}"),
        ("MATCHP (a() + b())* c()?", "[{<a()>, <b()>}*, <c()>?]"),
        ("MATCHP (a() OR b())?", "<(OR a(), b())>?"),
        ("MATCHP ((a() OR b()) AND c())", "<(AND (OR a(), b()), c())>"),
        ("MATCHP ((a() OR b()) c())*", "[<(OR a(), b())>, <c()>]*"),
        ("MATCHP (x = 1)* (x + 1 = 2)", "[<(x Equal #1)>*, <((x Add #1) Equal #2)>]"),
        ("MATCHP (x) + 1 = 2", "<((x Add #1) Equal #2)>"),
        ("MATCHP ((x + 1) * 2 = y)", "<(((x Add #1) Multiply #2) Equal y)>"),
        ("MATCHP NOT a() (NOT b())*", "[<(NOT a())>, <(NOT b())>*]"),
        ("MATCHP (((a())))**", "<a()>*"),
        ("MATCHP a() .", "[<a()>, .]"),
        ("MATCHP (a()? .)*", "[<a()>?, .]*"),
    ] {
        assert_eq!(understood(text), format!("(MatchPast {expected})"), "{text}");
    }
    assert_eq!(
        understood("MATCHF[0,5] a() b() AND c()"),
        "(AND (MatchFuture<0None true 5None true> [<a()>, <b()>]), c())"
    );
}

#[test]
fn aggregations() {
    assert_eq!(understood("c <- CNT x p(x)"), "(c <- Count x; . p(x))");
    assert_eq!(
        understood("m <- MED x; g, h. ONCE p(x, g, h) AND q(x)"),
        "(m <- Median x; g, h. (Once (AND p(x, g, h), q(x))))"
    );
    let quantile = "(q <- Quantile(Rank { numerator: 19, denominator: 20 }) x; g. p(x, g))";
    assert_eq!(understood("q <- QUANTILE 0.95 x; g. p(x, g)"), quantile);
    assert_eq!(understood("q <- P95 x; g p(x, g)"), quantile);
    assert_eq!(understood("x <-P95 OR p(x)"), "(OR (x Less (- P95)), p(x))");
    assert_eq!(understood("(m <- AVG x (p(x))) AND m > 2"), "(AND (m <- Average x; . p(x)), (m Greater #2))");
}
