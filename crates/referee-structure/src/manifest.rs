//! The crates on which a crate depends, read from its `Cargo.toml`.
//!
//! Cargo writes a dependency in four ways, in tables for the product, for tests, for build scripts and for single targets:
//!
//! ```text
//!   [dependencies]                      [dependencies.name]          [target.'cfg(unix)'.dependencies]
//!   name.workspace = true               path = "../name"             other = { package = "name" }
//!   name = { path = "../name" }
//! ```

/// A dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The name of the crate, also where the manifest gives it another one.
    pub name: String,
    /// Whether only tests, examples and benches have it.
    pub is_for_tests: bool,
}

/// All dependencies of a manifest.
pub fn dependencies(manifest: &str) -> Vec<Dependency> {
    let mut found: Vec<Dependency> = Vec::new();
    let mut table = String::new();
    for line in manifest.lines().map(without_comment).filter(|line| !line.is_empty()) {
        if let Some(header) = line.strip_prefix('[') {
            table = header.trim_matches(['[', ']']).to_owned();
            if let Some((kind, name)) = dependency_of(&table) {
                found.push(Dependency { name: unquoted(name), is_for_tests: kind.is_for_tests });
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let path = if table.is_empty() { key.trim().to_owned() } else { format!("{table}.{}", key.trim()) };
        let Some((kind, rest)) = dependency_of(&path) else { continue };
        let mut words = rest.split('.');
        let name = words.next().map(unquoted).unwrap_or_default();
        let package = if words.next() == Some("package") { Some(unquoted(value)) } else { package_in(value) };
        match (found.iter_mut().find(|own| own.name == name && own.is_for_tests == kind.is_for_tests), package) {
            (Some(own), Some(package)) => own.name = package,
            (Some(_), None) => {}
            (None, package) => {
                found.push(Dependency { name: package.unwrap_or(name), is_for_tests: kind.is_for_tests });
            }
        }
    }
    found
}

struct Kind {
    is_for_tests: bool,
}

/// What stands behind the name of a table of dependencies, if a path leads into one.
fn dependency_of(path: &str) -> Option<(Kind, &str)> {
    ["dev-dependencies.", "build-dependencies.", "dependencies."].iter().find_map(|table| {
        let at = path.find(table)?;
        let is_table = at == 0 || path.starts_with("target.") && path[..at].ends_with('.');
        is_table.then(|| (Kind { is_for_tests: table.starts_with("dev") }, &path[at + table.len()..]))
    })
}

/// The name that `package = "…"` gives in an inline table.
fn package_in(value: &str) -> Option<String> {
    let fields = value.trim().strip_prefix('{')?.trim_end_matches('}');
    let field =
        fields.split(',').find_map(|field| field.trim().strip_prefix("package")?.trim_start().strip_prefix('='));
    field.map(unquoted)
}

fn unquoted(text: &str) -> String {
    text.trim().trim_matches(['"', '\'']).to_owned()
}

/// A line up to its comment. No name of a crate has a `#`, so that quotes need no care.
fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or(line).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_dependency_is_read() {
        let manifest = r#"
            [package]
            name = "own"
            [dependencies]
            a.workspace = true # not.b
            "c" = "1"
            d = { path = "../d", features = ["e"] }
            f = { package = "g", version = "1" }
            [dependencies.h]
            path = "../h"
            [dependencies.i]
            package = "j"
            [target.'cfg(target_os = "linux")'.dependencies]
            k.workspace = true
            [target.x86_64-unknown-linux-gnu.dev-dependencies.l]
            workspace = true
            [build-dependencies]
            m = "1"
            [dev-dependencies]
            n.workspace = true
            a.workspace = true
            [features]
            o = ["dep:a"]
            [lints]
            workspace = true
        "#;
        let found: Vec<String> = dependencies(manifest)
            .into_iter()
            .map(|own| if own.is_for_tests { format!("{}?", own.name) } else { own.name })
            .collect();
        assert_eq!(found, ["a", "c", "d", "g", "h", "j", "k", "l?", "m", "n?", "a?"]);
    }
}
