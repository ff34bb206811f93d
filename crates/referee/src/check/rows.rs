//! The files of reports: what streams have written down, as CSV or as one JSON object per line.
//!
//! A file appears under its name when it is whole; until then its rows stand in a file beside it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use referee_engine::judge::ReportRow;
use referee_spec::core::Rule;
use referee_spec::core::stream::{Program, ReportForm};
use referee_trace::value::Value;

use super::bench::Standing;
use crate::failure::Failure;

/// All files of a pass.
#[derive(Default)]
pub struct Rows {
    /// By rule and report.
    files: HashMap<(usize, usize), Output>,
}

struct Output {
    name: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
}

impl Output {
    fn create(program: &Program, index: usize) -> Result<Output, Failure> {
        let report = &program.reports[index];
        let name = PathBuf::from(&*report.path);
        let part = PathBuf::from(format!("{}.part", report.path));
        let unwritable = |error| Failure::Other(format!("{}: the report cannot be written: {error}", name.display()));
        let mut out = BufWriter::new(File::create(&part).map_err(unwritable)?);
        if report.form == ReportForm::Csv {
            let names: Vec<String> = report.columns.iter().map(|column| quoted(program.stream_name(*column))).collect();
            writeln!(out, "trace,point,time,{}", names.join(","))?;
        }
        Ok(Output { name, part, out })
    }
}

impl Rows {
    /// Writes rows of one judge.
    pub fn write(
        &mut self,
        rules: &[usize],
        standings: &[Standing],
        trace: u64,
        rows: Vec<ReportRow>,
    ) -> Result<(), Failure> {
        let Some(&rule) = rules.first() else { return Ok(()) };
        let Rule::Stream(program) = &*standings[rule].rule else { return Ok(()) };
        for row in rows {
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
    pub fn finish(&mut self, standings: &[Standing]) -> Result<(), Failure> {
        for (rule, standing) in standings.iter().enumerate() {
            let Rule::Stream(program) = &*standing.rule else { continue };
            for index in 0..program.reports.len() {
                self.output(rule, program, index)?;
            }
        }
        for (_, mut output) in self.files.drain() {
            output.out.flush()?;
            std::fs::rename(&output.part, &output.name)?;
        }
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
