use super::*;

fn results_2014() -> Results {
    Printed::parse(PRINTED_2014).expect("the tables are readable").results()
}

fn rules(name: &str) -> Rules {
    Rules::load(name).unwrap_or_else(|error| panic!("{error}"))
}

fn place<'s>(scores: &'s Scores, track: &str, tool: &str) -> &'s Place {
    let track = scores.tracks.iter().find(|one| one.track == track).expect("the track");
    track.ranking.iter().find(|place| place.tool == tool).expect("the tool")
}

#[test]
fn the_totals_of_2014_are_reproduced() {
    let scores = score(&results_2014(), &rules("crv14"));
    for (track, tool, rank, total, allowed) in [
        ("java", "QEA", 1, 396.5, 0.06),
        ("java", "JavaMOP", 1, 396.4, 0.06),
        ("java", "jUnitRV", 2, 280.8, 0.06),
        ("java", "LARVA", 3, 211.2, 0.06),
        ("offline", "QEA", 1, 339.2, 0.2),
        ("offline", "MonPoly", 2, 293.4, 0.2),
        ("offline", "RiTHM", 3, 237.0, 0.2),
        ("offline", "STePR", 4, 220.4, 0.2),
    ] {
        let found = place(&scores, track, tool);
        assert_eq!(found.rank, rank, "{track} {tool}");
        assert!((found.total - total).abs() <= allowed, "{track} {tool}: {}", found.total);
    }
}

#[test]
fn exactly_four_printed_scores_do_not_follow_from_the_printed_inputs() {
    let printed = Printed::parse(PRINTED_2014).expect("readable");
    let found: Vec<String> = compare(&printed)
        .iter()
        .map(|one| {
            format!("{} {} {} {}: {} is {:.5}", one.track, one.section, one.tool, one.score, one.printed, one.formula)
        })
        .collect();
    assert_eq!(
        found,
        [
            "c 4.1.6 RTC overhead: 0.14 is 0.48465",
            "c 4.1.7 RTC overhead: 0.29 is 0.90892",
            "offline 4.3.5 MonPoly overhead: 1.24 is 1.22422",
            "offline 4.3.18 MonPoly overhead: 0.375 is 0.00375",
        ]
    );
}

#[test]
fn without_the_correction_larvas_columns_do_not_fit() {
    let uncorrected = PRINTED_2014.replace("columns-rotated", "columns-as-printed");
    let deviations = compare(&Printed::parse(&uncorrected).expect("readable"));
    assert!(deviations.iter().filter(|one| one.track == "java").count() > 40);
}

#[test]
fn table_7_needs_rows_that_table_6_does_not_have() {
    let scores = score(&results_2014(), &rules("crv14"));
    let printed = Printed::parse(PRINTED_2014).expect("readable");
    let missing = |tool: &str| {
        let (found, summary) = (place(&scores, "c", tool), &printed.tracks["c"].summary[tool]);
        let number = |text: &str| text.parse::<f64>().expect("a number");
        [number(&summary.correctness) - found.correctness, number(&summary.memory) - found.memory].map(f64::round)
    };
    assert_eq!(missing("E-ACSL"), [50.0, 50.0]);
    assert_eq!(missing("RTC"), [10.0, 0.0]);
    assert_eq!(missing("RiTHM"), [0.0, 0.0]);
}

#[test]
fn every_benchmark_shares_all_its_points() {
    let results = results_2014();
    for track in score(&results, &rules("crv14")).tracks {
        for id in track.cells.iter().map(|cell| &cell.benchmark).collect::<std::collections::BTreeSet<_>>() {
            let cells: Vec<&Cell> = track.cells.iter().filter(|cell| cell.benchmark == *id).collect();
            let measured = cells.iter().any(|cell| cell.c > 0.0 && cell.wall.is_some());
            let shared: f64 = cells.iter().map(|cell| cell.o).sum();
            assert!((shared - if measured { 10.0 } else { 0.0 }).abs() < 1e-9, "{} {id}: {shared}", track.track);
        }
    }
}

/// A competition of one benchmark, one tool per outcome.
fn small(online: bool, cells: &[(Outcome, &[f64])]) -> Results {
    let cell = |(outcome, walls): &(Outcome, &[f64])| CellResult {
        outcome: *outcome,
        walls: walls.to_vec(),
        memories: walls.iter().map(|wall| wall * 1e6).collect(),
        ..CellResult::default()
    };
    let benchmark =
        BenchmarkResults { id: "B".into(), cells: cells.iter().map(cell).collect(), ..BenchmarkResults::default() };
    let tools = (0..cells.len()).map(|number| format!("t{number}")).collect();
    let track = TrackResults { track: "x".into(), online, tools, benchmarks: vec![benchmark] };
    Results { tracks: vec![track], ..Results::default() }
}

#[test]
fn outcomes_cost_what_the_rules_say() {
    let outcomes =
        [Outcome::Correct, Outcome::NotEntered, Outcome::Wrong, Outcome::GaveUp, Outcome::NoVerdict, Outcome::Crash];
    for (online, crash) in [(false, -5.0), (true, -10.0)] {
        let cells: Vec<(Outcome, &[f64])> = outcomes.iter().map(|outcome| (*outcome, &[2.0][..])).collect();
        let scores = score(&small(online, &cells), &rules("crv16"));
        let totals: Vec<f64> = scores.tracks[0].cells.iter().map(Cell::total).collect();
        assert_eq!(totals, [30.0, 0.0, -5.0, -5.0, -5.0, crash]);
    }
}

#[test]
fn points_are_shared_by_speed_and_cells_explain_themselves() {
    let scores = score(&small(false, &[(Outcome::Correct, &[1.0]), (Outcome::Correct, &[3.0])]), &rules("crv16"));
    let cells = &scores.tracks[0].cells;
    assert_eq!((cells[0].o, cells[1].o), (7.5, 2.5));
    assert_eq!(cells[0].formula[0], "C = 10: correct");
    assert_eq!(cells[0].formula[1], "O = 10 × (1/1) / (1/1 + 1/3) = 7.50 (seconds)");
    assert_eq!(cells[1].formula[2], "M = 10 × (1/2.86) / (1/0.9537 + 1/2.86) = 2.50 (MiB)");
}

#[test]
fn tiny_and_missing_measurements_are_marked() {
    let scores = score(&small(false, &[(Outcome::Correct, &[0.0001]), (Outcome::Correct, &[])]), &rules("crv16"));
    let cells = &scores.tracks[0].cells;
    assert_eq!(cells[0].note.as_deref(), Some("time below the clock's resolution of 0.001 s"));
    assert!(cells[1].note.as_deref().is_some_and(|note| note.starts_with("no time measured: to be run again")));
    assert_eq!((cells[0].o, cells[1].o), (10.0, 0.0));
}

#[test]
fn draws_share_a_rank_and_chains_of_them_do_not_grow() {
    let place = |tool: &str, total: f64| Place {
        rank: 0,
        tool: tool.into(),
        correctness: 0.0,
        overhead: 0.0,
        memory: 0.0,
        total,
        interval: None,
    };
    let mut places = [place("c", 9.7), place("a", 10.0), place("b", 9.8), place("d", 9.5)];
    rank(&mut places, 0.2);
    let ranks: Vec<(&str, usize)> = places.iter().map(|place| (place.tool.as_str(), place.rank)).collect();
    assert_eq!(ranks, [("a", 1), ("b", 1), ("c", 2), ("d", 2)]);
}

#[test]
fn intervals_tell_apart_what_differs_and_not_what_does_not() {
    let near: &[f64] = &[1.0, 1.2, 0.9, 1.1];
    let also: &[f64] = &[1.05, 1.15, 0.95, 1.1];
    let far: &[f64] = &[5.0, 5.1, 4.9, 5.0];
    let scores = score(
        &small(false, &[(Outcome::Correct, near), (Outcome::Correct, also), (Outcome::Correct, far)]),
        &rules("crv16"),
    );
    let track = &scores.tracks[0];
    let interval = track.ranking[0].interval.expect("repeated runs");
    assert!(interval.low < track.ranking[0].total && track.ranking[0].total < interval.high);
    assert_eq!(track.separations.iter().map(|one| one.separable).collect::<Vec<_>>(), [false, true]);
    assert!(score(&results_2014(), &rules("crv14")).tracks[0].ranking[0].interval.is_none());
}

#[test]
fn one_run_tells_nothing_of_the_next() {
    let (near, far): (&[f64], &[f64]) = (&[1.0, 1.01, 0.99, 1.0], &[5.0]);
    let track = |cells: &[(Outcome, &[f64])]| score(&small(false, cells), &rules("crv16")).tracks.remove(0);
    // Five times as fast, as far as one run tells: not told apart, and both totals may be almost anything.
    let unsure = track(&[(Outcome::Correct, near), (Outcome::Correct, far)]);
    assert_eq!(unsure.separations.iter().map(|one| one.separable).collect::<Vec<_>>(), [false]);
    for place in &unsure.ranking {
        let interval = place.interval.expect("something was repeated");
        assert_eq!((interval.low, interval.high), (10.0, 30.0), "{}", place.tool);
    }
    let sure = track(&[(Outcome::Correct, near), (Outcome::Correct, &[5.0, 5.0])]);
    assert!(sure.separations[0].separable);
    // What nobody shares is sure however often it was measured, and so are verdicts.
    let verdicts = track(&[(Outcome::Correct, far), (Outcome::Wrong, near)]);
    assert!(verdicts.separations[0].separable);
    let interval = verdicts.ranking[0].interval.expect("something was repeated");
    assert_eq!((interval.low, interval.high), (30.0, 30.0));
}

#[test]
fn the_traces_of_a_package_share_the_points_of_one_benchmark() {
    let mut results = small(false, &[(Outcome::Correct, &[1.0]), (Outcome::Crash, &[])]);
    let benchmarks = &mut results.tracks[0].benchmarks;
    benchmarks[0].package = "B".into();
    for name in ["B/long", "B/longer"] {
        let further = BenchmarkResults { id: name.into(), ..benchmarks[0].clone() };
        benchmarks.push(further);
    }
    benchmarks.push(BenchmarkResults { id: "C".into(), package: "C".into(), ..benchmarks[0].clone() });
    let scores = score(&results, &rules("crv16"));
    let (first, second) = (&scores.tracks[0].ranking[0], &scores.tracks[0].ranking[1]);
    assert!((first.total - 60.0).abs() < 1e-9 && (second.total + 10.0).abs() < 1e-9, "{first:?} {second:?}");
    let cell = &scores.tracks[0].cells[0];
    assert!((cell.weight - 1.0 / 3.0).abs() < 1e-9);
    assert_eq!(cell.formula[0], "C = 3.33: correct");
    assert_eq!(cell.formula[3], "one of 3 traces of B, which share the points of one benchmark");
    assert_eq!(scores.tracks[0].cells[6].formula.len(), 3, "C has one trace");
}

#[test]
fn rules_are_data() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("mine.toml");
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/crv16.toml")).expect("rules");
    std::fs::write(&file, text.replace("overhead = 10.0", "overhead = 40.0")).expect("written");
    let mine = rules(file.to_str().expect("a name"));
    let scores = score(&small(false, &[(Outcome::Correct, &[1.0])]), &mine);
    assert_eq!(scores.tracks[0].cells[0].total(), 60.0);
    assert_eq!((mine.online_limit(0.01), mine.online_limit(2.0)), (1.0, 20.0));
    std::fs::write(&file, text.replace("overhead = 10.0", "overhead = -1.0")).expect("written");
    let error = Rules::load(file.to_str().expect("a name")).expect_err("negative points");
    assert!(error.to_string().ends_with(":10:12: expected a number above 0, found -1"), "{error}");
    let hint = Rules::load("crv15").expect_err("unknown").hint.expect("a hint");
    assert_eq!(hint, "--rules takes a TOML file or one of: crv14, crv16");
}
