//! The report in a real browser. `.ci/browser` runs these, and installs Chromium where it is missing.
//!
//! A copy of the page gets one more script, which does what a reader does and writes what it finds into the page; the
//! browser prints the page as it is then.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::kit::{Contest, SMALL, stdout};

const SCRIPT: &str = include_str!("browser.js");

/// What the script finds in a window of this width, in the dark or not.
fn found(page: &Path, width: u32, dark: bool) -> Value {
    let text =
        fs::read_to_string(page).expect("the page").replace("</body>", &format!("<script>{SCRIPT}</script></body>"));
    let copy = page.with_extension("tested.html");
    fs::write(&copy, text).expect("written");
    let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".into());
    let output = Command::new(&program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"])
        .arg(format!("--user-data-dir={}", page.with_extension("profile").display()))
        .arg(format!("--window-size={width},900"))
        .arg(format!("--blink-settings=preferredColorScheme={}", if dark { 0 } else { 1 }))
        .args(["--virtual-time-budget=4000", "--dump-dom"])
        .arg(format!("file://{}", copy.display()))
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}; .ci/browser installs it"));
    let dom = String::from_utf8_lossy(&output.stdout);
    let json = dom.split("<pre id=\"found\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let json = json.unwrap_or_else(|| panic!("the script did not end: {}", String::from_utf8_lossy(&output.stderr)));
    serde_json::from_str(&json.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")).expect("JSON")
}

fn check(page: &Path, ranking: &[&str]) {
    for (width, dark) in [(1280, false), (1280, true), (500, false), (500, true)] {
        let found = found(page, width, dark);
        let at = format!("width {width}, dark {dark}: {found}");
        assert_eq!(found["errors"], Value::Array(Vec::new()), "{at}");
        assert_eq!(found["width"], width, "{at}");
        assert_eq!(found["overflow"], 0, "{at}");
        assert_eq!(found["ranking"], Value::from(ranking.to_vec()), "{at}");
        assert_eq!(found["dark"], dark, "{at}");
        assert_eq!(found["dark_after_switch"], !dark, "{at}");
        assert!(found["contrast"].as_f64() >= Some(4.5), "{at}");
        // Filtering leaves the rows that match, and all come back.
        assert_eq!(found["filtered"], found["matching"], "{at}");
        assert_eq!(found["unfiltered"], found["rows"], "{at}");
        // Plots have a size and points; another pair of tools moves them.
        assert!(found["plots"].as_u64() >= Some(2), "{at}");
        assert_eq!(found["empty_plots"], 0, "{at}");
        assert_eq!(found["scatter_changed"], true, "{at}");
        // A score leads to its explanation, unfolded.
        assert_eq!(found["unfolded"], true, "{at}");
        assert!(found["formula"].as_str().is_some_and(|formula| formula.starts_with("C = 10: correct")), "{at}");
        assert_eq!(found["unlabelled"], 0, "{at}");
        assert_eq!(found["printed_details"], true, "{at}");
    }
}

#[test]
#[ignore = "needs Chromium: .ci/browser"]
fn the_report_of_2014() {
    let contest = Contest::new(SMALL);
    let page = contest.path("crv14.html");
    stdout(&["contest", "demo", "crv14", "-o", page.to_str().expect("a name")]);
    check(&page, &["RiTHM", "RTC", "E-ACSL", "QEA", "JavaMOP", "jUnitRV", "LARVA", "QEA", "MonPoly", "RiTHM", "STePR"]);
}

#[test]
#[ignore = "needs Chromium: .ci/browser"]
fn the_report_of_a_small_competition() {
    let contest = Contest::new(SMALL);
    contest.tool("Quick", "echo 'STATUS: Violated'");
    contest.tool("Slow", "sleep 0.3; echo 'STATUS: Violated'");
    contest.tool("Wrong", "echo 'STATUS: Satisfied'");
    contest.run_well(&["--repeat", "3"]);
    let page = contest.path("small.html");
    stdout(&["contest", "report", contest.argument(), "-o", page.to_str().expect("a name")]);
    check(&page, &["Quick", "Slow", "Wrong"]);
}
