use super::*;

fn codes(text: &str) -> Vec<&'static str> {
    compile(&Source::new("s.stl", text), &Options::default()).diagnostics.iter().map(|found| found.code).collect()
}

#[test]
fn the_layout_is_canonical_and_stable() {
    for (text, expected) in [
        ("G_[0,1000] (x < 5 => F_[0,100] x > 7)", "G_[0,1000] (x < 5 => F_[0,100] x > 7)"),
        ("always eventually[2s,inf) !(a&b|c)", "G F_[2s,inf) not (a and b or c)"),
        ("p U[1,2] q U r and (x+1)*2 >= -y", "p U_[1,2] q U r and (x + 1) * 2 >= -y"),
        ("not x = \"on\" -> abs(x - 3) <= 2.50", "not x = \"on\" => abs(x - 3) <= 2.5"),
        ("x = \"\u{feff}\\\"\"", "x = \"\u{feff}\\\"\""),
    ] {
        let once = format(&Source::new("s.stl", text)).unwrap_or_else(|found| panic!("{text}: {found:?}"));
        assert_eq!(once.trim_end(), expected);
        assert_eq!(format(&Source::new("s.stl", once.as_str())).expect("readable"), once);
    }
}

#[test]
fn errors_have_their_codes() {
    for (text, code) in [
        ("G x + 1", "E0801"),
        ("(x < 5) + 1 > 2", "E0801"),
        ("G x < 05", "E0802"),
        ("F_[10,5] x > 7", "E0803"),
        ("F_[1s,5] x > 7", "E0803"),
        ("G (x < 5", "E0003"),
        ("G", "E0003"),
        ("", "E0003"),
        ("G x < 5 x", "E0003"),
    ] {
        assert_eq!(codes(text), [code], "{text}");
    }
}

#[test]
fn nothing_that_is_typed_breaks_the_compiler() {
    let text = "G_[0,10s] (x < 5.5 => (F_[0,100] x * 2 - abs(y) > 7 U_[2,inf) not \"on\" = z))";
    for end in 0..=text.len() {
        codes(&text[..end]);
        codes(&text[end..]);
    }
    codes(&"G ".repeat(10_000));
    codes(&"(".repeat(10_000));
    codes(&"a U ".repeat(10_000));
}
