//! The files of reports: what streams have written down, as CSV or as one JSON object per line.
//!
//! A file appears under its name when it is whole; until then its rows stand in a file beside it.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, PathBuf};

use referee_engine::judge::ReportRow;
use referee_spec::core::Rule;
use referee_spec::core::stream::{Program, ReportForm};
use referee_trace::value::Value;

use super::rule_state::RuleState;
use crate::failure::Failure;
use crate::interrupt;

/// All files of a pass.
#[derive(Default)]
pub(super) struct Rows {
    /// By rule and report.
    files: HashMap<(usize, usize), Output>,
}

struct Output {
    name: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
}

fn unwritable(name: &Path, error: io::Error) -> Failure {
    Failure::Other(format!("{}: the report cannot be written: {error}", name.display()))
}

impl Output {
    fn create(program: &Program, index: usize) -> Result<Output, Failure> {
        let report = &program.reports[index];
        let name = PathBuf::from(&*report.path);
        let part = PathBuf::from(format!("{}.part", report.path));
        let mut out = BufWriter::new(File::create(&part).map_err(|error| unwritable(&name, error))?);
        interrupt::add_unfinished(&part);
        if report.form == ReportForm::Csv {
            let names: Vec<String> = report.columns.iter().map(|column| quoted(program.stream_name(*column))).collect();
            writeln!(out, "trace,point,time,{}", names.join(","))?;
        }
        Ok(Output { name, part, out })
    }
}

/// Refuses reports that could not be written when all has been read: two to one file, or in a folder that is not there.
pub(super) fn check_files<'r>(rules: impl Iterator<Item = &'r Rule>, resumes: bool) -> Result<(), Failure> {
    let mut known: HashSet<PathBuf> = HashSet::new();
    let programs = rules.filter_map(|rule| match rule {
        Rule::Stream(program) => Some(program),
        _ => None,
    });
    for report in programs.flat_map(|program| &program.reports) {
        let name = Path::new(&*report.path);
        let refused =
            |reason: &str| Err(Failure::Other(format!("{}: the report cannot be written: {reason}", name.display())));
        if resumes {
            return refused("with --resume each run would write it anew\n  hint: leave the report or --resume out");
        }
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return refused("its folder does not exist");
        }
        if name.is_dir() {
            return refused("this is a folder");
        }
        let plain = name.components().filter(|part| *part != Component::CurDir).collect();
        if !known.insert(plain) {
            return refused("another report goes to this file");
        }
    }
    Ok(())
}

impl Drop for Rows {
    /// What is not whole is taken away.
    fn drop(&mut self) {
        for output in self.files.values() {
            // There is nobody to tell.
            let _ = std::fs::remove_file(&output.part);
            interrupt::forget_unfinished(&output.part);
        }
    }
}

impl Rows {
    /// Writes rows of one judge.
    pub(super) fn write(
        &mut self,
        rules: &[usize],
        states: &[RuleState],
        trace: u64,
        rows: Vec<ReportRow>,
    ) -> Result<(), Failure> {
        for row in rows {
            let rule = rules[row.rule];
            let Rule::Stream(program) = &*states[rule].rule else { continue };
            let form = program.reports[row.report].form;
            let output = self.output(rule, program, row.report)?;
            let line = match form {
                ReportForm::Csv => csv_line(trace, &row),
                ReportForm::Json => json_line(program, trace, &row)?,
            };
            writeln!(output.out, "{line}")?;
        }
        Ok(())
    }

    fn output(&mut self, rule: usize, program: &Program, index: usize) -> Result<&mut Output, Failure> {
        match self.files.entry((rule, index)) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => Ok(place.insert(Output::create(program, index)?)),
        }
    }

    /// Gives all files their names; a report without rows has a file, too.
    pub(super) fn finish(&mut self, states: &[RuleState]) -> Result<(), Failure> {
        for (rule, state) in states.iter().enumerate() {
            let Rule::Stream(program) = &*state.rule else { continue };
            for index in 0..program.reports.len() {
                self.output(rule, program, index)?;
            }
        }
        for output in self.files.values_mut() {
            output.out.flush().map_err(|error| unwritable(&output.name, error))?;
            std::fs::rename(&output.part, &output.name).map_err(|error| unwritable(&output.name, error))?;
            interrupt::forget_unfinished(&output.part);
        }
        self.files.clear();
        Ok(())
    }
}

fn csv_line(trace: u64, row: &ReportRow) -> String {
    let time = row.time.as_ref().map_or(String::new(), ToString::to_string);
    let cell = |value: &Option<Value>| value.as_ref().map_or(String::new(), |value| quoted(&value.to_string()));
    let cells: Vec<String> = row.values.iter().map(cell).collect();
    format!("{trace},{},{time},{}", row.point, cells.join(","))
}

/// A cell, in quotes where it needs them.
fn quoted(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n', '\r']) && text.trim() == text;
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

fn json_line(program: &Program, trace: u64, row: &ReportRow) -> Result<String, Failure> {
    let time = row.time.as_ref().map_or("null".to_owned(), |time| json_value(&Value::Number(time.clone())));
    let mut line = format!("{{\"trace\":{trace},\"point\":{},\"time\":{time}", row.point);
    for (column, value) in program.reports[row.report].columns.iter().zip(&row.values) {
        let value = value.as_ref().map_or("null".to_owned(), json_value);
        line.push_str(&format!(",{}:{value}", json_text(program.stream_name(*column))));
    }
    line.push('}');
    Ok(line)
}

fn json_value(value: &Value) -> String {
    match value {
        Value::Boolean(truth) => truth.to_string(),
        Value::String(text) => json_text(text),
        Value::Number(number) => {
            let text = number.to_string();
            // A fraction such as 1/3 is no number of JSON.
            if text.contains('/') { json_text(&text) } else { text }
        }
    }
}

fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
