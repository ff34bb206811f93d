//! Which languages there are. A rule keeps the name of its own; what belongs to a language is in `crate::language`.

/// Declares the languages once: the type, the list of all, and their names.
macro_rules! languages {
    ($($(#[$doc:meta])+ $variant:ident = $name:literal,)+) => {
        /// A specification language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Language {
            $($(#[$doc])+ $variant,)+
        }

        impl Language {
            /// Every language.
            pub const ALL: &'static [Language] = &[$(Language::$variant,)+];

            /// The name that `--language` takes, which is the file extension.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Language::$variant => $name,)+
                }
            }
        }
    };
}

languages! {
    /// FO-LTL of the competition of 2016.
    Foltl = "foltl",
    /// DejaVu.
    Qtl = "qtl",
    /// MonPoly's metric first-order temporal logic.
    Mfotl = "mfotl",
    /// SOLOIST.
    Soloist = "soloist",
    /// Quantified event automata.
    Qea = "qea",
    /// The logics of JavaMOP.
    Mop = "mop",
    /// Guarded commands.
    Gcl = "gcl",
    /// RuleR.
    Ruler = "ruler",
    /// LogFire.
    Logfire = "logfire",
    /// LARVA's dynamic automata with timers and events.
    Larva = "larva",
    /// Streams.
    Lola = "lola",
    /// Signal temporal logic.
    Stl = "stl",
}

impl Language {
    /// The languages whose rules are formulas of first-order temporal logic.
    pub const FORMULAS: [Language; 3] = [Language::Foltl, Language::Qtl, Language::Mfotl];

    /// The language with this name.
    pub fn from_name(name: &str) -> Option<Language> {
        Language::ALL.iter().copied().find(|language| language.name() == name)
    }
}
