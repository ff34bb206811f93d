//! Results as JUnit XML, which every CI reads.

use std::fmt::Write;

use super::suite::{Case, Suite};

/// The whole document.
pub(super) fn document(suites: &[Suite]) -> String {
    let failed = |suite: &Suite| suite.tests.iter().filter(|case| !case.ok).count();
    let tests: usize = suites.iter().map(|suite| suite.tests.len()).sum();
    let failures: usize = suites.iter().map(failed).sum();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    add(&mut out, format_args!("<testsuites name=\"referee test\" tests=\"{tests}\" failures=\"{failures}\">\n"));
    for suite in suites {
        let (name, count) = (escaped(&suite.file), suite.tests.len());
        let failures = failed(suite);
        add(&mut out, format_args!("  <testsuite name=\"{name}\" tests=\"{count}\" failures=\"{failures}\">\n"));
        suite.tests.iter().for_each(|case| testcase(&mut out, &suite.file, case));
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn testcase(out: &mut String, file: &str, case: &Case) {
    let line = case.line.map(|line| format!(" line=\"{line}\"")).unwrap_or_default();
    let (file, name) = (escaped(file), escaped(&case.name));
    add(out, format_args!("    <testcase classname=\"{file}\" name=\"{name}\" file=\"{file}\"{line}"));
    match &case.reason {
        None => out.push_str("/>\n"),
        Some(reason) => {
            let reason = escaped(reason);
            add(out, format_args!(">\n      <failure message=\"{reason}\">{reason}</failure>\n    </testcase>\n"));
        }
    }
}

/// Adds text, of which a string takes everything.
fn add(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

/// A text as content or in quotes; what XML cannot hold at all becomes `?`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push(' '),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => out.push('?'),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_become_xml() {
        let good = Case::new("p accepts".into(), Some(3), Ok(()));
        let bad = Case::new("p \"rejects\"".into(), None, Err("a < b & c\u{1}".into()));
        let text = document(&[Suite { file: "a.md".into(), tests: vec![good, bad] }]);
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"referee test\" tests=\"2\" failures=\"1\">
  <testsuite name=\"a.md\" tests=\"2\" failures=\"1\">
    <testcase classname=\"a.md\" name=\"p accepts\" file=\"a.md\" line=\"3\"/>
    <testcase classname=\"a.md\" name=\"p &quot;rejects&quot;\" file=\"a.md\">
      <failure message=\"a &lt; b &amp; c?\">a &lt; b &amp; c?</failure>
    </testcase>
  </testsuite>
</testsuites>
";
        assert_eq!(text, expected);
    }
}
