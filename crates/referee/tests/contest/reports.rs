//! `referee contest report` and `demo`.

use std::fs;

use crate::kit::{Contest, SMALL, repository, stdout};

#[test]
fn the_demo_reproduces_the_tables_of_2014() {
    let text = stdout(&["contest", "demo", "crv14"]);
    for line in [
        "   1  QEA              230     84.48   82.02  396.51\n   1  JavaMOP          230     88.53   77.87  396.40\n",
        "   2  MonPoly          190     39.17   64.19  293.36\n",
        "offline 4.3.18 MonPoly: overhead score printed 0.375, the formula gives 0.00375",
        "Five benchmarks on which only E-ACSL competed are missing from table 6",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn a_page_a_table_and_differences() {
    let contest = Contest::new(SMALL);
    contest.tool("A", "echo 'STATUS: Violated'");
    contest.tool("B", "echo 'STATUS: Satisfied'");
    contest.run_well(&["--repeat", "3"]);
    let before = contest.path("before.jsonl");
    fs::copy(contest.path("results/journal.jsonl"), &before).expect("copied");
    contest.tool("B", "echo 'STATUS: Violated'");
    contest.run_well(&["--repeat", "3"]);
    let (page, csv, json) = (contest.path("r.html"), contest.path("r.csv"), contest.path("r.json"));
    let name = |path: &std::path::Path| path.to_str().expect("a name").to_owned();
    stdout(&[
        "contest",
        "report",
        contest.argument(),
        "-o",
        &name(&page),
        "--against",
        &name(&before),
        "--csv",
        &name(&csv),
        "--json",
        &name(&json),
    ]);
    let text = fs::read_to_string(&page).expect("written");
    assert!(text.contains("wrong verdict → correct"), "the difference is shown");
    assert!(text.contains("95 % interval") && text.contains("control groups"), "intervals and method are shown");
    // Links to outputs lead to files.
    let link = text.split("href=\"results/").nth(1).and_then(|rest| rest.split('"').next()).expect("a link");
    assert!(contest.path("results").join(link).is_file(), "{link}");
    let links: Vec<&str> = text.split("href=\"results/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(links.iter().filter(|link| link.ends_with(".out")).count(), 6, "{links:?}");
    assert_eq!(links.iter().filter(|link| link.ends_with(".out.err")).count(), 6, "{links:?}");
    assert!(links.contains(&"journal.jsonl"), "{links:?}");
    assert!(links.iter().all(|link| contest.path("results").join(link).is_file()), "{links:?}");
    let first = text.split("<li>run 1: ").nth(1).and_then(|rest| rest.split("</li>").next()).expect("a run");
    assert!(first.contains("ms, CPU ") && first.contains("MiB "), "{first}");
    assert!(text.contains(" %, 3 runs</small>"), "how sure times are");
    assert_eq!(fs::read_to_string(&csv).expect("written").lines().count(), 3);
    let scores: serde_json::Value = serde_json::from_str(&fs::read_to_string(&json).expect("written")).expect("JSON");
    assert_eq!(scores["tracks"][0]["ranking"].as_array().map(Vec::len), Some(2));
}

#[test]
fn published_tables_make_a_page_too() {
    let contest = Contest::new(SMALL);
    let page = contest.path("r.html");
    let file = repository().join("data/crv14/results.json");
    stdout(&["contest", "report", file.to_str().expect("a name"), "-o", page.to_str().expect("a name")]);
    assert!(fs::read_to_string(page).expect("written").contains("id=\"deviations\""));
}
