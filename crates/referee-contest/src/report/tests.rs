use super::*;
use crate::score::{PRINTED_2014, Printed, Rules, compare, score};

fn page_2014() -> String {
    let printed = Printed::parse(PRINTED_2014).expect("readable");
    let (results, rules) = (printed.results(), Rules::load("crv14").expect("rules"));
    let scores = score(&results, &rules);
    let deviations = compare(&printed);
    let against = Against { title: "the same".into(), scores: scores.clone() };
    html(&Page {
        results: &results,
        scores: &scores,
        rules: &rules,
        deviations: &deviations,
        queries: &[],
        against: Some(&against),
    })
}

#[test]
fn the_page_is_whole_small_and_needs_no_network() {
    let page = page_2014();
    assert!(page.len() < 300_000, "{} bytes", page.len());
    for word in ["src=", "@import", "url(", "fetch(", "<link"] {
        assert!(!page.contains(word), "{word}");
    }
    // The elements that are opened are closed.
    for element in ["section", "table", "tbody", "details", "figure", "svg", "div", "dl", "ul", "main", "p", "g"] {
        let opened = page.matches(&format!("<{element}>")).count() + page.matches(&format!("<{element} ")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "{element}");
    }
}

#[test]
fn every_link_within_the_page_has_a_target() {
    let page = page_2014();
    let targets: std::collections::HashSet<&str> =
        page.split("id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let links: Vec<&str> = page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(links.len() > 150, "{}", links.len());
    for link in links {
        assert!(targets.contains(link), "{link}");
    }
    assert_eq!(targets.len(), page.split(" id=\"").count() - 1, "no target is there twice");
}

#[test]
fn the_papers_errors_are_shown() {
    let page = page_2014();
    for text in ["0.00375", "printed in the wrong places", "exceed table 6 by exactly", "0 of 92 cells differ"] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn names_cannot_become_markup() {
    let printed = PRINTED_2014.replace("RiTHM", "<b>Ri&\\\"THM</script>");
    let printed = Printed::parse(&printed).expect("readable");
    let (results, rules) = (printed.results(), Rules::load("crv14").expect("rules"));
    let scores = score(&results, &rules);
    let page = Page { results: &results, scores: &scores, rules: &rules, deviations: &[], queries: &[], against: None };
    let text = html(&page);
    assert!(text.contains("&lt;b&gt;Ri&amp;&quot;THM&lt;/script&gt;"));
    assert!(!text.contains("<b>Ri") && !text.contains("THM</script>"));
    assert!(csv(&scores).contains("\"<b>Ri&\"\"THM</script>\""));
}
