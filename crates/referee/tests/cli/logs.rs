//! Logs as they are: lines by pattern, JSON by path, tables, XES and journals, from the log to the verdict.

use crate::kit::{Desk, Run, gzip, repository};

/// Where a log or a rule of the examples is.
fn example(name: &str) -> String {
    repository().join("examples/logs").join(name).display().to_string()
}

/// What `check` says of an example, with a ready mapping and more options.
fn judged(rule: &str, mapping: &str, log: &str, more: &[&str]) -> Run {
    let (rule, log) = (example(rule), example(log));
    Desk::new().run(&[&["check", "--all", &rule, "--map", mapping, &log], more].concat())
}

/// Checks the verdict of an example by its lines.
#[track_caller]
fn violates(run: Run, expected: &[&str]) {
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((run.code, lines.as_slice()), (Some(1), expected), "{}", run.err);
}

/// What `cat` shows of a text with a mapping; notes are left out.
#[track_caller]
fn shown(mapping: &str, log: &str) -> String {
    let desk = Desk::with("m.toml", mapping);
    let run = desk.run_with(&["cat", "--map", "m.toml", "-"], log);
    assert_eq!(run.code, Some(0), "{}", run.err);
    run.out
}

/// The error of `cat` for a text with a mapping.
#[track_caller]
fn refused(mapping: &str, log: &str) -> String {
    Desk::with("m.toml", mapping).run_with(&["cat", "--map", "m.toml", "-"], log).failed()
}

#[test]
fn access_logs_are_judged() {
    violates(
        judged("requests.mfotl", "combined", "requests.log", &[]),
        &[
            "VIOLATION requests: point 4, time 1794992408, request(\"198.51.100.4\",-,-,GET,/account,\"HTTP/1.1\",200,2326,-,\"curl/8.5.0\"), \
             client = 198.51.100.4",
            "STATUS: Violated",
        ],
    );
}

/// What `check --all` says of a log with a ready mapping.
fn judged_text(rule: &str, mapping: &str, log: &str) -> Run {
    Desk::with("rule.mfotl", rule).run_with(&["check", "--all", "rule.mfotl", "--map", mapping, "-"], log)
}

#[test]
fn access_logs_in_the_common_format_are_judged() {
    let line = |client: &str, second: u32, status: u32| {
        format!("{client} - ann [18/Nov/2026:10:00:{second:02} +0000] \"GET /a HTTP/1.1\" {status} 5\n")
    };
    let log = [line("192.0.2.1", 1, 401), line("192.0.2.2", 2, 200), line("192.0.2.1", 9, 200)].concat();
    let rule = "request(c,i,u,m,p,v,200,b) IMPLIES NOT ONCE[0,10s] request(c,_,_,_,_,_,401,_)";
    violates(
        judged_text(rule, "common", &log),
        &[
            "VIOLATION rule: point 3, time 1794996009, request(\"192.0.2.1\",-,ann,GET,/a,\"HTTP/1.1\",200,5), \
             c = 192.0.2.1, i = -, u = ann, m = GET, p = /a, v = HTTP/1.1, b = 5",
            "STATUS: Violated",
        ],
    );
}

#[test]
fn both_forms_of_syslog_are_judged() {
    let rule = "backup(h,p,\"failed\",r) IMPLIES ONCE[0,60s] EXISTS q, s. backup(h,q,\"started\",s)";
    let old = "Nov 18 10:00:00 web backup[812]: started\nNov 18 10:00:09 web cron[1]: tick\n\
               Nov 18 10:00:30 web backup[812]: failed\nNov 18 10:02:00 web backup[812]: failed\n";
    let new = "<34>1 2026-11-18T10:00:00Z web backup 812 - - started\n<34>1 2026-11-18T10:00:09Z web cron 1 - - tick\n\
               <34>1 2026-11-18T10:00:30Z web backup 812 - - failed\n<34>1 2026-11-18T10:02:00Z web backup 812 - - failed\n";
    for (log, shown) in [(old, "backup(web,812,failed,\"\")"), (new, "backup(web,812,failed,34)")] {
        let run = judged_text(rule, "syslog", log);
        assert_eq!((run.code, run.out.lines().count()), (Some(1), 2), "{}{}", run.out, run.err);
        assert!(run.out.starts_with("VIOLATION rule: point 4, time ") && run.out.contains(shown), "{}", run.out);
    }
}

#[test]
fn journals_are_judged_in_both_writings() {
    let rule = "backup(h,p,m,3) IMPLIES NOT ONCE[1s,10s] EXISTS m, r. backup(h,p,m,r)";
    let desk = Desk::with("rule.mfotl", rule);
    for (mapping, log) in [("journald-json", "journal.json"), ("journald", "journal.export")] {
        let run = desk.run(&["check", "--all", "rule.mfotl", "--map", mapping, &example(log)]);
        assert_eq!((run.code, run.out.lines().count()), (Some(1), 2), "{mapping}: {}{}", run.out, run.err);
        assert!(run.out.starts_with("VIOLATION rule: point 2, time 1795000460000000, backup(web,812,"), "{}", run.out);
        // A message of two lines is shown on one.
        assert_eq!(run.out.contains(r#", m = "failed:\ndisk"#), mapping == "journald", "{}", run.out);
    }
}

#[test]
fn logfmt_is_judged() {
    let log = "time=2026-11-18T10:00:00Z level=info msg=\"job began\" job=7\n\
               time=2026-11-18T10:00:20Z level=warn msg=retry job=7\n\
               time=2026-11-18T10:00:40Z level=error msg=\"job failed\" job=7\n";
    let rule = "log(\"error\",_,j) IMPLIES NOT ONCE[0,30s] log(\"warn\",_,j)";
    let run = judged_text(rule, "logfmt", log);
    assert_eq!((run.code, run.out.lines().count()), (Some(1), 2), "{}{}", run.out, run.err);
    assert!(run.out.starts_with("VIOLATION rule: point 3, time 1794996040000, log("), "{}", run.out);
}

#[test]
fn lines_by_pattern_are_judged() {
    let auth = example("logins.toml");
    let run = judged("logins.mfotl", &auth, "logins.log", &[]);
    assert!(
        run.err.contains("lines that fit no pattern of the mapping and are left out: 2, the first at"),
        "{}",
        run.err
    );
    assert!(run.err.contains("logins.log:3: `-- MARK --`"), "{}", run.err);
    assert_eq!((run.code, run.out.lines().count()), (Some(1), 2), "{}", run.out);
    assert!(run.out.contains("accepted(root,\"198.51.100.4\")"), "{}", run.out);
}

#[test]
fn audit_logs_of_kubernetes_are_judged() {
    let run = judged("kubernetes-audit.mfotl", "kubernetes-audit", "kubernetes-audit.json", &[]);
    assert!(run.out.contains("delete(bob,pods,prod,web-1,200,"), "{}{}", run.out, run.err);
    assert_eq!((run.code, run.out.lines().count()), (Some(1), 2), "{}", run.out);
}

#[test]
fn cloudtrail_is_judged() {
    let run = judged("cloudtrail.mfotl", "cloudtrail", "cloudtrail.json", &[]);
    assert!(run.out.contains("StopLogging(arn:aws:iam::111122223333:user/ann,"), "{}{}", run.out, run.err);
    assert_eq!((run.code, run.out.lines().count()), (Some(1), 2), "{}", run.out);
}

#[test]
fn spans_of_opentelemetry_are_judged() {
    let run = judged("otlp.mfotl", "otlp", "otlp.json", &["--reorder", "1s"]);
    assert!(run.out.contains("end(bank,c3,b2,debit,"), "{}{}", run.out, run.err);
    assert!(run.err.contains("note: events out of order that have been moved: "), "{}", run.err);
    assert_eq!((run.code, run.out.lines().count()), (Some(1), 2), "{}", run.out);
}

#[test]
fn webhooks_of_github_are_judged() {
    let run = judged("github-webhook.qtl", "github-webhook", "github-webhook.json", &[]);
    assert!(run.out.contains("pull_request(closed,octo/referee,bob,5,true)"), "{}{}", run.out, run.err);
    assert_eq!(run.code, Some(1), "{}", run.out);
}

#[test]
fn the_elastic_common_schema_is_judged() {
    let run = judged("ecs.mfotl", "ecs", "ecs.json", &[]);
    assert!(run.out.contains("login(ann,web,"), "{}{}", run.out, run.err);
    assert_eq!((run.code, run.out.lines().count()), (Some(1), 2), "{}", run.out);
}

#[test]
fn journals_are_read_in_both_writings() {
    let desk = Desk::new();
    let cat = |mapping: &str, log: &str| desk.run(&["cat", "--map", mapping, &example(log)]).fine();
    let expected = "1 @1795000455003000 backup(web,812,started,6)\n\
                    2 @1795000460000000 backup(web,812,\"failed: disk full\",3)\n\
                    3 @1795000461000000 entry(web,\"\",\"audit: ok\",\"\")\n";
    assert_eq!(cat("journald-json", "journal.json"), expected);
    let binary = cat("journald", "journal.export");
    assert!(binary.contains("disk \u{fffd} full"), "{binary}");
    assert_eq!(binary.lines().next(), expected.lines().next());
    // Compressed, from a pipe, and without a mapping.
    let export = std::fs::read(example("journal.export")).expect("the example is there");
    let run = desk.run_with(&["cat", "--map", "journald", "-"], gzip(&export));
    assert_eq!(run.fine(), binary);
    let run = desk.run_with(&["cat", "-", "--limit", "1"], &export);
    assert!(run.out.starts_with("1 entry(\"s=4f0c;i=1\",1795000455003000,"), "{}{}", run.out, run.err);
    let run = desk.run_with(
        &["cat", "-"],
        &export[..export.iter().position(|byte| *byte == 0xFF).expect("a byte that is no text")],
    );
    assert!(run.err.contains("the export of a journal ends in the middle"), "{}", run.err);
}

#[test]
fn process_logs_are_one_trace_or_one_per_case() {
    let desk = Desk::new();
    let log = example("claims.xes");
    let err = desk.run(&["cat", &log]).failed();
    assert!(err.contains("timestamp 1794992400 comes after 1794999600"), "{err}");
    assert!(err.contains("`--reorder all` sorts the events of all cases in memory, and `--map xes`"), "{err}");
    let all = desk.run(&["cat", "--reorder", "all", &log]).out;
    let names: Vec<&str> = all.lines().filter_map(|line| line.split([' ', '(']).nth(2)).collect();
    assert_eq!(names, ["register", "register", "pay", "decide", "pay"], "{all}");
    let cases = desk.run(&["cat", "--map", "xes", &log]).fine();
    assert!(cases.ends_with("2 @1794994200 pay(\"claim 18\",Ann)\n"), "{cases}");
    // Both ways find the claim that was paid without a decision.
    let rule = example("claims.mfotl");
    let run = desk.run(&["check", &rule, "--reorder", "all", &log]);
    assert!(run.out.contains("pay(claim 18,Ann)") || run.out.contains("pay(\"claim 18\",Ann)"), "{}", run.out);
    let run = desk.run(&["check", &rule, "--map", "xes", &log]);
    assert!(run.out.contains("trace 2, point 2"), "{}{}", run.out, run.err);
    // Compressed, under the usual name.
    let packed = Desk::with("claims.xes.gz", gzip(&std::fs::read(&log).expect("the example is there")));
    assert_eq!(packed.run(&["cat", "--map", "xes", "claims.xes.gz"]).fine(), cases);
}

#[test]
fn a_field_splits_a_log_into_traces() {
    let mapping = "split = { field = 'id' }\ntime = { field = 't' }\n";
    let log = "a, id = 1, t = 5\nb, id = 1, t = 6\na, id = 2, t = 1\n";
    assert_eq!(shown(mapping, log), "1 @5 a(1)\n2 @6 b(1)\n1 @1 a(2)\n");
    let again = refused(mapping, "a, id = 1, t = 5\na, id = 2, t = 6\na, id = 1, t = 7\n");
    assert!(again.starts_with("error: -:3:1: `1` comes again, after events of another trace\n  hint: "), "{again}");
    let without = refused(mapping, "a, t = 5\n");
    assert!(without.contains("event `a` has no field `id`, which the mapping splits the log by"), "{without}");
    let wrong = refused("split = { feild = 'id' }\n", "");
    assert!(wrong.contains("expected the name of an event that starts a trace, or { field"), "{wrong}");
}

#[test]
fn whole_logs_are_sorted() {
    let log = "a, ts = 9\nb, ts = 1\nc, ts = 5\n";
    let run = Desk::new().run_with(&["cat", "--reorder", "all", "-"], log);
    assert_eq!(run.out, "1 @1 b()\n2 @5 c()\n3 @9 a()\n");
    assert_eq!(run.err, "note: events out of order that have been moved: 2\n");
    let late = Desk::new().run_with(&["cat", "--reorder", "5s", "-"], log).failed();
    assert!(late.contains("timestamp 1 comes after 9, more than the 5 that --reorder allows"), "{late}");
    let unsorted = Desk::new().run_with(&["cat", "--reorder", "5s", "--unsorted", "-"], log);
    assert!(
        unsorted.err.contains("moved: 1; too late for that, and judged at the newest time before them: 1"),
        "{}",
        unsorted.err
    );
}

#[test]
fn the_first_pattern_that_fits_counts_and_others_are_told() {
    let mapping = "[input]\npatterns = [{ pattern = '^user=%{USER:user} in', name = 'login' }, '^user=%{USER:user} (?<event>\\w+)']\n";
    assert_eq!(shown(mapping, "user=ann in\nuser=ann out\nnothing\n"), "1 login(ann)\n2 out(ann)\n");
    let strict = format!("{mapping}strict = true\n");
    let err = refused(&strict, "user=ann in\nnothing\n");
    assert!(err.starts_with("error: -:2:1: no pattern of the mapping fits the line `nothing`"), "{err}");
    let none = refused(mapping, "nothing\nat all\n");
    assert!(none.starts_with("error: -:1:1: no pattern of the mapping fits any line, such as `nothing`"), "{none}");
}

#[test]
fn a_group_that_took_no_part_may_be_an_argument() {
    let mapping =
        "[input]\npatterns = ['^%{WORD:event}(?: %{INT:n:int})?$']\n[[event]]\nfrom = '*'\nargs = ['n = n?']\n";
    assert_eq!(shown(mapping, "a 1\nb\n"), "1 a(1)\n2 b(\"\")\n");
}

#[test]
fn the_manual_lists_all_grok_names_and_ready_mappings() {
    let manual = std::fs::read_to_string(repository().join("docs/mapping.md")).expect("the manual is there");
    for name in referee_trace::pattern::grok_names().chain(referee_trace::mapping::Mapping::built_in_names()) {
        assert!(manual.contains(&format!("`{name}`")), "docs/mapping.md does not list `{name}`");
    }
}

#[test]
fn a_text_whose_lines_are_sentences_is_no_trace() {
    let desk = Desk::new();
    let err = desk.run(&["stats", &example("requests.log")]).failed();
    assert!(err.contains("this is no trace: nearly every line would be an event with a name of its own"), "{err}");
    assert!(err.contains("it looks like lines that `--map combined` reads"), "{err}");
    assert!(err.contains("the first `203.0.113.9 - - [18/Nov/2026:10:00:01 "), "{err}");
    assert_eq!(desk.run(&["stats", "--format", "csv-plain", &example("requests.log")]).code, Some(0));
}

/// The lines have parentheses, and `.log` is the ending of MonPoly's traces, too.
#[test]
fn what_the_name_of_a_file_says_is_not_believed_of_lines_of_text() {
    for (name, mapping) in [("access.log", "combined"), ("auth.log", "syslog")] {
        let log = std::fs::read_to_string(example(name)).expect("an example");
        for lines in [1, 2, 1000] {
            let part = log.lines().take(lines).map(|line| format!("{line}\n")).collect::<String>();
            let err = Desk::with(name, part).run(&["stats", name]).failed();
            assert!(err.starts_with(&format!("error: {name}:1:1: this is no trace")), "{lines}: {err}");
            assert!(err.contains(&format!("`--map {mapping}` reads")), "{lines}: {err}");
        }
    }
    // A trace of MonPoly whose times were forgotten is still told what it lacks.
    let err = Desk::with("t.log", "p (1);\nq (2);\n").run(&["stats", "t.log"]).failed();
    assert!(err.contains("expected `@` and a timestamp"), "{err}");
}

#[test]
fn tables_have_columns_of_their_own() {
    let named = "[input]\nname = 'what'\nheader = true\n";
    for (delimiter, log) in [(",", "t,what,n\n1,a,2\n"), (";", "t;what;n\n1;a;2\n"), ("tab", "t\twhat\tn\n1\ta\t2\n")] {
        assert_eq!(shown(named, log), "1 a(1,2)\n", "{delimiter}");
    }
    assert_eq!(shown("[input]\nconstant = 'x'\ndelimiter = ';'\n", "t;what\n1;a,b\n"), "1 x(1,\"a,b\")\n");
    let err = refused("[input]\nname = 'wat'\nheader = true\n", "t,what\n1,a\n");
    assert!(err.contains("the table has no column `wat`") && err.contains("did you mean `what`?"), "{err}");
    let run = Desk::new().run_with(&["cat", "-"], "time;user\n1;ann\n2;bob\n");
    assert!(run.err.contains("the first line was read as the names of the columns"), "{}", run.err);
    assert!(run.out.starts_with("1 row(1,ann)\n"), "{}", run.out);
}

#[test]
fn cat_stats_and_check_see_the_same_time() {
    let desk = Desk::with("t.csv", "a, time = 5\na, time = 9\n");
    desk.write("p.mfotl", "a() IMPLIES NOT PREVIOUS[4,4] a()");
    let run = desk.run(&["check", "p.mfotl", "t.csv"]);
    assert!(run.out.starts_with("VIOLATION p: point 2, time 9, a()"), "{}{}", run.out, run.err);
    let seen = desk.run(&["cat", "--language", "mfotl", "t.csv"]).fine();
    assert_eq!(seen, "1 @5 a()\n2 @9 a()\n");
    assert!(desk.run(&["stats", "--language", "mfotl", "t.csv"]).fine().contains("time     5 to 9\n"));
    let other = desk.run(&["cat", "t.csv"]);
    assert_eq!(other.out, "1 a(5)\n2 a(9)\n");
    assert!(other.err.starts_with("note: `time` is not the time here, but"), "{}", other.err);
    // A mapping that speaks of time is true for all.
    desk.write("m.toml", "time = { field = 'time' }");
    assert_eq!(desk.run(&["cat", "--map", "m.toml", "t.csv"]).fine(), seen);
}

#[test]
fn the_time_of_nested_json_is_that_of_other_formats() {
    let mapping = "[input]\nformat = 'json'\nname = 'n'\n[[event]]\nfrom = '*'\nargs = ['x']\n";
    assert_eq!(
        shown(mapping, "{\"n\": \"a\", \"x\": 1, \"ts\": 7}\n{\"n\": \"b\", \"x\": 2, \"ts\": 8}\n"),
        "1 @7 a(1)\n2 @8 b(2)\n"
    );
    let desk = Desk::with("m.toml", mapping);
    let run = desk.run_with(
        &["cat", "--language", "mfotl", "--map", "m.toml", "-"],
        "{\"n\": \"a\", \"x\": 1, \"Timestamp\": 7}",
    );
    assert_eq!(run.fine(), "1 @7 a(1)\n");
}

#[test]
fn fields_of_json_are_found_by_path() {
    let mapping = "[input]\nrecords = 'items[].rows[]'\nname = 'kind'\n[[event]]\nfrom = '*'\n\
                   args = ['user.name', '/a.b/c~1d', 'tags[1]', 'kv[key=x].v', 'items[].id', '$.top']\n";
    let log = r#"{"top": 1, "items": [{"rows": [{"kind": "e", "user": {"name": "ann"}, "a.b": {"c/d": 2}, "tags": [3, 4],
                 "kv": [{"key": "y", "v": 5}, {"key": "x", "v": 6}]}], "id": 7}]}"#;
    assert_eq!(
        shown(mapping, &log.replace("], \"id\": 7}", "]}").replace("[{\"rows\"", "[{\"id\": 7, \"rows\"")),
        "1 e(ann,2,4,6,7,1)\n"
    );
    let dotted = "[input]\nformat = 'json'\nconstant = 'e'\n[[event]]\nfrom = 'e'\nargs = ['user.name']\n";
    assert_eq!(shown(dotted, "{\"user.name\": \"ann\"}\n{\"user\": {\"name\": \"bob\"}}\n"), "1 e(ann)\n2 e(bob)\n");
    let wrong =
        refused("[input]\nformat = 'json'\nconstant = 'e'\n[[event]]\nfrom = 'e'\nargs = ['user..name']\n", "{}");
    assert!(wrong.contains("`user..name` is no path to a field"), "{wrong}");
    // What an outer level says behind its records is not known when they are read.
    let late = refused(&mapping.replace("items[].id", "items[].id?"), log);
    assert!(late.contains("stands behind the records, and the mapping names it for them"), "{late}");
}

#[test]
fn files_of_columns_name_the_feature_that_reads_them() {
    let desk = Desk::with("t.parquet", b"PAR1\x15\x04");
    desk.write("t.arrow", b"ARROW1\0\0\xff\xff\xff\xff");
    for (file, feature) in [("t.parquet", "parquet"), ("t.arrow", "arrow")] {
        let run = desk.run(&["cat", file]);
        if cfg!(feature = "parquet") {
            assert_eq!(run.code, Some(2), "{}", run.err);
        } else {
            let err = run.failed();
            assert!(err.contains(&format!("built with the feature `{feature}`")), "{err}");
            assert!(err.contains(&format!("cargo install --path crates/referee --features {feature}")), "{err}");
        }
    }
}
