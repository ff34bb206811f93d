//! Follows all bindings one by one, where no instance can represent many.
//!
//! A guard that reads a variable which its event does not bind tells bindings apart that have seen the same events. Then
//! every binding of seen values is followed by itself, and when a value comes for the first time, its bindings catch up
//! from a record of the events. Cost per event: the number of bindings; memory: those, and the events.

use referee_trace::values::{Atom, Values};

use super::alphabet::Candidate;
use super::automaton::{Automaton, AutomatonEvent};
use super::config::ConfigId;
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::maps::Map;
use crate::shared::saved_values::{read_row, write_list};

/// The configuration of each binding.
type RecordedRows = Map<Vec<Atom>, ConfigId>;

/// An event that some class fits.
#[derive(Debug, Clone)]
struct Recorded {
    point: u64,
    shape: usize,
    arguments: Box<[Atom]>,
}

/// All bindings and the events so far.
#[derive(Debug)]
pub(super) struct Replay {
    rows: RecordedRows,
    record: Vec<Recorded>,
}

impl Replay {
    /// No events yet; without variables there is one binding from the start.
    pub(super) fn new(variables: usize) -> Replay {
        let rows = if variables == 0 { RecordedRows::from_iter([(Vec::new(), 0)]) } else { RecordedRows::default() };
        Replay { rows, record: Vec::new() }
    }

    /// How many bindings there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a binding is followed already.
    pub(super) fn knows(&self, binding: &[Atom]) -> bool {
        self.rows.contains_key(binding)
    }

    /// The configuration of a binding.
    pub(super) fn config(&self, binding: &[Atom]) -> ConfigId {
        self.rows.get(binding).copied().unwrap_or(0)
    }

    /// All configurations in use.
    pub(super) fn configs(&self) -> impl Iterator<Item = ConfigId> {
        self.rows.values().copied()
    }

    /// Writes the bindings and the events; `config` writes what a configuration is. The number of a shape means nothing elsewhere, but
    /// shapes with a class in common fit the same classes: one of these is written.
    pub(super) fn save(
        &self,
        shapes: &[Vec<Candidate>],
        values: &Values,
        out: &mut Writer,
        mut config: impl FnMut(ConfigId, &mut Writer),
    ) {
        out.length(self.rows.len());
        for (row, own) in &self.rows {
            write_list(row, values, out);
            config(*own, out);
        }
        out.length(self.record.len());
        for event in &self.record {
            out.number(event.point);
            out.number(shapes[event.shape].first().map_or(0, |candidate| u64::from(candidate.class)));
            write_list(&event.arguments, values, out);
        }
    }

    /// Reads bindings of so many variables and events of these shapes.
    pub(super) fn load(
        &mut self,
        variables: usize,
        shapes: &[Vec<Candidate>],
        automaton: &mut Automaton,
        values: &mut Values,
        reader: &mut Reader,
    ) -> Result<(), Damaged> {
        self.rows = RecordedRows::default();
        for _ in 0..reader.length()? {
            let row = read_row(variables, values, reader)?;
            self.rows.insert(row, automaton.read(values, reader)?);
        }
        self.record = reader.list(|reader| {
            let (point, class) = (reader.number()?, reader.small()?);
            let fits = |found: &Vec<Candidate>| found.first().is_some_and(|candidate| candidate.class == class);
            let shape = shapes.iter().position(fits).ok_or(Damaged)?;
            let arguments = read_row(arity(&shapes[shape]), values, reader)?.into();
            Ok(Recorded { point, shape, arguments })
        })?;
        Ok(())
    }

    /// Notes the event that is to be judged next. The binding's values follow the arguments that classes know of, so others are
    /// left out.
    pub(super) fn record(&mut self, point: u64, shape: usize, shapes: &[Vec<Candidate>], arguments: &[Atom]) {
        let arguments = arguments[..arity(&shapes[shape])].into();
        self.record.push(Recorded { point, shape, arguments });
    }

    /// Moves all bindings by the last event; those that have moved.
    pub(super) fn step(
        &mut self,
        shapes: &[Vec<Candidate>],
        automaton: &mut Automaton,
        values: &mut Values,
    ) -> Vec<(Vec<Atom>, ConfigId)> {
        let Some(event) = self.record.last() else { return Vec::new() };
        let mut moved = Vec::new();
        for (binding, config) in &mut self.rows {
            let after = follow(event, binding, *config, shapes, automaton, values);
            if after != *config {
                *config = after;
                moved.push((binding.clone(), after));
            }
        }
        moved
    }

    /// Follows a new binding through all events so far.
    pub(super) fn catch_up(
        &mut self,
        binding: Vec<Atom>,
        shapes: &[Vec<Candidate>],
        automaton: &mut Automaton,
        values: &mut Values,
    ) -> (Vec<Atom>, ConfigId) {
        let all = self.record.iter();
        let config = all.fold(0, |config, event| follow(event, &binding, config, shapes, automaton, values));
        self.rows.insert(binding.clone(), config);
        (binding, config)
    }
}

/// How many arguments the classes that events of a shape may fit know of.
fn arity(shape: &[Candidate]) -> usize {
    shape.first().map_or(0, Candidate::arity)
}

/// The configuration of a binding after an event.
fn follow(
    event: &Recorded,
    binding: &[Atom],
    config: ConfigId,
    shapes: &[Vec<Candidate>],
    automaton: &mut Automaton,
    values: &mut Values,
) -> ConfigId {
    let belongs = |candidate: &&Candidate| {
        candidate.fits(&event.arguments)
            && candidate.places.iter().all(|(variable, place)| event.arguments[*place] == binding[*variable])
    };
    let classes: Vec<u32> = shapes[event.shape].iter().filter(belongs).map(|candidate| candidate.class).collect();
    if classes.is_empty() {
        return config;
    }
    let letter = automaton.letter(&classes);
    // Expressions find the binding's values behind the arguments.
    let arguments = [&event.arguments[..], binding].concat();
    automaton.step(config, letter, AutomatonEvent { arguments: &arguments, point: event.point }, values)
}
