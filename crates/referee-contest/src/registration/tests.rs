use std::fs;
use std::path::Path;

use jiff::civil::date;

use super::*;

/// A competition over the packages of the repository, with more text in its document.
fn contest(more: &str) -> Result<Contest, String> {
    let directory = tempfile::tempdir().expect("a directory");
    let benchmarks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks");
    let text = format!("name = \"Test\"\npackages = [\"{}/*\"]\ntools = []\n{more}", benchmarks.display());
    fs::write(directory.path().join(DOCUMENT), text).expect("written");
    Contest::load(directory.path()).map_err(|error| error.to_string())
}

const PHASES: &str = "[phases]
registration = { starts = \"2016-05-01\", ends = \"2016-06-05\" }
benchmarks = { starts = \"2016-05-01\", ends = \"2016-05-29\" }
clarifications = { starts = \"2016-06-05\", ends = \"2016-06-12\" }
monitors = { starts = \"2016-06-19\", ends = \"2016-07-10\" }
";

#[test]
fn days_lie_in_phases() {
    let contest = contest(PHASES).expect("a competition");
    let position = |day| Position::of(&contest.document.phases, day);
    assert_eq!(position(date(2016, 4, 30)).next, Some((Phase::Registration, date(2016, 5, 1))));
    assert_eq!(position(date(2016, 5, 20)).open, [Phase::Registration, Phase::Benchmarks]);
    assert_eq!(position(date(2016, 6, 5)).open, [Phase::Registration, Phase::Clarifications]);
    let between = position(date(2016, 6, 15));
    assert!(between.open.is_empty() && between.next == Some((Phase::Monitors, date(2016, 6, 19))));
    assert!(!position(date(2016, 7, 10)).is_over(Phase::Monitors));
    assert!(position(date(2016, 7, 11)).is_over(Phase::Monitors));
}

#[test]
fn a_package_waits_for_its_clarifications_and_votes() {
    let question =
        "[[clarifications]]\npackage = \"HasNext\"\nby = \"MarQ\"\nat = \"2016-06-07\"\ntext = \"?\"\nstate = ";
    let obstacles = |more: &str| {
        let contest = contest(more).expect("a competition");
        let package = contest.package("HasNext").expect("it is there");
        Eligibility::of(&contest, package, &|_| Ok(())).obstacles
    };
    assert_eq!(obstacles(""), []);
    assert_eq!(obstacles(&format!("{question}\"open\"")), [Obstacle::OpenClarification { by: "MarQ".into() }]);
    assert_eq!(obstacles(&format!("{question}\"answered\"")), []);
    assert_eq!(obstacles("tracks = [\"java\", \"offline\"]\n"), []);
    assert_eq!(obstacles("tracks = [\"java\"]\n"), [Obstacle::OtherTrack(crate::package::Track::Offline)]);
    let vote = "organisers = [\"Ann\", \"Bob\"]\n[[votes]]\npackage = \"HasNext\"\nreason = \"too easy\"\nballots = ";
    assert_eq!(obstacles(&format!("{vote}{{ Ann = \"exclude\" }}")), [Obstacle::VotedOut]);
    let even = format!("{vote}{{ Ann = \"exclude\", Bob = \"include\" }}\n");
    assert_eq!(obstacles(&even), [Obstacle::VoteOpen]);
    assert_eq!(obstacles(&format!("{even}casting = \"include\"\n")), []);
}

#[test]
fn what_validation_finds_is_an_obstacle() {
    let contest = contest("").expect("a competition");
    let package = contest.package("HasNext").expect("it is there");
    let found = Eligibility::of(&contest, package, &|_| Err("the verdict is wrong".into()));
    assert_eq!(found.obstacles, [Obstacle::Invalid("the verdict is wrong".into())]);
    assert_eq!(found.obstacles[0].to_string(), "not valid: the verdict is wrong");
}

#[test]
fn mistakes_are_named_with_their_place() {
    let team = "[[teams]]\ntool = \"T\"\ntracks = [\"offline\"]\norganiser = \"Ann\"\n";
    let vote = "[[votes]]\npackage = \"HasNext\"\nreason = \"?\"\nballots = ";
    for (more, expected) in [
        ("[phases]\nmonitors = { starts = \"soon\", ends = \"2016-07-10\" }".to_owned(), "`soon` is no day"),
        ("[phases]\nmonitors = { starts = \"2016-07-11\", ends = \"2016-07-10\" }".to_owned(), "ends before it starts"),
        ("[limits]\nwall = 0".to_owned(), ":5:8: expected seconds, above 0"),
        ("[limits]\ncpu = -1".to_owned(), ":5:7: expected seconds, above 0"),
        ("[repetitions]\nleast = 5\nmost = 4".to_owned(), "expected 1 ≤ least ≤ most"),
        (format!("{vote}{{ Zoe = \"include\" }}"), "`Zoe` is neither a team nor an organiser"),
        (
            format!("organisers = [\"Ann\"]\n{team}{vote}{{ T = \"include\", Ann = \"include\" }}"),
            "`T` and its organiser `Ann` have one vote together",
        ),
    ] {
        let said = contest(&more).expect_err("a mistake");
        assert!(said.contains(expected), "{more}: {said}");
    }
    let said = Contest::load(Path::new("/nowhere")).expect_err("nothing there").to_string();
    assert!(said.starts_with("/nowhere: no competition: it holds no contest.toml"), "{said}");
}

#[test]
fn what_is_asked_and_voted_on_is_there() {
    let question = |package: &str| {
        format!(
            "[[clarifications]]\npackage = \"{package}\"\nby = \"MarQ\"\nat = \"2016-06-07\"\ntext = \"?\"\nstate = \"open\"\n"
        )
    };
    assert!(contest(&question("HasNext")).is_ok());
    let refused = contest(&question("has-next")).expect_err("no such package");
    assert!(refused.contains("there is no package `has-next`"), "{refused}");
    let vote = "[[votes]]\npackage = \"Hasnext\"\nreason = \"?\"\nballots = {}\n";
    let refused = contest(vote).expect_err("no such package");
    assert!(refused.contains("there is no package `Hasnext`"), "{refused}");
    let query = "[[queries]]\ntool = \"Nobody\"\nby = \"MarQ\"\nat = \"2016-08-01\"\ntext = \"?\"\nstate = \"open\"\n";
    let about = |benchmark: &str| {
        let team = "[[teams]]\ntool = \"Nobody\"\ntracks = [\"offline\"]\n";
        contest(&format!("{team}{query}benchmark = \"{benchmark}\"\n"))
    };
    assert!(about("HasNext").is_ok() && about("HasNext/long").is_ok());
    assert!(about("HasNext/longer").is_err_and(|refused| refused.contains("there is no package `HasNext/longer`")));
    let refused = contest(query).expect_err("no such tool");
    assert!(refused.contains("there is no tool `Nobody`"), "{refused}");
    let team = "[[teams]]\ntool = \"MarQ\"\ntracks = [\"offline\"]\n";
    let refused = contest(&[team, team].concat()).expect_err("two teams");
    assert!(refused.contains("two teams have the tool `MarQ`"), "{refused}");
}
