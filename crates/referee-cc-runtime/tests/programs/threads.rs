//! Several threads: no event is lost, and all rules see one order.

use crate::kit::Program;

/// Four threads hand an object from one to the next, under a lock that has events inside.
const HANDING: &str = "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static void *work(void *none) { for (int i = 0; i < 50000; i++) { pthread_mutex_lock(&lock); OPEN(7); CLOSE(7); pthread_mutex_unlock(&lock); } return none; }
    int main(int argc, char **argv) { pthread_t threads[4]; for (int i = 0; i < 4; i++) pthread_create(threads + i, 0, work, 0);
        for (int i = 0; i < 4; i++) pthread_join(threads[i], 0); if (argc > 1) { OPEN(7); OPEN(7); } return 0; }";

#[test]
fn an_object_that_goes_from_thread_to_thread() {
    let built = Program::new(HANDING).options("events = true").build();
    let run = built.run(&[], &[]);
    assert_eq!(run.ends_with(0).err, "EVENTS: 400000\n  close 200000\n  open 200000\nSTATUS: Satisfied\n");
    let run = built.run(&["violate"], &[]);
    assert!(run.err.starts_with("VIOLATION opened: point 400002, open(7), f = 7\n"), "{}", run.err);
}

#[test]
fn forks_while_threads_make_events() {
    let body = "static volatile int done; static void *work(void *none) { for (long i = 0; !done; i++) { OPEN(i); CLOSE(i); } return none; }
        int main(void) { pthread_t threads[3]; for (int i = 0; i < 3; i++) pthread_create(threads + i, 0, work, (void *)0);
            for (int i = 0; i < 20; i++) { pid_t child = fork(); if (child == 0) { OPEN(-7); OPEN(-7); return 0; } int how; waitpid(child, &how, 0); if (how) return how; }
            done = 1; for (int i = 0; i < 3; i++) pthread_join(threads[i], 0); return 0; }";
    let run = Program::new(body).specification("qtl", "prop seven: ! open(-7)").run();
    assert_eq!(run.ends_with(0).err.matches("VIOLATION seven").count(), 20, "{}", run.err);
    assert!(run.err.ends_with("STATUS: Satisfied\n"), "{}", run.err);
}

#[test]
fn the_way_is_told() {
    let built = Program::new(HANDING).build();
    let several = built.run(&[], &[("REFEREE_EXPLAIN", "1")]);
    assert!(
        several.err.starts_with("note: several threads made events; each took its place in one order"),
        "{}",
        several.err
    );
    let one = Program::main("OPEN(7);").build().run(&[], &[("REFEREE_EXPLAIN", "1")]);
    assert!(one.err.starts_with("note: one thread made events; no atomic instructions"), "{}", one.err);
}
