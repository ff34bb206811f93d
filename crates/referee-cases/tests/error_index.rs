//! `docs/codes.md` is made from the registry of codes. `REFEREE_UPDATE=1` writes it anew.

use std::path::Path;

use referee_spec::diagnostic::Explanation;
use referee_spec::explanations::explanations;

fn page() -> String {
    let mut page = String::from(
        "# Errors and lints\n\n\
         Every message about a specification has a code; `referee explain CODE` prints its entry. Codes with E are errors: the\n\
         specification is not judged. Codes with L are lints: it is judged, but perhaps does not say what was meant.\n\n\
         This page is made from the registry of codes and not edited by hand.\n\n\
         | code | meaning |\n|---|---|\n",
    );
    let all = explanations();
    for explanation in &all {
        let Explanation { code, title, .. } = explanation;
        page.push_str(&format!("| [{code}](#{}) | {} |\n", code.to_lowercase(), title.replace('|', "\\|")));
    }
    all.iter().for_each(|explanation| page.push_str(&section(explanation)));
    page
}

fn section(explanation: &Explanation) -> String {
    let Explanation { code, title, meaning, why, example, instead } = explanation;
    format!(
        "\n## {code}\n\n**{title}.** {meaning}\n\n{why}\n\n```text\n{example}\n```\n\nInstead:\n\n```text\n{instead}\n```\n"
    )
}

#[test]
fn the_page_of_errors_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/codes.md");
    if std::env::var_os("REFEREE_UPDATE").is_some() {
        std::fs::write(&path, page()).expect("a writable page");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page(), "docs/codes.md is out of date: run the test with REFEREE_UPDATE=1");
}
