//! The modules of a crate: which file each is, what it defines, and which other files of the crate it uses.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::graph::Graph;
use crate::items::{Item, ItemKind, items, modules_of};
use crate::paths::{NamedPath, paths};
use crate::tokens::{Token, product_tokens};

/// The words of a module's path within its crate; none for the crate itself.
pub type ModulePath = Vec<String>;

/// How many re-exports are followed from one to the next.
const MOST_REEXPORTS: usize = 8;

/// The modules of a crate, without those for tests.
pub struct Modules {
    all: BTreeMap<ModulePath, Module>,
}

struct Module {
    /// The module whose file it stands in: itself, unless it stands between braces.
    file: ModulePath,
    items: Vec<Item>,
    paths: Vec<NamedPath>,
    /// The macros that it calls by name.
    calls: BTreeSet<String>,
}

/// A place where a type is defined.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypePlace {
    /// The module, such as `fo::run`.
    pub module: String,
    /// Whether anything outside of the module may see it: `pub` or `pub(…)` stands before it.
    pub is_visible: bool,
}

impl Modules {
    /// Reads all files below the folder of a crate's sources.
    pub fn read(sources: &Path) -> Modules {
        let mut files = Vec::new();
        read_folder(sources, &mut Vec::new(), &mut files);
        Modules::of(files)
    }

    /// The modules of files, given by their paths and texts.
    pub fn of(files: impl IntoIterator<Item = (ModulePath, String)>) -> Modules {
        let (mut all, mut tests) = (BTreeMap::new(), Vec::new());
        for (file, text) in files {
            let (tokens, test_modules) = product_tokens(&text);
            tests.extend(test_modules.iter().map(|name| child(&file, name)));
            for text in modules_of(&tokens) {
                let path: ModulePath = file.iter().cloned().chain(text.inner_path.iter().cloned()).collect();
                let earlier = all.insert(path, Module::new(file.clone(), &text.tokens));
                assert!(earlier.is_none(), "two files are the same module: {}", name_of(&file));
            }
        }
        all.retain(|path, _| !tests.iter().any(|test| path.starts_with(test)));
        Modules { all }
    }

    /// Which file uses which. Nodes are module paths such as `fo::run`; the crate's own file is `crate`.
    pub fn uses(&self) -> Graph {
        let names = |files: BTreeSet<ModulePath>| files.iter().map(|file| name_of(file)).collect();
        self.files().into_iter().map(|file| (name_of(file), names(self.used_by(file)))).collect()
    }

    /// For every folder, which of its children use which, each with all that is below it.
    pub fn uses_of_siblings(&self) -> BTreeMap<String, Graph> {
        let mut folders: BTreeMap<String, Graph> = BTreeMap::new();
        for from in self.files() {
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

    /// The places where each type is defined.
    pub fn types(&self) -> BTreeMap<&str, Vec<TypePlace>> {
        let mut types: BTreeMap<&str, Vec<TypePlace>> = BTreeMap::new();
        for (path, module) in &self.all {
            for item in module.items.iter().filter(|item| item.kind == ItemKind::Type) {
                let place = TypePlace { module: name_of(path), is_visible: item.is_visible };
                types.entry(&item.name).or_default().push(place);
            }
        }
        types
    }

    /// The types that files outside of the top-level folder use in which they are defined: their modules and names.
    pub fn types_used_elsewhere(&self) -> BTreeSet<(String, String)> {
        let mut used = BTreeSet::new();
        for path in self.all.keys() {
            for (home, name) in self.named_by_module(path) {
                if home.first() != path.first() && self.all.get(&home).is_some_and(|module| module.defines(&name)) {
                    used.insert((name_of(&home), name));
                }
            }
        }
        used
    }

    fn files(&self) -> BTreeSet<&ModulePath> {
        self.all.values().map(|module| &module.file).collect()
    }

    /// The other files that a file uses.
    fn used_by(&self, file: &[String]) -> BTreeSet<ModulePath> {
        let modules = self.all.iter().filter(|(_, module)| module.file == file);
        let mut used: BTreeSet<ModulePath> = modules.flat_map(|(path, _)| self.used_by_module(path)).collect();
        used.remove(file);
        used
    }

    /// The files that a module uses, its own among them.
    fn used_by_module(&self, path: &[String]) -> BTreeSet<ModulePath> {
        let homes = self.named_by_module(path).into_iter().map(|(home, _)| home);
        let macros = self.all[path].calls.iter().filter_map(|name| self.home_of_macro(path, name));
        homes.chain(macros).map(|home| self.all.get(&home).map_or(home, |module| module.file.clone())).collect()
    }

    /// What a module names: the modules that define it, and its names there. The name is empty where it is the module itself.
    fn named_by_module(&self, path: &[String]) -> Vec<(ModulePath, String)> {
        let imported = self.imported_modules(path);
        let start = |named: &NamedPath| {
            self.start(path, &named.words).or_else(|| {
                let (first, rest) = named.words.split_first()?;
                let base = imported.get(first).filter(|_| !rest.is_empty() && named.imported_as.is_none())?;
                Some((base.clone(), rest.to_vec()))
            })
        };
        self.all[path].paths.iter().filter_map(start).map(|(base, rest)| self.home(base, &rest, 0)).collect()
    }

    /// The module that defines a macro which another one calls without a path: macros are in scope behind their text.
    fn home_of_macro(&self, caller: &[String], name: &str) -> Option<ModulePath> {
        if self.all[caller].defines(name) {
            return None;
        }
        let defines =
            |module: &Module| module.items.iter().any(|item| item.kind == ItemKind::Macro && item.name == name);
        self.all.iter().find(|(_, module)| defines(module)).map(|(path, _)| path.clone())
    }

    /// The modules that a module imports, by the name that they have there.
    fn imported_modules(&self, path: &[String]) -> BTreeMap<String, ModulePath> {
        let mut modules = BTreeMap::new();
        for named in &self.all[path].paths {
            if let (Some(name), Some((base, rest))) = (&named.imported_as, self.start(path, &named.words)) {
                let Some((last, parents)) = rest.split_last() else {
                    modules.insert(name.clone(), base);
                    continue;
                };
                // The module itself, or one that a parent hands on under this name.
                let (parent, _) = self.home(base, parents, 0);
                if let Some(module) = self.module_named(parent, last, 0) {
                    modules.insert(name.clone(), module);
                }
            }
        }
        modules
    }

    /// The module that a name stands for in another one: its child, or a module that it imports.
    fn module_named(&self, parent: ModulePath, name: &str, depth: usize) -> Option<ModulePath> {
        let own = child(&parent, name);
        if self.all.contains_key(&own) {
            return Some(own);
        }
        let imports = &self.all.get(&parent)?.paths;
        let import = imports.iter().find(|named| named.imported_as.as_deref() == Some(name))?;
        let (base, rest) = self.start(&parent, &import.words)?;
        let (last, parents) = rest.split_last()?;
        let (base, _) = self.home(base, parents, depth + 1);
        if depth < MOST_REEXPORTS { self.module_named(base, last, depth + 1) } else { None }
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

    /// The module that defines what a path names, behind all re-exports, and its name there.
    fn home(&self, mut base: ModulePath, mut rest: &[String], depth: usize) -> (ModulePath, String) {
        while let Some(first) = rest.first()
            && self.all.contains_key(&child(&base, first))
        {
            base = child(&base, first);
            rest = &rest[1..];
        }
        let Some(name) = rest.first() else { return (base, String::new()) };
        let here = (base.clone(), name.clone());
        if depth == MOST_REEXPORTS || self.all.get(&base).is_none_or(|module| module.defines(name)) {
            return here;
        }
        if rest.len() > 1
            && let Some(handed_on) = self.module_named(base.clone(), name, depth)
        {
            return self.home(handed_on, &rest[1..], depth + 1);
        }
        self.reexport(&base, name, depth).unwrap_or(here)
    }

    /// Where a name is defined which a module only imports.
    fn reexport(&self, base: &[String], name: &str, depth: usize) -> Option<(ModulePath, String)> {
        let imports = || self.all[base].paths.iter().filter(|named| named.imported_as.is_some());
        let own = imports().find(|named| named.imported_as.as_deref() == Some(name));
        if let Some((start, rest)) = own.and_then(|named| self.start(base, &named.words)) {
            return Some(self.home(start, &rest, depth + 1));
        }
        imports().filter(|named| named.words.last().is_some_and(|word| word == "*")).find_map(|named| {
            let (start, mut rest) = self.start(base, &named.words)?;
            rest.pop();
            rest.push(name.to_owned());
            let (home, own) = self.home(start, &rest, depth + 1);
            self.all.get(&home).is_some_and(|module| module.defines(&own)).then_some((home, own))
        })
    }
}

impl Module {
    fn new(file: ModulePath, tokens: &[Token]) -> Module {
        Module { file, items: items(tokens), paths: paths(tokens), calls: calls_of_macros(tokens) }
    }

    fn defines(&self, name: &str) -> bool {
        self.items.iter().any(|item| item.name == name)
    }
}

/// The names before `!` and a bracket.
fn calls_of_macros(tokens: &[Token]) -> BTreeSet<String> {
    let name = |window: &[Token]| match window {
        [Token::Word(name), Token::Mark('!'), Token::Mark('(' | '[' | '{')] => Some(name.clone()),
        _ => None,
    };
    tokens.windows(3).filter_map(name).collect()
}

fn name_of(path: &[String]) -> String {
    if path.is_empty() { "crate".to_owned() } else { path.join("::") }
}

fn child(path: &[String], name: &str) -> ModulePath {
    path.iter().cloned().chain([name.to_owned()]).collect()
}

fn read_folder(folder: &Path, path: &mut ModulePath, files: &mut Vec<(ModulePath, String)>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let entry = entry.expect("the folder can be read").path();
        let name = entry.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() {
            path.push(name);
            read_folder(&entry, path, files);
            path.pop();
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            let is_own = matches!(name.as_str(), "mod" | "lib" | "main");
            let module = if is_own { path.clone() } else { child(path, &name) };
            let text = std::fs::read_to_string(&entry).unwrap_or_else(|error| panic!("{}: {error}", entry.display()));
            files.push((module, text));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::circles;

    /// Modules by their paths and texts; the path of the crate is empty.
    fn modules(files: &[(&str, &str)]) -> Modules {
        let path = |words: &str| words.split("::").filter(|word| !word.is_empty()).map(str::to_owned).collect();
        Modules::of(files.iter().map(|(words, text)| (path(words), (*text).to_owned())))
    }

    /// The uses of one file, with blanks between.
    fn uses(files: &[(&str, &str)], from: &str) -> String {
        modules(files).uses()[from].iter().cloned().collect::<Vec<_>>().join(" ")
    }

    /// The circles between files, each as its files with blanks between.
    fn circles_of(files: &[(&str, &str)]) -> Vec<String> {
        let circle = |names: BTreeSet<String>| names.into_iter().collect::<Vec<_>>().join(" ");
        circles(&modules(files).uses()).into_iter().map(circle).collect()
    }

    #[test]
    fn a_circle_of_imports_is_found() {
        let files = [
            ("", ""),
            ("a", "use crate::b::B; struct A;"),
            ("b", "use super::c::C; struct B;"),
            ("c", "use crate::a::A; struct C;"),
        ];
        assert_eq!(circles_of(&files), ["a b c"]);
        assert!(circles_of(&files[..3]).is_empty());
    }

    #[test]
    fn paths_in_the_text_are_uses() {
        let a = "fn f(x: &crate::b::B) -> u8 { super::c::g(x) + d::h::<u8>() } use crate::d;";
        let files = [("", ""), ("a", a), ("b", "struct B;"), ("c", "fn g() {}"), ("d", "fn h() {}")];
        assert_eq!(uses(&files, "a"), "b c d");
    }

    #[test]
    fn a_re_export_leads_to_the_file_that_defines_the_name() {
        let files = [
            ("", "pub use a::inner::X; mod a;"),
            ("a", "pub(crate) mod inner;"),
            ("a::inner", "pub struct X;"),
            ("b", "use crate::X;"),
        ];
        assert_eq!(uses(&files, "b"), "a::inner");
        let glob = [("", "pub use a::*; mod a;"), ("a", "pub struct X;"), ("b", "use crate::X;")];
        assert_eq!(uses(&glob, "b"), "a");
    }

    #[test]
    fn a_circle_through_a_re_export_is_found() {
        let low = "use crate::top::Y; pub struct X;";
        let files = [("", "pub use low::X; mod low;"), ("low", low), ("top", "use crate::X; pub struct Y;")];
        assert_eq!(circles_of(&files), ["low top"]);
        let renamed = [("", "pub use low::X as Z; mod low;"), ("low", low), ("top", "use super::Z; pub struct Y;")];
        assert_eq!(circles_of(&renamed), ["low top"]);
        let glob = [("", "pub use low::*; mod low;"), ("low", low), ("top", "use crate::*; pub struct Y;")];
        assert_eq!(circles_of(&glob), ["low top"]);
    }

    #[test]
    fn a_module_may_be_handed_on() {
        let files = [
            ("", "pub use a::kit; mod a;"),
            ("a", "pub mod kit;"),
            ("a::kit", "pub fn f() {}"),
            ("b", "use crate::kit; fn g() { kit::f() }"),
        ];
        assert_eq!(uses(&files, "b"), "a::kit");
        let inline = [files[0], files[1], files[2], ("b", "fn g() { crate::kit::f() }")];
        assert_eq!(uses(&inline, "b"), "a::kit");
    }

    #[test]
    fn a_parent_that_uses_its_child_and_is_used_by_it_is_a_circle() {
        let files = [("", "mod a;"), ("a", "mod b; pub struct A(b::B);"), ("a::b", "use super::A; pub struct B;")];
        assert_eq!(circles_of(&files), ["a a::b"]);
        let declared = [("", "mod a;"), ("a", "mod b; pub struct A;"), files[2]];
        assert!(circles_of(&declared).is_empty());
    }

    #[test]
    fn a_module_between_braces_belongs_to_its_file() {
        let files = [
            ("", ""),
            ("a", "fn f() {} mod inner { use super::f; use super::super::b::B; }"),
            ("b", "pub struct B; use crate::a::inner::X;"),
        ];
        assert_eq!(uses(&files, "a"), "b");
        assert_eq!(uses(&files, "b"), "a");
    }

    #[test]
    fn a_macro_is_used_where_it_is_called() {
        let files = [
            ("", ""),
            ("a", "macro_rules! make { () => { $crate::c::C } }"),
            ("b", "fn f() { make!(); print!(\"\"); }"),
            ("c", ""),
        ];
        assert_eq!(uses(&files, "b"), "a");
        assert_eq!(uses(&files, "a"), "c");
    }

    #[test]
    fn methods_are_no_items() {
        let files = [
            ("", "pub use a::f; struct S; impl S { fn f() {} } mod a;"),
            ("a", "pub fn f() {}"),
            ("b", "use crate::f;"),
        ];
        assert_eq!(uses(&files, "b"), "a");
    }

    #[test]
    fn test_code_may_use_everything() {
        let files = [
            ("", ""),
            ("a", "pub fn f() {} #[cfg(test)] mod tests;"),
            ("a::tests", "use crate::b::g;"),
            ("b", "use crate::a::f; pub fn g() {}"),
        ];
        assert!(circles_of(&files).is_empty());
        assert!(!modules(&files).uses().contains_key("a::tests"));
    }

    #[test]
    fn folders_may_form_a_circle_where_files_do_not() {
        let files = [
            ("a", ""),
            ("b", ""),
            ("a::x", "use crate::b::x::B;"),
            ("a::y", "pub struct A;"),
            ("b::x", "pub struct B;"),
            ("b::y", "use crate::a::y::A;"),
        ];
        assert!(circles_of(&files).is_empty());
        assert_eq!(circles(&modules(&files).uses_of_siblings()[""]).len(), 1);
    }

    #[test]
    fn types_that_other_folders_use_are_told() {
        let files = [
            ("", "pub use a::X;"),
            ("a", "pub mod b; pub struct X; pub struct Z;"),
            ("a::b", "use super::Z; pub struct Y;"),
            ("c", "use crate::X as W; fn f(y: crate::a::b::Y) {}"),
        ];
        let used: Vec<(String, String)> = modules(&files).types_used_elsewhere().into_iter().collect();
        assert_eq!(used, [("a", "X"), ("a::b", "Y")].map(|(module, name)| (module.to_owned(), name.to_owned())));
    }

    #[test]
    fn types_are_told_with_their_places() {
        let files = [("a", "pub struct T; impl X for T { type Y = u8; } fn f() { struct Z; }"), ("b", "type T = u8;")];
        let modules = modules(&files);
        let types = modules.types();
        assert_eq!(types.keys().copied().collect::<Vec<_>>(), ["T"]);
        let places: Vec<(&str, bool)> =
            types["T"].iter().map(|place| (place.module.as_str(), place.is_visible)).collect();
        assert_eq!(places, [("a", true), ("b", false)]);
    }
}
