//! The arguments of a C compiler, sorted by the steps that they concern.

use std::path::{Path, PathBuf};

/// Which steps an argument goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Preprocessing only.
    Preprocess,
    /// Preprocessing and compiling.
    Both,
    /// Linking only.
    Link,
}

/// An argument with what belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Argument {
    /// An option, perhaps with its value behind it.
    Option { step: Step, words: Vec<String> },
    /// `-x LANGUAGE`.
    Language(String),
    /// A file.
    Input { path: PathBuf, kind: InputKind },
    /// `-o FILE`.
    Output(PathBuf),
    /// `-c`.
    CompileOnly,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InputKind {
    /// C, to be preprocessed.
    C,
    /// C, preprocessed.
    PreprocessedC,
    /// C++ and its relatives.
    OtherLanguage,
    /// A header that is compiled by itself.
    Header,
    /// What goes to the assembler or the linker.
    Object,
}

/// A command line of a compiler.
#[derive(Debug)]
pub(super) struct Arguments {
    /// The compiler, with what stands before it, such as `ccache`.
    pub(super) compiler: Vec<String>,
    /// All words behind it, those of files included.
    pub(super) words: Vec<String>,
    /// What they mean.
    pub(super) all: Vec<Argument>,
}

/// Why the compiler is run as if there were no Referee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Untouched {
    /// There is nothing to do for it.
    Quietly,
    /// The user may have expected something else.
    Saying(String),
}

/// Options with a value behind them, by step.
const WITH_VALUE: [(&str, Step); 35] = [
    ("-D", Step::Both),
    ("-U", Step::Both),
    ("-I", Step::Both),
    ("-include", Step::Preprocess),
    ("-imacros", Step::Preprocess),
    ("-iprefix", Step::Both),
    ("-iwithprefix", Step::Both),
    ("-iwithprefixbefore", Step::Both),
    ("-isystem", Step::Both),
    ("-idirafter", Step::Both),
    ("-iquote", Step::Both),
    ("-isysroot", Step::Both),
    ("-imultilib", Step::Both),
    ("-imultiarch", Step::Both),
    ("-MF", Step::Preprocess),
    ("-MT", Step::Preprocess),
    ("-MQ", Step::Preprocess),
    ("-Xpreprocessor", Step::Preprocess),
    ("-Xassembler", Step::Both),
    ("-Xlinker", Step::Link),
    ("-T", Step::Link),
    ("-u", Step::Link),
    ("-e", Step::Link),
    ("-z", Step::Link),
    ("-h", Step::Link),
    ("-l", Step::Link),
    ("-L", Step::Link),
    ("-A", Step::Both),
    ("-B", Step::Both),
    ("-V", Step::Both),
    ("-G", Step::Both),
    ("-wrapper", Step::Both),
    ("--param", Step::Both),
    ("-dumpbase", Step::Both),
    ("-dumpdir", Step::Both),
];

/// Options of the linker that stand alone or hold their value.
const LINK: [&str; 15] = [
    "-l",
    "-L",
    "-Wl,",
    "-shared",
    "-static",
    "-pie",
    "-no-pie",
    "-rdynamic",
    "-s",
    "-nostdlib",
    "-nostartfiles",
    "-nodefaultlibs",
    "-nolibc",
    "-r",
    "-symbolic",
];

/// Options after which no object comes out, or nothing for us to add to.
const NO_OBJECT: [&str; 14] = [
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-v",
    "--version",
    "-###",
    "--help",
    "--target-help",
    "-",
    "-dumpversion",
    "-dumpmachine",
    "-dumpspecs",
];

impl Arguments {
    /// Sorts the words of a command line; the first is the compiler.
    pub(super) fn read(command: &[String]) -> Arguments {
        let is_prefix = |word: &&String| {
            let name = Path::new(word).file_name().and_then(|name| name.to_str()).unwrap_or("");
            matches!(name, "ccache" | "distcc" | "sccache" | "icecc" | "env" | "time" | "nice") || name.contains('=')
        };
        let prefix = command.iter().take_while(is_prefix).count();
        let (compiler, rest) = command.split_at((prefix + 1).min(command.len()));
        let mut words = Vec::new();
        for word in rest {
            expand(word, 0, &mut words);
        }
        let all = sort(&words);
        Arguments { compiler: compiler.to_vec(), words, all }
    }

    /// Why the compiler is left alone, if it is.
    pub(super) fn untouched(&self) -> Option<Untouched> {
        let is_no_object = |word: &String| {
            NO_OBJECT.contains(&word.as_str()) || word.starts_with("-print") || word.starts_with("--print")
        };
        if self.words.iter().any(is_no_object) || self.inputs().next().is_none() || self.is_probe() {
            return Some(Untouched::Quietly);
        }
        let is_lto = self.words.iter().rev().find(|word| word.starts_with("-flto") || *word == "-fno-lto");
        if is_lto.is_some_and(|word| word != "-fno-lto") && (self.has_c() || !self.compiles_only()) {
            return Some(Untouched::Saying("with link-time optimisation (-flto)".to_owned()));
        }
        if let Some((path, _)) = self.inputs().find(|(_, kind)| *kind == InputKind::Header) {
            return Some(Untouched::Saying(format!("{} is precompiled", path.display())));
        }
        if let Some((path, _)) = self.inputs().find(|(_, kind)| *kind == InputKind::OtherLanguage)
            && !self.has_c()
            && self.compiles_only()
        {
            return Some(Untouched::Saying(format!("{} is not C", path.display())));
        }
        (self.compiles_only() && !self.has_c()).then_some(Untouched::Quietly)
    }

    /// Whether a tool that configures a build tries the compiler. What it learns must be about the compiler.
    fn is_probe(&self) -> bool {
        let is_probed = |path: &Path| {
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or("");
            let text = path.to_string_lossy();
            name.starts_with("conftest")
                || matches!(name, "CMakeCCompilerId" | "testCCompiler" | "CheckSymbolExists" | "sanitycheckc")
                || ["CMakeTmp", "CMakeScratch", "CompilerIdC", "meson-private"]
                    .iter()
                    .any(|folder| text.contains(folder))
        };
        let is_output = self.output().is_some_and(is_probed);
        let here = std::env::current_dir().unwrap_or_default();
        is_output || self.inputs().any(|(path, _)| is_probed(path)) || is_probed(&here)
    }

    /// All files.
    pub(super) fn inputs(&self) -> impl Iterator<Item = (&Path, InputKind)> {
        self.all.iter().filter_map(|argument| match argument {
            Argument::Input { path, kind } => Some((path.as_path(), *kind)),
            _ => None,
        })
    }

    /// Whether there is any C to instrument.
    pub(super) fn has_c(&self) -> bool {
        self.inputs().any(|(_, kind)| matches!(kind, InputKind::C | InputKind::PreprocessedC))
    }

    /// Whether nothing is linked.
    pub(super) fn compiles_only(&self) -> bool {
        self.all.contains(&Argument::CompileOnly)
    }

    /// The file that `-o` names.
    pub(super) fn output(&self) -> Option<&Path> {
        self.all.iter().rev().find_map(|argument| match argument {
            Argument::Output(path) => Some(path.as_path()),
            _ => None,
        })
    }

    /// Whether an option is there, alone or as the word behind `-Wl,` or `-Xlinker`.
    pub(super) fn links_with(&self, option: &str) -> bool {
        let given: Vec<&str> = self
            .words
            .iter()
            .filter(|word| *word != "-Xlinker")
            .flat_map(|word| word.strip_prefix("-Wl,").unwrap_or(word).split(','))
            .collect();
        let wanted: Vec<&str> = option.split(' ').collect();
        given.windows(wanted.len()).any(|words| words == wanted)
    }

    /// The words for some of the steps.
    pub(super) fn options(&self, is_meant: impl Fn(Step) -> bool) -> impl Iterator<Item = &str> {
        let words = self.all.iter().filter_map(move |argument| match argument {
            Argument::Option { step, words } if is_meant(*step) => Some(words),
            _ => None,
        });
        words.flatten().map(String::as_str)
    }
}

/// Adds a word, or the words of the file that `@file` names.
fn expand(word: &str, depth: usize, words: &mut Vec<String>) {
    const DEEPEST: usize = 16;
    let text = word.strip_prefix('@').filter(|_| depth < DEEPEST).and_then(|file| std::fs::read_to_string(file).ok());
    match text {
        Some(text) => split(&text).iter().for_each(|word| expand(word, depth + 1, words)),
        None => words.push(word.to_owned()),
    }
}

/// The words of a response file: blanks separate, quotes and backslashes keep together.
fn split(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let (mut quote, mut letters) = (None, text.chars());
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', _) => word.get_or_insert_default().extend(letters.next()),
            (_, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, None) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

fn sort(words: &[String]) -> Vec<Argument> {
    let (mut all, mut language) = (Vec::new(), None::<String>);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let argument = match word.as_str() {
            "-c" => Argument::CompileOnly,
            "-o" => Argument::Output(rest.next().map(PathBuf::from).unwrap_or_default()),
            "-x" => Argument::Language(rest.next().cloned().unwrap_or_default()),
            option => match option.strip_prefix("-x").filter(|language| !language.is_empty()) {
                Some(language) => Argument::Language(language.to_owned()),
                None => option_or_input(option, language.as_deref(), &mut rest),
            },
        };
        if let Argument::Language(named) = &argument {
            language = Some(named.clone()).filter(|named| named != "none");
        }
        all.push(argument);
    }
    all
}

fn option_or_input<'w>(word: &str, language: Option<&str>, rest: &mut impl Iterator<Item = &'w String>) -> Argument {
    if !word.starts_with('-') {
        let path = PathBuf::from(word);
        return Argument::Input { kind: input_kind(&path, language), path };
    }
    if let Some(file) = word.strip_prefix("-o") {
        return Argument::Output(PathBuf::from(file));
    }
    if let Some((_, step)) = WITH_VALUE.iter().find(|(option, _)| *option == word) {
        let words = std::iter::once(word.to_owned()).chain(rest.next().cloned()).collect();
        return Argument::Option { step: *step, words };
    }
    let is_link = LINK.iter().any(|option| {
        word == *option || (option.len() <= 4 && word.starts_with(option) && *option != "-s" && *option != "-r")
    });
    let step = match word {
        _ if is_link => Step::Link,
        _ if word.starts_with("-M") || word.starts_with("-Wp,") => Step::Preprocess,
        _ => Step::Both,
    };
    Argument::Option { step, words: vec![word.to_owned()] }
}

fn input_kind(path: &Path, language: Option<&str>) -> InputKind {
    match language {
        Some("c") => return InputKind::C,
        Some("cpp-output") => return InputKind::PreprocessedC,
        Some("c-header" | "c++-header") => return InputKind::Header,
        Some("assembler" | "assembler-with-cpp") => return InputKind::Object,
        Some(_) => return InputKind::OtherLanguage,
        None => {}
    }
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or("") {
        "c" => InputKind::C,
        "i" => InputKind::PreprocessedC,
        "h" | "hh" | "hpp" | "H" => InputKind::Header,
        "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "ii" | "m" | "mm" | "M" | "f" | "f90" | "F" | "d"
        | "go" | "adb" => InputKind::OtherLanguage,
        _ => InputKind::Object,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Arguments {
        Arguments::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_go_to_the_steps_that_they_concern() {
        let all =
            read("ccache gcc -O2 -DA=1 -D B -MMD -MF x.d -Wp,-MD,y.d -include h.h -lm -L. -Wl,-z,defs -c a.c -oa.o -s");
        assert_eq!(all.compiler, ["ccache", "gcc"]);
        let words = |step| all.options(|other| other == step).collect::<Vec<_>>().join(" ");
        assert_eq!(words(Step::Both), "-O2 -DA=1 -D B");
        assert_eq!(words(Step::Preprocess), "-MMD -MF x.d -Wp,-MD,y.d -include h.h");
        assert_eq!(words(Step::Link), "-lm -L. -Wl,-z,defs -s");
        assert_eq!(all.output(), Some(Path::new("a.o")));
        assert!(all.compiles_only() && all.has_c() && all.untouched().is_none() && all.links_with("-z defs"));
        assert!(!read("gcc a.o -Wl,-rpath,. -Wl,-z,now").links_with("-r"));
    }

    #[test]
    fn what_is_left_alone() {
        for line in [
            "-E a.c",
            "-c a.S -o a.o",
            "-S a.c",
            "a.c -M",
            "--version",
            "-print-file-name=x",
            "-c -x c -",
            "-v a.c",
            "",
            "-c conftest.c",
            "-dumpmachine",
            "-o conftest a.c",
        ] {
            assert_eq!(read(&format!("gcc {line}")).untouched(), Some(Untouched::Quietly), "{line}");
        }
        for line in ["-flto -c a.c", "-c a.cc", "-x c++ -c a.c", "a.h", "-x c-header a.h -o a.h.gch"] {
            assert!(matches!(read(&format!("gcc {line}")).untouched(), Some(Untouched::Saying(_))), "{line}");
        }
        for line in ["-c a.c", "a.o", "-x c -c a.txt", "a.c b.S", "-flto -fno-lto -c a.c", "-x c a.txt -x none b.o"] {
            assert_eq!(read(&format!("gcc {line}")).untouched(), None, "{line}");
        }
    }

    #[test]
    fn words_of_response_files() {
        assert_eq!(split("a 'b c'\n\"d\\\"e\" f\\ g ''"), ["a", "b c", "d\"e", "f g", ""]);
    }
}
