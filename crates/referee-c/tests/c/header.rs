//! The header is what cbindgen makes of the sources, and compiles as C99 and as C++.
//!
//! With REFRESH=1 in the environment it is written anew; read the difference before you keep it.

use std::process::Command;

use crate::kit::{STRICT, own, run};

/// What the sources say, in the words of C.
fn generated() -> String {
    let config = cbindgen::Config::from_file(own().join("cbindgen.toml")).expect("the configuration is read");
    let bindings = cbindgen::Builder::new().with_crate(own()).with_config(config).generate().expect("a header");
    let mut text = Vec::new();
    bindings.write(&mut text);
    String::from_utf8(text).expect("a text").replace("# Safety", "What the caller sees to:")
}

#[test]
fn the_header_is_made_of_the_sources() {
    let file = own().join("include/referee.h");
    let generated = generated();
    if std::env::var_os("REFRESH").is_some() {
        std::fs::write(&file, &generated).expect("the header can be written");
    }
    let found = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(found == generated, "include/referee.h is not what cbindgen makes; REFRESH=1 writes it anew");
}

/// Compiles a source that includes the header twice and takes the address of each function that it declares.
fn accepts(compiler: &str, options: &[&str], suffix: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let header = std::fs::read_to_string(own().join("include/referee.h")).expect("the header");
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let declared = header.split(|letter: char| !is_name(letter)).filter(|word| word.starts_with("referee_"));
    let call = |name: &&str| header.contains(&format!("{name}(")) && !header.contains(&format!("struct {name} "));
    let mut names: Vec<&str> = declared.filter(call).collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() > 40, "{names:?}");
    let uses: String = names.iter().map(|name| format!("  sum += sizeof(&{name});\n")).collect();
    let text = format!(
        "#include \"referee.h\"\n#include \"referee.h\"\nint main(void) {{\n  size_t sum = 0;\n{uses}  return sum == 0;\n}}\n"
    );
    let source = folder.path().join(format!("source.{suffix}"));
    std::fs::write(&source, text).expect("the source is written");
    run(Command::new(compiler).args(options).arg("-fsyntax-only").arg("-I").arg(own().join("include")).arg(&source));
}

#[test]
fn the_header_is_c99() {
    accepts("gcc", &STRICT, "c");
}

#[test]
fn the_header_is_c_plus_plus() {
    for standard in ["-std=c++98", "-std=c++17"] {
        let long_is_there = if standard == "-std=c++98" { "-Wno-long-long" } else { "-Wconversion" };
        accepts("g++", &[standard, "-pedantic", "-Wall", "-Wextra", "-Werror", long_is_there], "cpp");
    }
}
