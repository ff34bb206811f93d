//! The run time is a guest: what is the program's stays the program's.

use crate::kit::Program;

#[test]
fn the_programs_malloc_is_never_called() {
    let body = "static int inside, calls;
        void *__libc_malloc(size_t); void *__libc_calloc(size_t, size_t); void *__libc_realloc(void *, size_t); void __libc_free(void *);
        void *malloc(size_t n) { calls += inside; return __libc_malloc(n); }
        void *calloc(size_t n, size_t m) { calls += inside; return __libc_calloc(n, m); }
        void *realloc(void *p, size_t n) { calls += inside; return __libc_realloc(p, n); }
        void free(void *p) { calls += inside; __libc_free(p); }
        static struct referee_site say = { \"say\", \"\", \"\", 1, 0 };
        int main(void) { inside = 1; char text[16];
            for (int i = 0; i < 20000; i++) { sprintf(text, \"t%d\", i); referee_ev1(&say, 5, (referee_word)text); OPEN(i); OPEN(i); }
            inside = 0; printf(\"%d\", calls); return 0; }";
    let run = Program::new(body).options("all = true").run();
    assert_eq!(run.out, "0");
    assert_eq!(run.err.matches("VIOLATION").count(), 20000);
}

#[test]
fn errno_and_the_signal_mask_stay() {
    let main = "sigset_t before, after; sigemptyset(&before); sigaddset(&before, SIGUSR1); sigprocmask(SIG_SETMASK, &before, 0);
        for (int i = 0; i < 100000; i++) { errno = 1234; OPEN(i); if (errno != 1234) return 1; }
        sigprocmask(SIG_SETMASK, 0, &after); return memcmp(&before, &after, 8) ? 2 : 0;";
    Program::main(main).run().ends_with(0);
}

#[test]
fn the_programs_handlers_run_and_the_default_comes_back() {
    let body = "static void handler(int signal) { write(1, \"handled\", 7); if (signal == SIGTERM) exit(5); }
        int main(int argc, char **argv) { OPEN(7); OPEN(7);
            if (signal(SIGTERM, handler) != SIG_DFL) return 1;
            struct sigaction old; sigaction(SIGTERM, 0, &old); if (old.sa_handler != handler) return 2;
            if (argc > 1) { signal(SIGTERM, SIG_DFL); sigaction(SIGTERM, 0, &old); if (old.sa_handler != SIG_DFL) return 3; }
            raise(SIGTERM); return 4; }";
    let built = Program::new(body).build();
    let handled = built.run(&[], &[]);
    assert_eq!(handled.is_violated_once().ends_with(5).out, "handled");
    built.run(&["default"], &[]).is_violated_once().ends_by(libc::SIGTERM);
}

#[test]
fn a_handler_may_jump_out_of_a_fault_and_the_program_goes_on() {
    let body = "#include <setjmp.h>
        static sigjmp_buf back; static void handler(int signal) { siglongjmp(back, 1); }
        int main(void) { signal(SIGSEGV, handler); OPEN(7); if (!sigsetjmp(back, 1)) *(volatile int *)0 = 1; OPEN(7); return 0; }";
    Program::new(body).run().is_violated_once().ends_with(0);
}

#[test]
fn handlers_may_make_events_at_any_time() {
    let body = "#include <sys/time.h>
        static volatile int count; static void handler(int signal) { OPEN(-1); CLOSE(-1); count++; }
        int main(void) { signal(SIGALRM, handler); struct itimerval often = { { 0, 200 }, { 0, 200 } }; setitimer(ITIMER_REAL, &often, 0);
            for (long i = 0; count < 200; i++) { OPEN(i); CLOSE(i); } struct itimerval none = { { 0, 0 }, { 0, 0 } };
            setitimer(ITIMER_REAL, &none, 0); OPEN(7); OPEN(7); return 0; }";
    let run = Program::new(body).run();
    let lines: Vec<&str> = run.ends_with(0).err.lines().collect();
    assert!(lines.len() == 2 && lines[0].ends_with("open(7), f = 7") && lines[1] == "STATUS: Violated", "{lines:?}");
}

#[test]
fn ignored_signals_stay_ignored() {
    Program::main("OPEN(7); signal(SIGPIPE, SIG_IGN); raise(SIGPIPE); OPEN(7);").run().is_violated_once().ends_with(0);
}

#[test]
fn descriptors_that_the_program_closes_or_takes_over() {
    let main = "OPEN(7); close(2); FILE *own = fopen(\"own\", \"w\"); OPEN(7); fputs(\"text\", own); fclose(own);
        char text[9] = \"\"; own = fopen(\"own\", \"r\"); fgets(text, 9, own); return strcmp(text, \"text\");";
    Program::main(main).run().is_violated_once().ends_with(0);
}
