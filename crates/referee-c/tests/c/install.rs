//! What is installed is found by pkg-config.

use std::process::Command;

use crate::kit::{STRICT, built, own, run};

/// What pkg-config says of the installed library.
fn flags(prefix: &std::path::Path, more: &[&str]) -> Vec<String> {
    let mut command = Command::new("pkg-config");
    command.args(["--cflags", "--libs"]).args(more).arg("referee");
    let output = run(command.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")));
    String::from_utf8(output.stdout).expect("a text").split_whitespace().map(str::to_owned).collect()
}

#[test]
#[ignore = "needs pkg-config, which .ci/c installs"]
fn what_is_installed_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let prefix = folder.path().join("usr");
    run(Command::new(own().join("install.sh")).arg("--prefix").arg(&prefix).arg("--from").arg(built()));
    let source = own().join("tests/c/programs/errors.c");
    for (name, libraries) in [("shared", &[][..]), ("static", &["--static"])] {
        let program = folder.path().join(name);
        let mut gcc = Command::new("gcc");
        gcc.args(STRICT).arg(&source).arg("-o").arg(&program).args(flags(&prefix, libraries));
        if name == "static" {
            std::fs::remove_file(prefix.join("lib/libreferee.so")).expect("the linker then takes the other one");
        }
        run(&mut gcc);
        run(Command::new(&program).current_dir(folder.path()).env("LD_LIBRARY_PATH", prefix.join("lib")));
    }
}
