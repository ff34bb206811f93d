//! `init`: whatever the log, what is written is accepted by `check`.

use std::fs;

use crate::kit::{Desk, gzip, repository};

/// Lines of a program that nobody has described.
const SERVICE: &str = "2026-11-18 10:00:01,120 INFO  worker started job 17 on node-3\n\
    2026-11-18 10:00:02,007 INFO  user ann opened file report.pdf\n\
    2026-11-18 10:00:02,500 WARN  disk sda1 is 91 percent full\n\
    2026-11-18 10:00:03,001 INFO  user bob opened file notes.txt\n\
    2026-11-18 10:00:04,640 INFO  worker started job 18 on node-1\n\
    2026-11-18 10:00:05,002 ERROR cannot reach 192.0.2.7: timed out\n\
    2026-11-18 10:00:06,100 INFO  worker finished job 17 on node-3\n\
    2026-11-18 10:00:07,230 INFO  user ann closed file report.pdf\n\
    2026-11-18 10:00:08,230 INFO  user bob closed file notes.txt\n\
    2026-11-18 10:00:09,100 INFO  worker finished job 18 on node-1\n";

const LOGFMT: &str = "time=2026-11-18T10:00:00Z level=info msg=connected client=192.0.2.1\n\
    time=2026-11-18T10:00:02Z level=info msg=connected client=192.0.2.2\n\
    time=2026-11-18T10:00:03Z level=error msg=query client=192.0.2.1 error=\"no such table\"\n\
    time=2026-11-18T10:00:04Z level=info msg=disconnected client=192.0.2.1\n";

const JOURNAL: &str = "{\"__REALTIME_TIMESTAMP\":\"1763460000000000\",\"_HOSTNAME\":\"web1\",\"SYSLOG_IDENTIFIER\":\"sshd\",\"PRIORITY\":\"6\",\"MESSAGE\":\"a\"}\n\
    {\"__REALTIME_TIMESTAMP\":\"1763460001000000\",\"_HOSTNAME\":\"web1\",\"SYSLOG_IDENTIFIER\":\"cron\",\"PRIORITY\":\"3\",\"MESSAGE\":\"b\"}\n\
    {\"__REALTIME_TIMESTAMP\":\"1763460002000000\",\"_HOSTNAME\":\"web1\",\"SYSLOG_IDENTIFIER\":\"sshd\",\"PRIORITY\":\"6\",\"MESSAGE\":\"c\"}\n";

const CLOUDTRAIL: &str = "{\"Records\":[{\"eventTime\":\"2026-11-18T10:00:00Z\",\"eventName\":\"ConsoleLogin\",\"eventSource\":\"signin.amazonaws.com\",\
    \"awsRegion\":\"eu-central-1\",\"sourceIPAddress\":\"192.0.2.1\",\"userIdentity\":{\"arn\":\"arn:aws:iam::1:user/ann\"}},\
    {\"eventTime\":\"2026-11-18T10:00:09Z\",\"eventName\":\"DeleteBucket\",\"eventSource\":\"s3.amazonaws.com\",\"userIdentity\":{\"arn\":\"arn:aws:iam::1:user/ann\"}}]}";

const GITHUB: &str = "{\"action\":\"opened\",\"repository\":{\"full_name\":\"a/b\"},\"sender\":{\"login\":\"ann\"},\"pull_request\":{\"number\":7,\"merged\":false}}\n\
    {\"action\":\"closed\",\"repository\":{\"full_name\":\"a/b\"},\"sender\":{\"login\":\"bob\"},\"pull_request\":{\"number\":7,\"merged\":true}}\n";

const ECS: &str = "{\"@timestamp\":\"2026-11-18T10:00:00.000Z\",\"ecs.version\":\"8.11\",\"event\":{\"action\":\"login\",\"outcome\":\"failure\"},\"user\":{\"name\":\"ann\"}}\n\
    {\"@timestamp\":\"2026-11-18T10:00:01.000Z\",\"ecs.version\":\"8.11\",\"log\":{\"level\":\"error\"},\"message\":\"x\"}\n";

const DOCUMENT: &str = "{\"took\": 3, \"result\": {\"hits\": [{\"id\": 1, \"kind\": \"open\", \"at\": 1763460000}, {\"id\": 1, \"kind\": \"close\", \"at\": 1763460009}]}}";

/// A command line that `init` printed, as words.
fn command_of(report: &str) -> Vec<String> {
    let line = report.lines().rev().find(|line| line.starts_with("  referee check ")).expect("a command");
    line.split_whitespace().skip(1).map(|word| word.trim_matches('\'').to_owned()).collect()
}

/// Runs what `init` said; it must end in a verdict.
#[track_caller]
fn judged(desk: &Desk, report: &str) -> String {
    let command = command_of(report);
    let run = desk.run(&command.iter().map(|word| &**word).collect::<Vec<_>>());
    assert!(matches!(run.code, Some(0 | 1)), "{command:?}\n{}{}", run.out, run.err);
    assert!(run.out.ends_with("STATUS: Satisfied\n") || run.out.ends_with("STATUS: Violated\n"), "{}", run.out);
    run.out
}

/// Puts every other rule of a specification in the place of the first, and judges the log by it.
#[track_caller]
fn others_are_judged(desk: &Desk, report: &str) {
    let mut command = command_of(report);
    let text = desk.read(&command[1]);
    let others: Vec<&str> = text
        .split("Others that could stand here:\n")
        .nth(1)
        .map_or(Vec::new(), |others| others.lines().filter_map(|line| line.strip_prefix("#   ")).collect());
    command[1] = "other.mfotl".to_owned();
    for other in others {
        desk.write("other.mfotl", other);
        let run = desk.run(&command.iter().map(|word| &**word).collect::<Vec<_>>());
        assert!(matches!(run.code, Some(0 | 1)), "{other}\n{}{}", run.out, run.err);
    }
}

/// Looks at a log, judges it by all that was written, and returns the report and the verdict.
#[track_caller]
fn looked_at(name: &str, log: impl AsRef<[u8]>) -> (Desk, String, String) {
    let desk = Desk::with(name, log);
    let report = desk.run(&["init", name]).fine();
    let verdict = judged(&desk, &report);
    others_are_judged(&desk, &report);
    (desk, report, verdict)
}

fn example(name: &str) -> String {
    fs::read_to_string(repository().join("examples/logs").join(name)).expect("the repository has examples")
}

#[test]
fn a_trace_needs_no_mapping() {
    let trace = fs::read_to_string(repository().join("examples/traces/bank.csv")).expect("an example");
    let (desk, report, _) = looked_at("bank.csv", trace);
    assert!(report.contains("It needs no mapping.\n") && report.contains("login(user)"), "{report}");
    assert_eq!(desk.files(), ["bank.csv", "bank.mfotl", "other.mfotl"]);
    assert!(
        desk.read("bank.mfotl").contains("\nlogout(user) IMPLIES ONCE login(user)\n"),
        "{}",
        desk.read("bank.mfotl")
    );
}

#[test]
fn native_formats_need_no_mapping() {
    for (name, trace) in [
        ("a.xml", "<log><event><name>open</name><field><name>f</name><value>1</value></field></event></log>"),
        ("a.jsonl", "{\"open\":{\"f\":1}}\n{\"close\":{\"f\":1}}\n"),
        ("b.jsonl", "{\"event\":\"open\",\"f\":1}\n{\"event\":\"close\",\"f\":1}\n"),
        ("a.logfmt", "event=open f=1\nevent=close f=1\n"),
        ("a.log", "@1 open (1)\n@2 close (1);\n"),
        ("a.trace", "open(1).close(1)"),
        ("plain.csv", "open,1\nclose,1\n"),
        ("named.csv", "open, f = 1\nclose, f = 1\n"),
        ("a.blocks", "open\nf = 1\n\nclose\nf = 1\n"),
    ] {
        let (_, report, _) = looked_at(name, trace);
        assert!(report.contains("It needs no mapping.\n"), "{name}: {report}");
    }
}

#[test]
fn access_logs_are_read_by_a_ready_mapping() {
    let (desk, report, verdict) = looked_at("access.log", example("access.log"));
    assert!(report.contains("`--map combined` comes with Referee"), "{report}");
    assert!(verdict.contains("status = 500"), "{verdict}");
    assert_eq!(desk.files(), ["access.log", "access.mfotl", "other.mfotl"]);
    let common = "192.0.2.1 - - [18/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 5\n".repeat(3);
    assert!(looked_at("common.log", common).1.contains("--map common"));
}

#[test]
fn logins_are_found_in_syslog() {
    let (desk, report, verdict) = looked_at("auth.log", example("auth.log"));
    for event in ["failed_login(host, user, address)", "session_opened(", "sudo(host, user, command)"] {
        assert!(report.contains(event), "{event}: {report}");
    }
    assert!(desk.read("auth.toml").contains("\"syslog\",\n]"), "{}", desk.read("auth.toml"));
    assert!(verdict.contains("VIOLATION"), "{verdict}");
    let plain =
        "Nov 18 10:00:00 web1 kernel: up\nNov 18 10:00:01 web1 dhcpd: lease\nNov 18 10:00:02 web1 kernel: down\n";
    assert!(looked_at("messages", plain).1.contains("--map syslog"));
}

#[test]
fn json_logs_are_recognised() {
    for (log, mapping) in [
        (example("audit.log"), "kubernetes-audit"),
        (example("spans.json"), "otlp"),
        (CLOUDTRAIL.to_owned(), "cloudtrail"),
        (GITHUB.to_owned(), "github-webhook"),
        (ECS.to_owned(), "ecs"),
    ] {
        let (_, report, _) = looked_at("log.json", log);
        assert!(report.contains(&format!(" --map {mapping} ")), "{report}");
    }
}

#[test]
fn a_minute_is_one_in_the_unit_of_the_log() {
    let (desk, ..) = looked_at("audit.log", example("audit.log"));
    let text = desk.read("audit.mfotl");
    // The times of this log are in milliseconds.
    assert!(text.contains("in 60 seconds.\n#   (n <- CNT i; user. ONCE[0, 60000] ("), "{text}");
}

#[test]
fn spans_are_sorted() {
    let (_, report, verdict) = looked_at("spans.json", example("spans.json"));
    assert!(report.contains(" --reorder 1s "), "{report}");
    assert!(verdict.ends_with("STATUS: Satisfied\n"), "{verdict}");
}

#[test]
fn nested_json_gets_a_mapping_with_the_useful_paths() {
    let (desk, report, _) = looked_at("orders.jsonl", example("orders.jsonl"));
    let mapping = desk.read("orders.toml");
    for line in [
        "time = { field = \"time\", format = \"rfc3339\" }",
        "name = \"event.type\"",
        "order.amount.value?",
        "actor.user.name?",
    ] {
        assert!(mapping.contains(line), "{line}: {mapping}");
    }
    assert!(report.contains("order_created("), "{report}");
}

#[test]
fn records_inside_documents_are_found() {
    let (desk, report, verdict) = looked_at("hits.json", DOCUMENT);
    let mapping = desk.read("hits.toml");
    assert!(mapping.contains("records = \"result.hits[]\"") && mapping.contains("format = \"epoch\""), "{mapping}");
    assert!(report.contains("open(id)") && verdict.ends_with("Satisfied\n"), "{report}");
}

#[test]
fn journals_are_read() {
    let (_, report, _) = looked_at("journal.json", JOURNAL);
    assert!(report.contains("sshd(") || report.contains("--map journald"), "{report}");
}

/// A value of several lines stands behind its length, in bytes.
#[test]
fn exports_of_journald_are_read_by_a_ready_mapping() {
    let export = std::fs::read(repository().join("examples/logs/journal.export")).expect("an example");
    // Of a long one only whole entries are looked at.
    for copies in [1, 2_000] {
        let (_, report, verdict) = looked_at("journal.export", export.repeat(copies));
        assert!(report.contains("backup(") && report.contains("`--map journald` comes with Referee"), "{report}");
        assert!(verdict.contains("STATUS: "), "{verdict}");
    }
}

#[test]
fn pairs_of_logfmt_are_read() {
    let (desk, report, _) = looked_at("db.log", LOGFMT);
    assert!(desk.read("db.toml").contains("name = \"msg\""), "{}", desk.read("db.toml"));
    assert!(report.contains("disconnected("), "{report}");
    assert!(desk.read("db.mfotl").contains("IMPLIES ONCE connected("), "{}", desk.read("db.mfotl"));
}

#[test]
fn tables_get_a_column_for_names_and_one_for_times() {
    let (desk, report, _) = looked_at("cases.csv", example("cases.csv"));
    let mapping = desk.read("cases.toml");
    for line in [
        "delimiter = \";\"",
        "name = \"Activity\"",
        "field = \"Timestamp\", format = \"%d.%m.%Y %H:%M:%S\"",
        "to = \"register_request\"",
    ] {
        assert!(mapping.contains(line), "{line}: {mapping}");
    }
    assert!(report.contains("register_request(case_id, resource, amount)"), "{report}");
    let tabs = "time\tuser\taction\n1\tann\tlogin\n2\tbob\tlogin\n3\tann\tlogout\n4\tbob\tlogout\n";
    let (desk, report, _) = looked_at("t.tsv", tabs);
    assert!(report.contains("login(user)") && report.contains("with times"), "{report}{}", desk.read("t.toml"));
    let commas =
        "user,action,when\nann,login,2026-11-18 10:00\nann,logout,2026-11-18 11:00\nbob,login,2026-11-18 12:00\n";
    assert!(looked_at("t.csv", commas).1.contains("login(user)"));
}

#[test]
fn lines_of_text_get_patterns() {
    let (desk, report, _) = looked_at("service.log", SERVICE);
    for event in ["worker_started_job_on(", "user_opened_file(", "log("] {
        assert!(report.contains(event), "{event}: {report}");
    }
    assert!(desk.read("service.toml").contains("format = \"rfc3339\""), "{}", desk.read("service.toml"));
    assert!(report.contains("with times"), "{report}");
    assert!(looked_at("notes", "one line\nand another, longer\n").1.contains("line("));
}

#[test]
fn times_that_go_back_are_sorted_or_left() {
    let row = |second: u32| format!("2026-11-18T10:00:{second:02}Z;pay;{second}\n");
    let log = format!("when;what;n\n{}", [1, 5, 3, 9].map(row).concat());
    let (desk, report, _) = looked_at("t.csv", log);
    assert!(report.contains("sorted within 10s"), "{report}");
    assert!(desk.read("t.toml").contains("reorder = \"10s\""), "{}", desk.read("t.toml"));
}

#[test]
fn nothing_is_overwritten_unless_asked() {
    let desk = Desk::with("access.log", example("access.log"));
    desk.write("access.mfotl", "mine");
    let run = desk.run(&["init", "access.log"]);
    run.failed_with("access.mfotl exists already, and nothing was written", "--force overwrites");
    assert_eq!(desk.read("access.mfotl"), "mine");
    desk.run(&["init", "access.log", "--force"]).fine();
    assert!(desk.read("access.mfotl").contains("IMPLIES"));
}

#[test]
fn files_go_where_they_are_told() {
    let desk = Desk::with("cases.csv", example("cases.csv"));
    let report = desk.run(&["init", "cases.csv", "--output", "new/folder", "--name", "first"]).fine();
    assert!(report.contains("referee check new/folder/first.mfotl cases.csv --map new/folder/first.toml"), "{report}");
    judged(&desk, &report);
    let both = desk.run(&["init", "cases.csv", "--stdout"]).fine();
    assert!(both.starts_with("# ==> cases.toml <==\n") && both.contains("# ==> cases.mfotl <==\n"), "{both}");
    assert_eq!(desk.files(), ["cases.csv", "new"]);
}

#[test]
fn compressed_logs_and_standard_input_are_looked_at() {
    let (_, report, _) = looked_at("access.log.gz", gzip(example("access.log").as_bytes()));
    assert!(report.contains("--map combined"), "{report}");
    let compressed = zstd::encode_all(example("auth.log").as_bytes(), 3).expect("memory takes all");
    assert!(looked_at("auth.log.zst", compressed).1.contains("failed_login"));
    let desk = Desk::new();
    let report = desk.run_with(&["init", "-"], example("cases.csv")).fine();
    assert!(report.contains("referee check log.mfotl - --map log.toml"), "{report}");
}

#[test]
fn what_is_no_log_is_refused() {
    Desk::with("a", "").run(&["init", "a"]).failed_with("a: the log is empty", "none");
    Desk::with("a", "\n \n").run(&["init", "a"]).failed_with("a: the log is empty", "none");
    let binary = Desk::with("a", b"\x7fELF\0\0\0\0\x01\x02").run(&["init", "a"]).failed();
    assert!(binary.starts_with("error: a") && binary.contains("hint: "), "{binary}");
    let no_text = Desk::with("a", b"caf\xe9 opened\n").run(&["init", "a"]).failed();
    assert!(no_text.starts_with("error: a:1:4: "), "{no_text}");
    assert!(Desk::new().run(&["init", "a"]).failed().starts_with("error: a: "));
}

#[test]
fn of_a_long_log_only_a_part_is_read() {
    let line = |number: u32| {
        format!(
            "10.0.0.{} - - [18/Nov/2026:10:{:02}:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"x\"\n",
            number % 200,
            number / 1000
        )
    };
    let log: String = (0..20_000).map(line).collect();
    let (_, report, _) = looked_at("access.log", log);
    assert!(report.contains("in the part that was looked at"), "{report}");
    let records: Vec<String> = (0..20_000)
        .map(|number| format!("{{\"id\": {number}, \"type\": \"open\", \"note\": \"a \\\"b\\\" c\"}}"))
        .collect();
    let (desk, report, _) = looked_at("all.json", format!("{{\"items\": [{}]}}", records.join(",\n ")));
    assert!(desk.read("all.toml").contains("records = \"items[]\""), "{report}");
}

/// Numbers that look like chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// A log with some letters changed, lines doubled, dropped, cut off and moved.
fn mutated(log: &str, chance: &mut Chance) -> String {
    let mut lines: Vec<String> = log.lines().map(str::to_owned).collect();
    for _ in 0..=chance.below(6) {
        let (at, other) = (chance.below(lines.len()), chance.below(lines.len()));
        match chance.below(6) {
            0 => lines.swap(at, other),
            1 => lines.insert(at, lines[other].clone()),
            2 if lines.len() > 1 => drop(lines.remove(at)),
            3 => {
                let cut = lines[at].floor_char_boundary(chance.below(lines[at].len() + 1));
                lines[at].truncate(cut);
            }
            _ => {
                let place = lines[at].floor_char_boundary(chance.below(lines[at].len() + 1));
                let letters = [
                    " ", "\"", "'", ",", ";", "{", "}", "[", "\\", "=", ":", "0", "é", "\t", "%{", "(?<", "#", "\u{1}",
                    "null", "_",
                ];
                lines[at].insert_str(place, letters[chance.below(letters.len())]);
            }
        }
    }
    lines.join(if chance.below(8) == 0 { "\r\n" } else { "\n" })
}

#[test]
fn whatever_a_log_is_like_what_is_written_is_accepted() {
    let examples = ["access.log", "auth.log", "orders.jsonl", "cases.csv", "audit.log", "spans.json"].map(example);
    let others = [SERVICE, LOGFMT, JOURNAL, CLOUDTRAIL, GITHUB, ECS, DOCUMENT].map(str::to_owned);
    let logs: Vec<String> = examples.into_iter().chain(others).collect();
    for seed in referee_testing::seeds(60) {
        let chance = &mut Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let log = mutated(&logs[chance.below(logs.len())], chance);
        if log.trim().is_empty() {
            continue;
        }
        let name = ["log", "a.csv", "b.json", "c.log"][chance.below(4)];
        let desk = Desk::with(name, &log);
        let run = desk.run(&["init", name]);
        // A control character at the beginning is taken for a file that is no text.
        if run.code == Some(2) && run.err.contains("expected text, found") {
            continue;
        }
        assert_eq!(run.code, Some(0), "{log}\n{}", run.err);
        judged(&desk, &run.out);
    }
}
