//! `referee cc`, with the real compiler and a stub in the place of the run time that prints events.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::kit::{Desk, Run};

const STUB: &str = include_str!("cc/stub.c");

/// A directory with the stub.
struct Lab {
    desk: Desk,
}

impl Lab {
    fn new(mapping: &str) -> Lab {
        let lab = Lab { desk: Desk::with("m.toml", mapping) };
        fs::create_dir(lab.desk.path("stub")).expect("a folder");
        lab.desk.write("stub/stub.c", STUB);
        lab.sh("cd stub && gcc -O1 -c stub.c && ar rcs libreferee_runtime.a stub.o").fine();
        lab
    }

    fn with(mapping: &str, program: &str) -> Lab {
        let lab = Lab::new(mapping);
        lab.desk.write("p.c", program);
        lab
    }

    /// Runs a command of the shell.
    fn sh(&self, command: &str) -> Run {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(self.desk.path(".")).env("LC_ALL", "C");
        shell.output().expect("there is a shell").into()
    }

    /// Runs `referee cc --map m.toml -- COMMAND`.
    fn cc(&self, command: &str) -> Run {
        let mut arguments = vec!["cc", "--map", "m.toml", "--runtime", "stub", "--"];
        arguments.extend(command.split_whitespace());
        let mut command = self.desk.command(&arguments);
        command.env("LC_ALL", "C").output().expect("the program starts").into()
    }

    /// Compiles and links `p.c`, runs it, and returns the events that it tells.
    #[track_caller]
    fn events(&self) -> String {
        self.cc("gcc p.c -o p").fine();
        self.sh("./p").err
    }
}

#[test]
fn every_kind_of_place_tells_its_events() {
    let lab = Lab::with(include_str!("cc/places.toml"), include_str!("cc/places.c"));
    for options in ["-O0 -g", "-O2 -std=gnu11", "-Os -fPIC -fsanitize=undefined"] {
        lab.cc(&format!("gcc -w {options} p.c -o p")).fine();
        let expected = "\
enter.main() p.c:21 main\nchunksize(5) p.c:25 main\nchunksize(7) p.c:25 main\nchunksize(8) p.c:26 main\n\
chunksize(9) p.c:26 main\nstate(4,10) p.c:27 main\nchunk(7,4,\"abc\",0,pointer) p.c:29 main\n\
chunk(7,5,\"abc\",0,pointer) p.c:29 main\nenter.find() p.c:17 find\nleave.find() p.c:17 find\n\
find(7,7,pointer) p.c:17 find\nchunk(7,4,\"abc\",0,pointer) p.c:29 main\nflags(1) p.c:30 main\n\
chunk(7,0,\"abc\",1,pointer) p.c:31 main\nchunk(7,1,\"abc\",1,pointer) p.c:31 main\n\
chunk(7,2,\"abc\",1,pointer) p.c:31 main\nopen(\"/dev/null\",2,0) p.c:32 main\nopened(\"/dev/null\",3) p.c:32 main\n\
close(3) p.c:33 main\nclose(3) p.c:33 main\nenter.make() p.c:11 make\nleave.make() p.c:11 make\n\
enter.old() p.c:12 old\nleave.old() p.c:12 old\nenter.nothing() p.c:13 nothing\nleave.nothing() p.c:13 nothing\n\
enter.nothing2() p.c:14 nothing2\nenter.nothing() p.c:13 nothing\nleave.nothing() p.c:13 nothing\n\
leave.nothing2() p.c:14 nothing2\nenter.vari() p.c:15 vari\nleave.vari() p.c:15 vari\nenter.half() p.c:16 half\n\
leave.half() p.c:16 half\nhalf(3,1.5,true) p.c:16 half\nenter.pick() p.c:18 pick\nenter.nested() p.c:18 nested\n\
leave.nested() p.c:18 nested\nleave.pick() p.c:18 pick\nmalloc(3,pointer) p.c:36 main\nfreed() p.c:36 main\n\
enter.find() p.c:17 find\nleave.find() p.c:17 find\nfind(7,7,pointer) p.c:17 find\nleave.main() p.c:38 main\n";
        let run = lab.sh("./p 3>&-");
        assert_eq!((run.code, &*run.err), (Some(0), expected), "{options}");
    }
}

#[test]
fn a_function_of_another_file_tells_of_its_calls_once() {
    let lab =
        Lab::with("[[event]]\ncall = 'helper(n)'\n", "int helper(int); int main(void) { return helper(1) - 2; }\n");
    lab.desk.write("q.c", "int helper(int n) { return n + 1; }\n");
    lab.cc("gcc p.c q.c -o p").fine();
    assert_eq!(lab.sh("./p").err, "helper(1) q.c:1 helper\n");
    // Compiled without events, the other file is a library.
    lab.sh("gcc -c q.c").fine();
    lab.cc("gcc p.c q.o -o p").fine();
    assert_eq!(lab.sh("./p").err, "helper(1) p.c:1 main\n");
}

#[test]
fn main_that_ends_without_return_returns_0() {
    let lab = Lab::with("[[event]]\nreturn = 'main'\nargs = ['result']\n", "int main(void) { }\n");
    assert_eq!(lab.events(), "main(0) p.c:1 main\n");
}

#[test]
fn parameters_have_the_values_that_the_caller_gave() {
    let program = "static int f(int n) { while (n > 0) n--; return n; }\nint main(void) { return f(3); }\n";
    let lab = Lab::with("[[event]]\nreturn = 'f'\nargs = ['n', 'result']\n", program);
    assert_eq!(lab.events(), "f(3,0) p.c:1 f\n");
}

#[test]
fn many_arguments_and_every_type() {
    let program = "enum color { RED, BLUE = 5 };\n\
                   void f(_Bool b, unsigned char u, short s, float g, double d, const char *t, void *p, enum color c, long long l, char *q) { }\n\
                   int main(void) { f(1, 255, -2, 1.5f, -0.25, \"x\", 0, BLUE, -1LL << 40, \"y\"); return 0; }\n";
    let mapping = "[[event]]\ncall = 'f'\n\
                   args = ['b', 'u', 's', 'g', 'd', 't', 'p', 'c', 'l', 'q:pointer', 's:bool', 's:float', 'b ? 1 : 2']\n";
    let lab = Lab::with(mapping, program);
    let expected = "f(true,255u,-2,1.5,-0.25,\"x\",null,5u,-1099511627776,pointer,true,-2,1) p.c:2 f\n";
    assert_eq!(lab.events(), expected);
}

#[test]
fn the_program_tells_events_itself() {
    let program = "#include \"referee_event.h\"\nint n;\nint main(void) { int pid = 4; REFEREE_EVENT(open, pid, (n++, \"a,b\")); \
                   if (n) REFEREE_EVENT(idle); else REFEREE_EVENT(idle); return n; }\n";
    let lab = Lab::with("[[event]]\nmanual = 'open(pid, name)'\n", program);
    lab.desk.write("referee_event.h", lab.desk.run(&["cc", "--event-header"]).fine());
    assert_eq!(lab.events(), "open(4,\"a,b\") p.c:3 main\nidle() p.c:3 main\n");
    // Without Referee there is no event, and nothing is worked out.
    lab.sh("gcc p.c -o q && ./q").fine();
    lab.desk.write("m.toml", "[[event]]\nmanual = 'open(pid)'\n");
    assert_eq!(
        lab.cc("gcc p.c -o p").failed(),
        "error: m.toml:2:11: REFEREE_EVENT(open) at p.c:3 has 2 arguments, the mapping says 1\n"
    );
}

#[test]
fn whatever_makes_no_object_is_left_to_the_compiler() {
    let lab = Lab::with("[[event]]\nenter = 'main'\n", "#include <stddef.h>\nint main(void) { return 0; }\n");
    for options in [
        "-E p.c",
        "-S p.c -o -",
        "-M p.c",
        "-MM p.c",
        "-fsyntax-only p.c",
        "--version",
        "-print-file-name=libc.so",
        "-dumpmachine",
        "-### -c p.c",
        "-E -x c -",
        "-Q --help=warnings",
        "-c missing.c",
        "-c conftest.c -o conftest.o",
    ] {
        lab.desk.write("conftest.c", "int main(void) { return 1; }");
        let plain = lab.sh(&format!("gcc {options} < /dev/null"));
        let ours = lab.cc(&format!("gcc {options}"));
        let without_missing = |run: &Run| (run.code, run.out.clone(), run.err.replace("cc1: fatal", "gcc: fatal"));
        assert_eq!(without_missing(&ours).0, without_missing(&plain).0, "{options}: {}", ours.err);
        assert_eq!(ours.out, plain.out, "{options}");
    }
    assert!(!lab.sh("readelf -S conftest.o").fine().contains(".referee"));
}

#[test]
fn what_is_left_alone_is_said() {
    let lab = Lab::with("[[event]]\nenter = 'main'\n", "int main(void) { return 0; }\n");
    lab.desk.write("h.h", "int x;\n");
    lab.desk.write("q.cc", "int y;\n");
    let note = |run: Run| (run.code, run.err);
    let said = |why: &str| (Some(0), format!("note: compiled without events: {why}\n"));
    assert_eq!(note(lab.cc("gcc -flto -c p.c")), said("with link-time optimisation (-flto)"));
    assert_eq!(note(lab.cc("gcc h.h -o h.h.gch")), said("h.h is precompiled"));
    assert_eq!(note(lab.cc("gcc -fsyntax-only -c q.cc")), (Some(0), String::new()));
    assert_eq!(note(lab.cc("gcc -x c++ -c p.c -o q.o")).1, said("p.c is not C").1);
}

#[test]
fn files_of_arguments_and_inputs_of_several_kinds() {
    let lab = Lab::with(
        "[[event]]\ncall = 'twice(n)'\n",
        "int twice(int), five(void), z(void); int main(void) { return twice(five()) - 10 + z(); }\n",
    );
    lab.desk.write("t.c", "int twice(int n) { return n * WORD; }\n");
    lab.desk.write("five.S", ".globl five\nfive: mov $5, %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n");
    lab.desk.write("z.txt", "int z(void) { return 0; }\n");
    lab.desk.write("arguments", "-D 'WORD=(1 + 1)'\n-o p @more\n");
    lab.desk.write("more", "p.c t.c five.S -x c z.txt");
    lab.cc("gcc @arguments").fine();
    let run = lab.sh("./p");
    assert_eq!((run.code, &*run.err), (Some(0), "twice(5) t.c:1 twice\n"));
    assert_eq!(lab.desk.files(), ["arguments", "five.S", "m.toml", "more", "p", "p.c", "stub", "t.c", "z.txt"]);
    // Several files at once, and assembler among them.
    lab.cc("gcc -c -DWORD=2 p.c t.c five.S").fine();
    lab.cc("gcc -c -x c z.txt -o z.o").fine();
    lab.cc("gcc p.o t.o five.o z.o").fine();
    assert_eq!(lab.sh("./a.out").err, "twice(5) t.c:1 twice\n");
}

#[test]
fn rules_for_make_are_those_of_the_compiler() {
    let lab = Lab::with("[[event]]\nenter = '*'\n", "#include \"h.h\"\nint main(void) { return X; }\n");
    lab.desk.write("h.h", "#define X 0\n");
    fs::create_dir(lab.desk.path("o")).expect("a folder");
    for options in [
        "-MMD -c p.c",
        "-MMD -MP -c p.c -o o/x.o",
        "-MD -MF o/rules -c p.c",
        "-MMD -MT target -c p.c -o p.o",
        "-MMD -MQ $t -MF q.d -c p.c",
        "-Wp,-MMD,w.d -c p.c -o p.o",
        "-MMD p.c -o p",
        "-MMD p.c",
    ] {
        let clean = "rm -f *.d *.o o/* p a.out";
        let show = "for f in *.d o/*.d o/rules; do [ -f $f ] && echo $f && cat $f; done; ls *.o o/*.o 2>/dev/null";
        lab.sh(clean);
        lab.sh(&format!("gcc {}", options.replace('$', "\\$"))).fine();
        let plain = lab.sh(show).out;
        lab.sh(clean);
        lab.cc(&format!("gcc {options}")).fine();
        assert_eq!(lab.sh(show).out, plain, "{options}");
        assert!(plain.contains("h.h"), "{plain}");
    }
}

#[test]
fn warnings_are_those_of_the_original_text() {
    let program = "#include <stdio.h>\nstatic int unused;\nint main(void) { int n; printf(\"%s\", 3); return n\n; }\n";
    let lab = Lab::with("[[event]]\nenter = '*'\n[[event]]\nreturn = 'printf(format)'\n", program);
    for options in [
        "-Wall",
        "-Wall -Wextra -O2 -pedantic",
        "-w",
        "",
        "-Wall -Werror",
        "-Werror=format",
        "-Wall -pedantic-errors -std=c90",
    ] {
        lab.sh("rm -f p.o");
        let plain = lab.sh(&format!("gcc {options} -c p.c -o plain.o"));
        let ours = lab.cc(&format!("gcc {options} -c p.c"));
        assert_eq!((ours.code, &ours.err), (plain.code, &plain.err), "{options}");
        assert_eq!(lab.desk.path("p.o").exists(), plain.code == Some(0), "{options}");
    }
    // What is inserted has no warnings of its own, or nobody sees them.
    lab.desk.write("p.c", "int main(void) { return 0; }\n");
    lab.desk.write("m.toml", "[[event]]\nreturn = '*'\n");
    lab.cc("gcc -Wall -Wextra -Werror -pedantic-errors -std=c90 -Wdeclaration-after-statement -c p.c").fine();
}

#[test]
fn errors_are_those_of_the_original_text() {
    for program in [
        "int main(void) { return x; }\n",
        "int main(void) { return 0 }\n",
        "#include \"none.h\"\n",
        "int f( {\n",
        "#error no\n",
    ] {
        let lab = Lab::with("[[event]]\nreturn = '*'\n", program);
        let plain = lab.sh("gcc -c p.c");
        let ours = lab.cc("gcc -c p.c");
        assert_eq!((ours.code, &ours.err), (Some(1), &plain.err), "{program}");
        assert_eq!(lab.desk.files(), ["m.toml", "p.c", "stub"]);
    }
}

/// Writing to a field of a variable in a register cannot be told, as it has no address.
const REGISTER: &str = "struct conn { int chunk; };\nint main(void) { register struct conn conn; conn.chunk = 1; return conn.chunk - 1; }\n";

#[test]
fn a_file_that_cannot_be_edited_is_compiled_as_it_is() {
    let lab = Lab::with(
        "[[event]]\nwrite = 'conn->chunk'\nargs = ['value']\noptional = true\n[[event]]\nenter = 'q'\n",
        REGISTER,
    );
    lab.desk.write("q.c", "int q(void) { return 0; }\n");
    let compiled = lab.cc("gcc -c p.c q.c");
    assert_eq!(compiled.code, Some(0));
    let reason = "p.c:2:48: error: address of register variable 'conn' requested";
    assert!(
        compiled.err.starts_with("warning: p.c has no events: p.c:2:") && compiled.err.lines().count() == 1,
        "{}",
        compiled.err
    );
    let linked = lab.cc("gcc p.o q.o -o p");
    assert!(
        linked.err.starts_with("warning: 1 of 2 files of the program have no events, the first is p.c: p.c:2:"),
        "{}",
        linked.err
    );
    assert!(linked.err.contains(&reason[10..]) || linked.err.contains("register"), "{}", linked.err);
    assert_eq!((linked.code, lab.sh("./p").code), (Some(0), Some(0)));
    let strict = lab.desk.run(&["cc", "--strict", "--map", "m.toml", "--", "gcc", "-c", "p.c", "-o", "strict.o"]);
    assert!(strict.failed().starts_with("error: p.c has no events: p.c:2:"));
    assert!(!lab.desk.path("strict.o").exists());
}

#[test]
fn a_mapping_that_does_not_fit_is_an_error() {
    let program = "struct conn { int id; int chunk; };\nint conn_open(struct conn *conn, int mode) { conn->chunk = mode; return conn->id; }\n\
                   void quiet(void) { }\nint main(void) { struct conn c = { 1, 2 }; quiet(); return conn_open(&c, 2) - 1; }\n";
    for (mapping, expected) in [
        (
            "[[event]]\ncall = 'conn_open'\nargs = ['conn->idd']\n",
            "m.toml:3:10: in `conn->idd`: `struct conn` has no member named `idd`\n  hint: did you mean `id`?",
        ),
        (
            "[[event]]\nreturn = 'conn_open'\nargs = ['mdoe']\n",
            "m.toml:3:10: in `mdoe`: `mdoe` undeclared\n  hint: did you mean `mode`?",
        ),
        ("[[event]]\ncall = 'conn_open(a, b, c)'\n", "m.toml:2:9: `conn_open` has 2 parameters, the pattern names 3"),
        (
            "[[event]]\ncall = 'conn_open(mode)'\n",
            "m.toml:2:9: `mode` is parameter 2 of `conn_open`, not 1\n  hint: `_` stands for a parameter that is not named",
        ),
        (
            "[[event]]\nreturn = 'quiet'\nargs = ['result']\n",
            "m.toml:2:11: `quiet` returns nothing\n  hint: leave `result` out",
        ),
        (
            "[[event]]\ncall = 'con_open'\n",
            "m.toml:2:9: the program has and calls no function `con_open`\n  hint: did you mean `conn_open`?",
        ),
        (
            "[[event]]\nenter = 'elsewhere'\n",
            "m.toml:2:10: the program has no function `elsewhere`\n  hint: `optional = true` in the [[event]] lets a program lack it",
        ),
        (
            "[[event]]\nwrite = 'conn->chnk'\n",
            "m.toml:2:10: the program writes no field `chnk` of `conn`\n  hint: did you mean `chunk`?",
        ),
    ] {
        let lab = Lab::with(mapping, program);
        assert_eq!(lab.cc("gcc p.c -o p").failed(), format!("error: {expected}\n"), "{mapping}");
        assert!(!lab.desk.path("p").exists());
    }
}

#[test]
fn objects_of_another_mapping_are_noticed() {
    let lab = Lab::with("[[event]]\nenter = 'main'\n", "int main(void) { return 0; }\n");
    lab.cc("gcc -c p.c").fine();
    lab.desk.write("m.toml", "[[event]]\nenter = 'main'\noptional = true\n");
    let linked = lab.cc("gcc p.o -o p");
    assert_eq!(
        (linked.code, &*linked.err),
        (Some(0), "warning: 1 object was compiled with another mapping; build p.c again\n")
    );
}

#[test]
fn libraries_tell_their_events_to_the_program() {
    let lab = Lab::with("[[event]]\nenter = 'inside'\n", "int inside(void); int main(void) { return inside(); }\n");
    lab.desk.write("l.c", "int inside(void) { return 0; }\n");
    lab.desk.write("d.c", "#include <dlfcn.h>\nint main(void) { return ((int (*)(void))dlsym(dlopen(\"./libl.so\", RTLD_NOW), \"inside\"))(); }\n");
    for options in ["", "-Wl,-z,defs", "-Wl,--no-undefined"] {
        lab.cc(&format!("gcc -fPIC -shared {options} l.c -o libl.so")).fine();
        lab.cc("gcc p.c -L. -ll -Wl,-rpath,. -o p").fine();
        assert_eq!(lab.sh("LD_LIBRARY_PATH=. ./p").err, "inside() l.c:1 inside\n", "{options}");
    }
    lab.desk.write("m.toml", "[[event]]\nenter = 'inside'\noptional = true\n");
    lab.cc("gcc d.c -ldl -o d").fine();
    assert_eq!(lab.sh("./d").err, "inside() l.c:1 inside\n");
    // A library of objects, a program that is linked statically.
    lab.cc("gcc -c l.c").fine();
    lab.sh("ar rcs libs.a l.o").fine();
    lab.cc("gcc -static p.c libs.a -o p").fine();
    assert_eq!(lab.sh("./p").err, "inside() l.c:1 inside\n");
}

#[test]
fn compilers_behind_a_cache() {
    let lab = Lab::with("[[event]]\nenter = 'main'\n", "int main(void) { return 0; }\n");
    lab.desk.write("ccache", "#!/bin/sh\necho \"$@\" >> log\nexec \"$@\"\n");
    fs::set_permissions(lab.desk.path("ccache"), fs::Permissions::from_mode(0o755)).expect("a script");
    lab.cc("./ccache gcc -c p.c -o p.o").fine();
    let log = lab.desk.read("log");
    assert!(log.starts_with("gcc ") && log.lines().count() == 2 && log.contains("cpp-output"), "{log}");
    // The same text and mapping make the same object, whatever folder was used between.
    lab.cc("gcc -g -c p.c -o again.o").fine();
    lab.cc("gcc -g -c p.c -o p.o").fine();
    assert!(fs::read(lab.desk.path("p.o")).ok() == fs::read(lab.desk.path("again.o")).ok());
}

#[test]
fn specifications_and_options_are_part_of_the_program() {
    let lab = Lab::with(
        "text-limit = 9\n[[event]]\ncall = 'f(a)'\nargs = ['n = a']\n",
        "void f(int a) { }\nint main(void) { f(1); return 0; }\n",
    );
    lab.desk.write("t.qtl", "prop q : H ! f(3)\n");
    let run = lab.desk.run(&[
        "cc",
        "--spec",
        "t.qtl",
        "--map",
        "m.toml",
        "--runtime",
        "stub",
        "--fail",
        "--all",
        "--report",
        "a\"b",
        "--",
        "gcc",
        "p.c",
        "-o",
        "p",
    ]);
    run.fine();
    lab.sh("STUB_CONFIGURATION=c.toml ./p");
    assert_eq!(
        lab.desk.read("c.toml"),
        "version = 1\n[[specification]]\nfile = \"t.qtl\"\nlanguage = \"qtl\"\ntext = \"prop q : H ! f(3)\\n\"\n\
         [[event]]\nname = \"f\"\narguments = [\"n\"]\ntext_limit = 9\n[options]\nall = true\nfail = true\nreport = \"a\\\"b\"\n"
    );
    lab.desk.write("bad.qtl", "prop q : H ! (\n");
    let err = lab.desk.run(&["cc", "--spec", "bad.qtl", "--", "gcc", "-c", "p.c"]).failed();
    assert!(err.contains("bad.qtl:") && !lab.desk.path("p.o").exists(), "{err}");
}

#[test]
fn what_the_driver_misses_is_said() {
    let desk = Desk::with("p.c", "int main(void) { return 0; }\n");
    desk.run(&["cc", "--runtime", "nowhere", "--", "gcc", "p.c"]).failed_with(
        "libreferee_runtime.a is not in nowhere",
        "build it with `cargo build --release -p referee-cc-runtime`, or say where it is with --runtime DIR",
    );
    let err = desk.run(&["cc", "--", "no-such-compiler", "-c", "p.c"]).failed();
    assert!(err.starts_with("error: the compiler `no-such-compiler` cannot be started: "), "{err}");
    let err = desk.run(&["cc", "--map", "none.toml", "--", "gcc", "-c", "p.c"]).failed();
    assert!(err.starts_with("error: none.toml: the mapping cannot be read: "), "{err}");
}
