//! What stands before the edited text: the interface of the run time and the places of the file.

use std::collections::BTreeSet;

use super::event::Sites;

/// The interface, which the run time implements.
const INTERFACE: &str = include_str!("../runtime.h");

/// How a word is made of a number with a fraction, or of anything else.
const CONVERSIONS: &str = "\
static __inline__ __attribute__((__unused__,__always_inline__)) referee_word referee_real(double referee_value) { \
union { double value; referee_word word; } referee_bits; referee_bits.value = referee_value; return referee_bits.word; }
static __inline__ __attribute__((__unused__,__always_inline__)) referee_word referee_whole(referee_word referee_value) { \
return referee_value; }
";

/// Declarations for all that is inserted.
pub(super) fn prelude(sites: &Sites, called: &BTreeSet<&str>, defined: &BTreeSet<&str>) -> String {
    let mut out = String::with_capacity(INTERFACE.len() + 64 * sites.all.len() + 1024);
    out.push_str(INTERFACE);
    out.push_str(CONVERSIONS);
    // Whoever calls a function asks by this whether the program defines it, and so tells of its calls itself.
    for name in called {
        out.push_str(&format!("extern const char referee_defined_{name} __attribute__((__weak__));\n"));
    }
    for name in defined {
        let attributes = "__attribute__((__weak__,__visibility__(\"default\")))";
        out.push_str(&format!(
            "extern const char referee_defined_{name} {attributes}; const char referee_defined_{name} = 1;\n"
        ));
    }
    if !sites.all.is_empty() {
        out.push_str("static struct referee_site referee_sites[] __attribute__((__unused__)) = {\n");
        out.push_str(&sites.all.join(",\n"));
        out.push_str("};\n");
    }
    out
}
