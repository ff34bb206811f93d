//! Outlines word by word.

use referee_spec::core::Language;
use referee_spec::language::{Options, Source, compile};

use super::of;

fn outline(language: Language, specification: &str) -> String {
    let compiled = compile(language, &Source::new("test", specification), &Options::default());
    let property = compiled.properties.first().unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    of(property).to_string()
}

#[test]
fn dump() {
    for (language, text) in [
        (
            Language::Qtl,
            "prop access: Forall u . Forall f . access(u, f) -> [login(u), logout(u)) & [open(f), close(f))",
        ),
        (Language::Qtl, "prop twice: Forall x . enter(x) -> !@P enter(x)"),
        (Language::Foltl, "(forall p:proc)(forall f:file)(always (open(p,f) => eventually close(p,f)))"),
        (Language::Mfotl, "ALWAYS FORALL x, a. request(x, a) IMPLIES a / 2 < 100 AND EVENTUALLY[0,5] report(x)"),
        (
            Language::Qtl,
            "prop ancestry: Forall x . Forall y . stop(x, y) -> ancestor(x, y) where ancestor(a, c) := @ancestor(a, c) | spawn(a, c) | Exists b . @ancestor(a, b) & spawn(b, c)",
        ),
        (Language::Mfotl, "ALWAYS FORALL u. ok(u) IMPLIES NOT fail(u) SINCE[0,7] login(u)"),
    ] {
        eprintln!("-----\n{}", outline(language, text));
    }
}
