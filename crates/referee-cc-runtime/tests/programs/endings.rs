//! Every way in which a program ends leaves one verdict, and the program ends as it would have ended.

use crate::kit::Program;

/// The second event violates the rule.
const TWICE: &str = "OPEN(7); OPEN(7);";

fn ended(how: &str) -> Program {
    Program::main(&format!("{TWICE} {how}"))
}

#[test]
fn return_from_main() {
    ended("return 3;").run().is_violated_once().ends_with(3);
}

#[test]
fn exit_after_functions_and_destructors_that_make_events() {
    let body =
        "static void last(void) { OPEN(7); } __attribute__((destructor(101))) static void gone(void) { OPEN(7); }
        int main(void) { OPEN(1); atexit(last); printf(\"text\"); exit(4); }";
    let run = Program::new(body).run();
    assert_eq!(run.err, "VIOLATION opened: point 3, open(7), f = 7\nSTATUS: Violated\n");
    assert_eq!(run.ends_with(4).out, "text");
}

#[test]
fn quick_exit_after_its_functions() {
    let body = "static void last(void) { OPEN(7); } int main(void) { at_quick_exit(last); OPEN(7); quick_exit(5); }";
    Program::new(body).run().is_violated_once().ends_with(5);
}

#[test]
fn exit_at_once() {
    ended("_exit(6);").run().is_violated_once().ends_with(6);
    ended("_Exit(7);").run().is_violated_once().ends_with(7);
}

#[test]
fn abort() {
    ended("abort();").run().is_violated_once().ends_by(libc::SIGABRT);
}

#[test]
fn null_pointer() {
    ended("*(volatile int *)0 = 1;").run().is_violated_once().ends_by(libc::SIGSEGV);
}

#[test]
fn division_by_zero() {
    ended("volatile int none = 0, ten = 10; return ten / none;").run().is_violated_once().ends_by(libc::SIGFPE);
}

#[test]
fn trap() {
    ended("__asm__ volatile(\"int3\");").run().is_violated_once().ends_by(libc::SIGTRAP);
    ended("__builtin_trap();").run().is_violated_once().ends_by(libc::SIGILL);
}

#[test]
fn termination_and_interrupt() {
    ended("raise(SIGTERM);").run().is_violated_once().ends_by(libc::SIGTERM);
    ended("kill(getpid(), SIGINT); pause();").run().is_violated_once().ends_by(libc::SIGINT);
    ended("kill(getpid(), SIGSEGV); pause();").run().is_violated_once().ends_by(libc::SIGSEGV);
}

#[test]
fn stack_overflow() {
    let body = "static int deep(volatile char *above) { volatile char room[4096]; room[0] = above[0]; return deep(room) + room[1]; }
        static void *other(void *none) { OPEN(7); OPEN(7); deep(\"\"); return none; }
        int main(int argc, char **argv) { if (argc == 1) other(0);
            pthread_t thread; pthread_create(&thread, 0, other, 0); pthread_join(thread, 0); return 0; }";
    let built = Program::new(body).build();
    built.run(&[], &[]).is_violated_once().ends_by(libc::SIGSEGV);
    built.run(&["thread"], &[]).is_violated_once().ends_by(libc::SIGSEGV);
}

#[test]
fn all_ways_to_run_another_program() {
    for call in [
        "execl(\"/bin/echo\", \"echo\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", (char *)0);",
        "execlp(\"echo\", \"echo\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", (char *)0);",
        "char *e[] = { 0 }; execle(\"/bin/echo\", \"echo\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", (char *)0, e);",
        "char *a[] = { \"echo\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", 0 }; execv(\"/bin/echo\", a);",
        "char *a[] = { \"echo\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", 0 }; execvp(\"echo\", a);",
        "char *a[] = { \"echo\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", 0 }, *e[] = { 0 }; execve(\"/bin/echo\", a, e);",
    ] {
        let run = ended(call).run();
        assert_eq!(run.is_violated_once().ends_with(0).out, "a b c d e f\n", "{call}");
    }
}

#[test]
fn a_program_that_is_not_there_does_not_end_the_verdict() {
    let main = "OPEN(7); if (execl(\"/none/such\", \"such\", (char *)0) != -1 || errno != ENOENT) return 9;
        if (execlp(\"no-such-program\", \"such\", (char *)0) != -1 || errno != ENOENT) return 8; OPEN(7);";
    Program::main(main).run().is_violated_once().ends_with(0);
}

#[test]
fn parent_and_child_of_a_fork_each_have_a_verdict() {
    let main = "OPEN(7); pid_t child = fork(); if (child == 0) { OPEN(7); return 2; }
        int how; waitpid(child, &how, 0); CLOSE(7); return WEXITSTATUS(how);";
    let run = Program::main(main).run();
    let lines: Vec<&str> = run.ends_with(2).err.lines().collect();
    assert!(
        lines[0].starts_with("note: what follows is of process ") && lines[0].contains(", a child of "),
        "{lines:?}"
    );
    assert_eq!(lines[1..], ["VIOLATION opened: point 2, open(7), f = 7", "STATUS: Violated", "STATUS: Satisfied"]);
}

#[test]
fn what_was_told_before_a_fork_is_told_once() {
    let main = &format!("{TWICE} if (fork() == 0) _exit(0); int how; wait(&how); return how;");
    let run = Program::main(main).run();
    assert_eq!(run.ends_with(0).err.matches("VIOLATION").count(), 1, "{}", run.err);
    assert_eq!(run.err.matches("STATUS: Violated").count(), 2, "{}", run.err);
}

#[test]
fn a_child_that_shares_memory_says_nothing() {
    let main = &format!(
        "{TWICE} pid_t child = vfork(); if (child == 0) _exit(3); int how; waitpid(child, &how, 0);
         child = vfork(); if (child == 0) {{ execl(\"/bin/true\", \"true\", (char *)0); _exit(1); }} waitpid(child, 0, 0);
         return WEXITSTATUS(how);"
    );
    Program::main(main).run().is_violated_once().ends_with(3);
}

#[test]
fn the_last_thread_ends_the_program() {
    let body = "static void *other(void *none) { usleep(20000); OPEN(7); return none; }
        int main(void) { pthread_t thread; OPEN(7); pthread_create(&thread, 0, other, 0); pthread_exit(0); }";
    Program::new(body).run().is_violated_once().ends_with(0);
}

#[test]
fn threads_that_never_end_do_not_keep_the_verdict() {
    let body = "static void *other(void *none) { for (;;) { OPEN(1); CLOSE(1); } return none; }
        int main(void) { pthread_t thread; OPEN(7); OPEN(7); pthread_create(&thread, 0, other, 0); usleep(20000); return 4; }";
    let run = Program::new(body).run();
    run.is_violated_once().ends_with(4);
}

#[test]
fn ends_in_a_thread() {
    for (how, signal) in [("abort();", libc::SIGABRT), ("*(volatile int *)0 = 1;", libc::SIGSEGV)] {
        let body = format!(
            "static void *other(void *none) {{ OPEN(7); {how} return none; }}
             int main(void) {{ pthread_t thread; OPEN(7); pthread_create(&thread, 0, other, 0); for (;;) pause(); }}"
        );
        Program::new(&body).run().is_violated_once().ends_by(signal);
    }
}

#[test]
fn statically_linked() {
    ended("return 3;").flags(&["-static"]).run().is_violated_once().ends_with(3);
    ended("abort();").flags(&["-static"]).run().is_violated_once().ends_by(libc::SIGABRT);
    ended("_exit(2);").flags(&["-static"]).run().is_violated_once().ends_with(2);
}

#[test]
fn an_object_that_is_loaded_later_makes_events() {
    let body = "#include <dlfcn.h>
        int main(void) { OPEN(7); void *object = dlopen(\"./late.so\", RTLD_NOW); if (!object) { puts(dlerror()); return 9; }
            ((void (*)(void))dlsym(object, \"late\"))(); dlclose(object); return 0; }";
    let built = Program::new(body).flags(&["-rdynamic"]).build();
    let text = "struct referee_site { const char *event, *file, *function; unsigned line; unsigned kind; };
        extern void referee_ev1(struct referee_site *, unsigned, unsigned long long);
        static struct referee_site site = { \"open\", \"late.c\", \"late\", 1, 0 }; void late(void) { referee_ev1(&site, 1, 7); }";
    std::fs::write(built.path("late.c"), text).expect("written");
    let done = std::process::Command::new("gcc")
        .args(["-shared", "-fPIC", "-o"])
        .args([built.path("late.so"), built.path("late.c")])
        .status();
    assert!(done.expect("gcc runs").success());
    built.run(&[], &[]).is_violated_once().ends_with(0);
}
