//! The outermost level of a file: which functions it defines, and what it declares.
//!
//! ```text
//!  … ; │ specifiers declarator(parameters) attributes { body } │ specifiers declarator(a, b) int a; char b; { body } │ …
//!      ▲ a declaration begins                                    ▲ in the old style semicolons come before the body
//! ```

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::declarator::{FunctionDeclarator, Parameters, function_declarator};
use super::token::Tokens;
use super::words::{begins_statement, holds_no_code, is_attribute, is_keyword};

/// A function with a body.
#[derive(Debug)]
pub(crate) struct Function<'t> {
    /// What it is called.
    pub(crate) name: &'t str,
    /// The first token of its definition.
    pub(crate) start: usize,
    /// The bracket that opens its body.
    pub(crate) open: usize,
    /// Its parameters.
    pub(crate) parameters: Parameters<'t>,
    /// Whether it is invisible to other files.
    pub(crate) is_static: bool,
    /// Whether it returns nothing.
    pub(crate) is_void: bool,
    /// Whether a header of the system defines it.
    pub(crate) is_system: bool,
}

/// A function that is declared.
#[derive(Debug)]
pub(crate) struct Prototype<'t> {
    /// Its parameters, as far as they have names.
    pub(crate) parameters: Parameters<'t>,
}

/// What the outermost level of a file holds.
#[derive(Debug, Default)]
pub(crate) struct Unit<'t> {
    /// All functions that are defined, in their order; those inside of others come behind them.
    pub(crate) functions: Vec<Function<'t>>,
    /// Functions that are declared, as far as they are wanted.
    pub(crate) prototypes: HashMap<&'t [u8], Prototype<'t>>,
    /// The first declaration of each variable that is wanted.
    pub(crate) variables: HashMap<&'t [u8], usize>,
    /// Types that are wanted, each with the way to write it.
    pub(crate) types: HashMap<&'t [u8], String>,
}

impl<'t> Unit<'t> {
    /// Reads the outermost level; of declarations it keeps those whose name is wanted.
    pub(crate) fn read(tokens: &Tokens<'t>, wanted: &HashSet<&[u8]>) -> Unit<'t> {
        let mut reader = Reader { tokens, wanted, unit: Unit::default() };
        let mut at = 0;
        while at < tokens.len() {
            at = reader.declaration(at);
        }
        reader.unit
    }
}

struct Reader<'a, 't> {
    tokens: &'a Tokens<'t>,
    wanted: &'a HashSet<&'a [u8]>,
    unit: Unit<'t>,
}

/// What has been seen of a declaration.
#[derive(Default)]
struct Seen {
    is_initialised: bool,
    function: Option<FunctionDeclarator>,
}

impl<'t> Reader<'_, 't> {
    /// Reads one declaration and returns the token behind it.
    fn declaration(&mut self, start: usize) -> usize {
        let (mut at, mut seen) = (start, Seen::default());
        while at < self.tokens.len() {
            match self.tokens.get(at) {
                b";" if self.is_old_style(start..at, &mut seen) => at += 1,
                b";" => {
                    self.declared(start..at);
                    return at + 1;
                }
                b"=" => {
                    seen.is_initialised = true;
                    at += 1;
                }
                b"{" if self.is_body(start..at, &mut seen) => {
                    let close = self.tokens.mate(at);
                    if let Some(declarator) = seen.function {
                        self.defined(start, declarator, at);
                    }
                    return close + 1;
                }
                _ => at = self.tokens.last_of(at) + 1,
            }
        }
        at
    }

    /// Whether the bracket behind these tokens opens a body, and not a list of members or of values.
    fn is_body(&self, before: Range<usize>, seen: &mut Seen) -> bool {
        if seen.is_initialised || before.is_empty() || self.opens_members(before.end) {
            return false;
        }
        seen.function = seen.function.or_else(|| function_declarator(self.tokens, before));
        seen.function.is_some()
    }

    /// Whether `struct`, attributes and a tag stand before a bracket.
    fn opens_members(&self, open: usize) -> bool {
        let Some(mut at) = open.checked_sub(1) else { return false };
        let is_tag = self.tokens.is_word(at) && !is_keyword(self.tokens.get(at));
        if is_tag {
            at = at.saturating_sub(1);
        }
        while self.tokens.get(at) == b")" && is_attribute(self.tokens.before(self.tokens.mate(at))) {
            at = self.tokens.mate(at).saturating_sub(2);
        }
        matches!(self.tokens.get(at), b"struct" | b"union" | b"enum")
    }

    /// Whether a semicolon ends the declaration of a parameter before a body: `int f(a) int a; {`.
    fn is_old_style(&self, before: Range<usize>, seen: &mut Seen) -> bool {
        if seen.is_initialised || before.is_empty() || self.tokens.get(before.start) == b"typedef" {
            return false;
        }
        if seen.function.is_none() {
            seen.function = function_declarator(self.tokens, before.clone());
        }
        let Some(declarator) = seen.function else { return false };
        let behind = self.tokens.mate(declarator.list) + 1;
        let is_word = behind < before.end && self.tokens.is_word(behind);
        let is_old = is_word && !is_attribute(self.tokens.get(behind));
        if !is_old {
            seen.function = None;
        }
        is_old
    }

    fn defined(&mut self, start: usize, declarator: FunctionDeclarator, open: usize) {
        let tokens = self.tokens;
        let head = start..declarator.name;
        let has = |word: &[u8]| head.clone().any(|at| tokens.get(at) == word);
        let has_attribute = |name: &[u8]| (start..open).any(|at| tokens.get(at) == name);
        // What a library offers for inlining is not a function of this program; and code before a stack frame is nothing we can add to.
        let is_library = has(b"extern") && (has_attribute(b"__gnu_inline__") || has_attribute(b"gnu_inline"));
        if is_library {
            return self.prototype(declarator);
        }
        if has_attribute(b"naked") || has_attribute(b"__naked__") {
            return;
        }
        self.unit.functions.push(Function {
            name: tokens.name(declarator.name),
            start,
            open,
            parameters: Parameters::read(tokens, declarator.list, true),
            is_static: has(b"static"),
            is_void: has(b"void") && !has(b"*"),
            is_system: tokens.lines.is_system(tokens.all[open].start),
        });
        self.nested_functions(start, open);
        self.types(start..open);
    }

    /// Functions inside of a body, which GNU C allows.
    fn nested_functions(&mut self, outer: usize, open: usize) {
        let tokens = self.tokens;
        for at in open + 1..tokens.mate(open) {
            if tokens.get(at) != b"{" || tokens.before(at) != b")" {
                continue;
            }
            let list = tokens.mate(at - 1);
            let Some(name) = list.checked_sub(1) else { continue };
            let is_name = tokens.is_word(name) && !is_keyword(tokens.get(name));
            let is_behind_type = tokens.before(name) == b"*" || tokens.is_word(name.saturating_sub(1));
            if is_name && is_behind_type && !begins_statement(tokens.before(name)) {
                let is_void = tokens.before(name) == b"void";
                self.unit.functions.push(Function {
                    name: tokens.name(name),
                    start: outer,
                    open: at,
                    parameters: Parameters::read(tokens, list, true),
                    is_static: true,
                    is_void,
                    is_system: false,
                });
            }
        }
    }

    fn prototype(&mut self, declarator: FunctionDeclarator) {
        let name = self.tokens.get(declarator.name);
        if self.wanted.contains(name) {
            let parameters = Parameters::read(self.tokens, declarator.list, false);
            let known = self.unit.prototypes.entry(name).or_insert(Prototype { parameters: Parameters::default() });
            if known.parameters.names.len() < parameters.names.len() {
                known.parameters = parameters;
            }
        }
    }

    /// A declaration without a body.
    fn declared(&mut self, range: Range<usize>) {
        let tokens = self.tokens;
        self.types(range.clone());
        let mut at = range.start;
        let is_typedef = tokens.get(at) == b"typedef" || tokens.get(at + 1) == b"typedef";
        while at < range.end {
            let word = tokens.get(at);
            if holds_no_code(word) && tokens.get(at + 1) == b"(" {
                at = tokens.mate(at + 1) + 1;
                continue;
            }
            if tokens.is_word(at) && self.wanted.contains(word) {
                match tokens.get(at + 1) {
                    b"=" | b";" | b"," | b"[" if is_typedef => {
                        self.unit.types.entry(word).or_insert_with(|| tokens.name(at).to_owned());
                    }
                    b"=" | b";" | b"," | b"[" | b"__attribute__" | b"__asm__" | b"asm" => {
                        self.unit.variables.entry(word).or_insert(range.end);
                    }
                    b"(" if !is_typedef => self.prototype(FunctionDeclarator { name: at, list: at + 1 }),
                    _ => {}
                }
            }
            at = tokens.last_of(at) + 1;
        }
    }

    /// Structures and unions that are wanted, wherever in a declaration they are defined.
    fn types(&mut self, range: Range<usize>) {
        for at in range {
            let keyword = self.tokens.get(at);
            if matches!(keyword, b"struct" | b"union") && self.wanted.contains(self.tokens.get(at + 1)) {
                let tag = self.tokens.get(at + 1);
                let written = || format!("{} {}", self.tokens.name(at), self.tokens.name(at + 1));
                self.unit.types.entry(tag).or_insert_with(written);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit<T>(text: &str, look: impl Fn(&Unit<'_>) -> T) -> T {
        let tokens = Tokens::of(text.as_bytes()).expect("brackets match");
        look(&Unit::read(&tokens, &HashSet::from([&b"wanted"[..], b"v", b"conn"])))
    }

    #[test]
    fn every_definition_is_found() {
        let text = "typedef int (*F)(int); struct conn { int a; } v = { 1 }, *w;\n\
                    int a(void); int a() { return 1; }\n\
                    static int k(a, b) int a; struct { int z; } *b; { return 2; }\n\
                    int (*h(int x))(int y) { int nested(int q) { return q; } if (x) { } while (x) { } return 0; }\n\
                    enum e { A, B } f(struct s { int q; } *p) { struct t { int a; } t = (struct t) { 1 }; return A; }\n\
                    int arr[] = { 1, 2 }; __attribute__((noinline)) void g(int n, ...) __attribute__((cold));\n\
                    void g(int n, ...) { } int (m)(void) { return ({ int x = 1; x; }); }\n\
                    extern __inline __attribute__((__gnu_inline__)) int wanted(int p) { return p; }";
        let names =
            unit(text, |unit| unit.functions.iter().map(|function| function.name.to_owned()).collect::<Vec<_>>());
        assert_eq!(names, ["a", "k", "h", "nested", "f", "g", "m"]);
        unit(text, |unit| {
            assert!(unit.functions[1].is_static && !unit.functions[1].is_void && unit.functions[5].is_void);
            assert!(unit.variables.contains_key(&b"v"[..]) && unit.prototypes.contains_key(&b"wanted"[..]));
            assert_eq!(unit.types.get(&b"conn"[..]).map(String::as_str), Some("struct conn"));
        });
    }
}
