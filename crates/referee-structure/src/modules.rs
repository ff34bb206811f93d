//! The modules of a crate: which file each is, what it defines, and which other files of the crate it uses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::graph::Graph;
use crate::paths::{NamedPath, paths};
use crate::tokens::{Token, product_tokens};

/// The words of a module's path within its crate; none for the crate itself.
pub type ModulePath = Vec<String>;

/// How many re-exports are followed from one to the next.
const MOST_REEXPORTS: usize = 8;

/// The modules of a crate that have files of their own, without those for tests.
pub struct Modules {
    all: BTreeMap<ModulePath, Module>,
}

struct Module {
    defined: BTreeSet<String>,
    types: Vec<String>,
    paths: Vec<NamedPath>,
    test_modules: Vec<String>,
}

impl Modules {
    /// Reads all files below the folder of a crate's sources.
    pub fn read(sources: &Path) -> Modules {
        let mut all = BTreeMap::new();
        read_folder(sources, &mut Vec::new(), &mut all);
        let tests: Vec<ModulePath> =
            all.iter().flat_map(|(path, module)| module.test_modules.iter().map(|name| child(path, name))).collect();
        all.retain(|path, _| !tests.iter().any(|test| path.starts_with(test)));
        Modules { all }
    }

    /// Which file uses which. Nodes are module paths such as `fo::run`; the crate's own file is `crate`.
    pub fn uses(&self) -> Graph {
        let name = |path: &[String]| if path.is_empty() { "crate".to_owned() } else { path.join("::") };
        self.all.keys().map(|path| (name(path), self.used_by(path).iter().map(|to| name(to)).collect())).collect()
    }

    /// For every folder, which of its children use which, each with all that is below it.
    pub fn uses_of_siblings(&self) -> BTreeMap<String, Graph> {
        let mut folders: BTreeMap<String, Graph> = BTreeMap::new();
        for from in self.all.keys() {
            for to in self.used_by(from) {
                let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
                if let (Some(one), Some(other)) = (from.get(common), to.get(common)) {
                    let folder = folders.entry(from[..common].join("::")).or_default();
                    folder.entry(one.clone()).or_default().insert(other.clone());
                }
            }
        }
        folders
    }

    /// The modules in which each type is defined.
    pub fn types(&self) -> BTreeMap<&str, Vec<String>> {
        let mut types: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (path, module) in &self.all {
            for name in &module.types {
                types.entry(name).or_default().push(path.join("::"));
            }
        }
        types
    }

    /// The other files that a file uses.
    fn used_by(&self, path: &[String]) -> BTreeSet<ModulePath> {
        let module = &self.all[path];
        let modules = self.imported_modules(path);
        let mut used = BTreeSet::new();
        for named in &module.paths {
            let start = self.start(path, &named.words).or_else(|| {
                let (first, rest) = named.words.split_first()?;
                let base = modules.get(first).filter(|_| !rest.is_empty() && named.imported_as.is_none())?;
                Some((base.clone(), rest.to_vec()))
            });
            if let Some((base, rest)) = start {
                used.insert(self.home(base, &rest, 0));
            }
        }
        used.remove(path);
        used
    }

    /// The modules that a file imports, by the name that they have there.
    fn imported_modules(&self, path: &[String]) -> BTreeMap<String, ModulePath> {
        let mut modules = BTreeMap::new();
        for named in &self.all[path].paths {
            if let (Some(name), Some((base, rest))) = (&named.imported_as, self.start(path, &named.words)) {
                let full: ModulePath = base.into_iter().chain(rest).collect();
                if self.all.contains_key(&full) {
                    modules.insert(name.clone(), full);
                }
            }
        }
        modules
    }

    /// Where a path of a module begins, and what is left of it; nothing if it leads out of the crate.
    fn start(&self, module: &[String], words: &[String]) -> Option<(ModulePath, Vec<String>)> {
        let first = words.first()?;
        match first.as_str() {
            "crate" => Some((Vec::new(), words[1..].to_vec())),
            "self" => Some((module.to_vec(), words[1..].to_vec())),
            "super" => {
                let up = words.iter().take_while(|word| *word == "super").count();
                Some((module[..module.len().saturating_sub(up)].to_vec(), words[up..].to_vec()))
            }
            _ if self.all.contains_key(&child(module, first)) => Some((module.to_vec(), words.to_vec())),
            _ => None,
        }
    }

    /// The file that defines what a path names, behind all re-exports.
    fn home(&self, mut base: ModulePath, mut rest: &[String], depth: usize) -> ModulePath {
        while let Some(first) = rest.first()
            && self.all.contains_key(&child(&base, first))
        {
            base = child(&base, first);
            rest = &rest[1..];
        }
        let Some(name) = rest.first() else { return base };
        let Some(module) = self.all.get(&base) else { return base };
        if module.defined.contains(name) || depth == MOST_REEXPORTS {
            return base;
        }
        self.reexport(&base, name, depth).unwrap_or(base)
    }

    /// The file that defines a name which a module only imports.
    fn reexport(&self, base: &[String], name: &str, depth: usize) -> Option<ModulePath> {
        let imports = || self.all[base].paths.iter().filter(|named| named.imported_as.is_some());
        let own = imports().find(|named| named.imported_as.as_deref() == Some(name));
        if let Some((start, rest)) = own.and_then(|named| self.start(base, &named.words)) {
            return Some(self.home(start, &rest, depth + 1));
        }
        imports().filter(|named| named.words.last().is_some_and(|word| word == "*")).find_map(|named| {
            let (start, mut rest) = self.start(base, &named.words)?;
            rest.pop();
            rest.push(name.to_owned());
            let home = self.home(start, &rest, depth + 1);
            self.all.get(&home).is_some_and(|module| module.defined.contains(name)).then_some(home)
        })
    }
}

fn child(path: &[String], name: &str) -> ModulePath {
    path.iter().cloned().chain([name.to_owned()]).collect()
}

fn read_folder(folder: &Path, path: &mut ModulePath, all: &mut BTreeMap<ModulePath, Module>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let entry = entry.expect("the folder can be read").path();
        let name = entry.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() {
            path.push(name);
            read_folder(&entry, path, all);
            path.pop();
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let is_own = matches!(name.as_str(), "mod" | "lib" | "main");
            let module = if is_own { path.clone() } else { child(path, &name) };
            let text = std::fs::read_to_string(&entry).unwrap_or_else(|error| panic!("{}: {error}", entry.display()));
            all.insert(module, read_module(&text));
        }
    }
}

fn read_module(text: &str) -> Module {
    let (tokens, test_modules) = product_tokens(text);
    let (mut defined, mut types) = (BTreeSet::new(), Vec::new());
    for pair in tokens.windows(3) {
        let [Token::Word(keyword), second, third] = pair else { continue };
        match (keyword.as_str(), second, third) {
            ("struct" | "enum" | "trait" | "union" | "type", Token::Word(name), _) => {
                defined.insert(name.clone());
                // Associated types of traits are no types of the module; those are declared at its margin.
                if keyword != "type" {
                    types.push(name.clone());
                }
            }
            ("fn" | "const" | "static", Token::Word(name), _) => _ = defined.insert(name.clone()),
            ("macro_rules", Token::Mark('!'), Token::Word(name)) => _ = defined.insert(name.clone()),
            _ => {}
        }
    }
    Module { defined, types, paths: paths(&tokens), test_modules }
}
