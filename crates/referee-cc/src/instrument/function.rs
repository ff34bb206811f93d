//! Events at the beginning and the end of a function of the program.

use std::fmt::Write;

use referee_trace::error::TraceError;

use super::bindings::{Bindings, positions};
use super::pass::Pass;
use super::place::Place;
use crate::mapping::Happening;
use crate::syntax::unit::Function;

/// What happens at the ends of a function.
pub(super) struct Ends {
    /// The entries of the mapping, each with what its parameters are.
    entries: Vec<(usize, Bindings)>,
    /// The type of what the function returns, or nothing if it returns nothing.
    result: Option<String>,
    /// Where the function begins and ends.
    body: (usize, usize),
    is_main: bool,
}

/// Puts events at the beginning of a function; what its ends need is returned.
pub(super) fn begin(pass: &mut Pass<'_, '_>, function: &Function<'_>) -> Result<Option<Ends>, TraceError> {
    let mapping = pass.mapping;
    let (mut head, mut tail) = (String::new(), String::new());
    let mut ends = Vec::new();
    let mut copied: Vec<usize> = Vec::new();
    for number in pass.entries_for(function) {
        let entry = &mapping.entries[number];
        let positions = positions(mapping, entry, function.name, &function.parameters)?;
        let mut bindings = Bindings::default();
        if entry.happening.is_begin() {
            for (name, at) in positions {
                bindings.bind(name, function.parameters.names[at].unwrap_or("0"));
            }
            let place = pass.place(function.open, function.name);
            let _ = write!(tail, "{}", pass.sites.event(mapping, number, &place, &bindings));
            continue;
        }
        if function.is_void && Bindings::uses(entry, "result") {
            let message = format!("`{}` returns nothing", function.name);
            return Err(mapping.error(entry.pattern.offset, message).hint("leave `result` out"));
        }
        for (name, at) in positions.into_iter().filter(|(name, _)| Bindings::uses(entry, name)) {
            let parameter = function.parameters.names[at].unwrap_or("0");
            if !copied.contains(&at) {
                copied.push(at);
                let _ = write!(head, "__typeof__({parameter}) referee_in_{at} = {parameter}; ");
            }
            bindings.bind(name, format!("referee_in_{at}"));
        }
        bindings.bind("result", "referee_result");
        ends.push((number, bindings));
    }
    if !head.is_empty() || !tail.is_empty() {
        let open = pass.tokens.all[function.open];
        pass.edits.closing(open.start, open.end, format!(" {head}{tail}"));
    }
    if ends.is_empty() {
        return Ok(None);
    }
    let body = (function.open, pass.tokens.mate(function.open));
    Ok(Some(Ends { entries: ends, result: result(function), body, is_main: function.name == "main" }))
}

/// How the type of the result is written: it is that of a call. If a parameter hides the function, the value's own type is taken.
fn result(function: &Function<'_>) -> Option<String> {
    if function.is_void {
        return None;
    }
    if function.parameters.names.contains(&Some(function.name)) {
        return Some("__auto_type".to_owned());
    }
    let arguments: Vec<&str> = function.parameters.names.iter().map(|name| name.unwrap_or("0")).collect();
    Some(format!("__typeof__({}({}))", function.name, arguments.join(",")))
}

impl Ends {
    /// Puts events at a `return`.
    pub(super) fn at_return(&self, pass: &mut Pass<'_, '_>, at: usize, place: &Place<'_>) {
        let events = self.events(pass, place, |_| true);
        let keyword = pass.tokens.all[at];
        let mut end = at + 1;
        while end < self.body.1 && pass.tokens.get(end) != b";" {
            end = pass.tokens.last_of(end) + 1;
        }
        if end >= self.body.1 {
            // The compiler will say that a semicolon is missing.
            return;
        }
        let semicolon = pass.tokens.all[end];
        match &self.result {
            Some(_) if end == at + 1 => pass.edits.around(keyword.start, semicolon.end, format!("{{ {events}"), " }"),
            Some(result) => {
                let (start, last) = (pass.tokens.all[at + 1].start, pass.tokens.all[end - 1].end);
                let before = format!(" __extension__ ({{ {result} referee_result = (");
                pass.edits.around(start, last, before, format!("); {events}referee_result; }})"));
            }
            None => {
                // GNU C lets a function without a result return a call of another such function.
                pass.edits.opening(keyword.start, semicolon.end, "{ ");
                pass.edits.replace(keyword.start, keyword.end, "");
                pass.edits.closing(keyword.start, semicolon.end, format!(" {events}return; }}"));
            }
        }
    }

    /// Puts events where the body ends without `return`. There is no result then, except that `main` returns 0.
    pub(super) fn at_close(&self, pass: &mut Pass<'_, '_>, place: &Place<'_>) {
        let mapping = pass.mapping;
        let is_known = |number: &usize| !Bindings::uses(&mapping.entries[*number], "result");
        let is_main = self.is_main;
        let events = self.events(pass, place, |number| is_main || is_known(number));
        let close = pass.tokens.all[self.body.1];
        if !events.is_empty() {
            let result = if is_main { "int referee_result = 0; (void)referee_result; " } else { "" };
            pass.edits.opening(close.start, close.end, format!("{{ {result}{events}}} "));
        }
    }

    fn events(&self, pass: &mut Pass<'_, '_>, place: &Place<'_>, is_meant: impl Fn(&usize) -> bool) -> String {
        let mapping = pass.mapping;
        let meant = self.entries.iter().filter(|(number, _)| is_meant(number));
        meant.map(|(number, bindings)| pass.sites.event(mapping, *number, place, bindings)).collect()
    }
}

impl Pass<'_, '_> {
    /// Which entries speak of the begin or the end of a function.
    fn entries_for(&self, function: &Function<'_>) -> Vec<usize> {
        let is_meant = |number: &usize| {
            let entry = &self.mapping.entries[*number];
            let is_function = !matches!(entry.happening, Happening::Write | Happening::Manual);
            let is_foreign = function.is_system && entry.pattern.is_glob();
            is_function && !is_foreign && entry.pattern.matches(function.name)
        };
        (0..self.mapping.entries.len()).filter(is_meant).collect()
    }
}
