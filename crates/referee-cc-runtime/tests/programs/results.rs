//! What is printed and written: the lines of `check`.

use crate::kit::Program;

#[test]
fn counts_and_reasons() {
    let run = Program::main("OPEN(7); CLOSE(7); OPEN(8); OPEN(8);").options("events = true\nwitness = true").run();
    assert!(
        run.err.starts_with("VIOLATION opened: point 4, open(8), f = 8\n  `open(8)` happens at point 4\n"),
        "{}",
        run.err
    );
    assert!(run.err.ends_with("EVENTS: 4\n  close 1\n  open 3\nSTATUS: Violated\n"), "{}", run.err);
}

#[test]
fn all_violations_or_the_first() {
    let program = Program::main("OPEN(7); OPEN(7); OPEN(7);").build();
    assert_eq!(program.run(&[], &[]).err.matches("VIOLATION").count(), 1);
    assert_eq!(program.run(&[], &[("REFEREE_ALL", "1")]).err.matches("VIOLATION").count(), 2);
}

#[test]
fn a_satisfied_rule() {
    let run = Program::main("OPEN(7); CLOSE(7); OPEN(7);").run();
    assert_eq!(run.ends_with(0).err, "STATUS: Satisfied\n");
}

#[test]
fn a_violation_decides_the_exit_code_if_asked() {
    let program = Program::main("OPEN(7); OPEN(7); printf(\"text\"); if (argc > 1) _exit(0);").build();
    let run = program.run(&[], &[("REFEREE_FAIL", "1")]);
    assert_eq!(run.is_violated_once().ends_with(1).out, "text");
    program.run(&["now"], &[("REFEREE_FAIL", "1")]).ends_with(1);
    program.run(&[], &[("REFEREE_FAIL", "0")]).ends_with(0);
}

#[test]
fn a_violation_ends_the_program_if_asked() {
    let run = Program::main("OPEN(7); write(1, \"a\", 1); OPEN(7); write(1, \"b\", 1);").options("halt = true").run();
    assert_eq!(run.is_violated_once().ends_with(1).out, "a");
}

#[test]
fn switched_off() {
    let run = Program::main("OPEN(7); OPEN(7); return referee_off;").build().run(&[], &[("REFEREE_OFF", "1")]);
    assert_eq!(run.ends_with(1).err, "");
}

#[test]
fn results_in_a_file() {
    let built = Program::main("OPEN(7); OPEN(7); return 2;").build();
    let run = built.run(&[], &[("REFEREE_REPORT", "report")]);
    assert_eq!(run.ends_with(2).err, "");
    let report = std::fs::read_to_string(built.path("report")).expect("written");
    assert_eq!(report, "VIOLATION opened: point 2, open(7), f = 7\nSTATUS: Violated\n");
}

#[test]
fn a_trace_with_every_kind_of_value() {
    let main = "static struct referee_site any = { \"any\", \"\", \"\", 1, 0 }; double half = 0.5; referee_word bits; memcpy(&bits, &half, 8);
        unsigned char tags[] = { 1, 2, 3, 4, 5, 5, 6, 5 };
        referee_word words[] = { (referee_word)-7, 18446744073709551615ull, bits, 4096, (referee_word)\"a b\", 0, 1, (referee_word)\"7\" };
        referee_evn(&any, 8, tags, words);
        static struct referee_site say = { \"say\", \"\", \"\", 1, 0 };
        referee_ev1(&say, 5, (referee_word)\"0123456789012345678901234567890123456789\"); abort();";
    let built = Program::main(main).build();
    built.run(&[], &[("REFEREE_TRACE", "t.trace")]).ends_by(libc::SIGABRT);
    let trace = std::fs::read_to_string(built.path("t.trace")).expect("written");
    assert_eq!(
        trace,
        "any(-7,18446744073709551615,0.5,4096,\"a b\",null,true,7)\nsay(01234567890123456789012345678901)\n"
    );
}

#[test]
fn points_have_times_where_a_rule_measures_them() {
    let run = Program::main("OPEN(7); usleep(30000); CLOSE(7);")
        .specification("mfotl", "(* no file is open for long *) close(f) IMPLIES ONCE[0,10] open(f)")
        .run();
    assert_eq!(run.err, "STATUS: Satisfied\n");
}

#[test]
fn a_specification_with_a_mistake_is_told_and_the_program_runs() {
    let run = Program::main("OPEN(7); puts(\"ran\");").specification("qtl", "prop broken: Forall").run();
    assert!(run.err.starts_with("error: ") && run.err.ends_with("\nSTATUS: GaveUp\n"), "{}", run.err);
    assert_eq!(run.ends_with(0).out, "ran\n");
}
