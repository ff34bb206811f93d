//! An automaton with registers, stepping from configuration to configuration.
//!
//! ```text
//!  configuration ─ runs: state, registers ─▶ transitions of the letter's classes ─▶ runs, sorted ─▶ configuration
//!        └────── without guards on values: one look-up in a table [configuration × letter] ──────────▲
//! ```
//!
//! A *letter* is the set of event classes that an event fits under a binding. A register that will be overwritten before
//! it is read is dead, and counts as unbound: so a machine that is back in its first state is back in its first
//! configuration, whatever it has seen in between.

use std::cmp::Ordering;

use referee_spec::core::machine::{
    AutomatonExpression, AutomatonGuard, AutomatonStatement, EventClass, Mode, Prospect, Quantified,
};
use referee_spec::core::{Arithmetic, Comparison, Obstacle, Problem, Span};
use referee_trace::value::Value;
use referee_trace::values::{Atom, Values};

use super::config::{ConfigId, Lists};
use crate::shared::arithmetic::compute;
use crate::shared::bytes::{Damaged, Reader, Writer};
use crate::shared::maps::Map;
use crate::shared::saved_values::{read_list, write_list};

/// What a register without a value holds; no atom and no set has this word.
const UNBOUND: u64 = u64::MAX;
/// The mark of a set's number; atoms use the marks 0 to 3.
const SET: u64 = 4;
/// The first word of a configuration that cannot be judged; no state has this number.
const STUCK: u64 = u64::MAX - 1;
/// That no transition, or more than one, is for a class.
const NO_STEP: u32 = u32::MAX;
const SEVERAL: u32 = u32::MAX - 1;
/// What a table does not know yet.
const UNKNOWN: ConfigId = ConfigId::MAX;

/// What a configuration says of its binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct AutomatonFact {
    /// Accepted if the trace ended now.
    pub accepted: bool,
    /// Accepted whatever comes.
    pub surely: bool,
    /// Never accepted again.
    pub never: bool,
    /// Cannot be judged: the number of the obstacle.
    pub stuck: Option<u32>,
}

impl AutomatonFact {
    /// Whether it settles its binding: that will not be accepted any more, or cannot be judged.
    #[inline]
    pub(super) fn settles(self) -> bool {
        self.never || self.stuck.is_some()
    }
}

/// The event that is being judged.
#[derive(Debug, Clone, Copy)]
pub(super) struct AutomatonEvent<'e> {
    /// Its arguments.
    pub arguments: &'e [Atom],
    /// The number of its point.
    pub point: u64,
}

/// A transition whose quantified variables are read from the event.
#[derive(Debug, Clone)]
struct AutomatonStep {
    class: u32,
    takes: Vec<(usize, usize)>,
    branches: Vec<AutomatonEdge>,
}

#[derive(Debug, Clone)]
struct AutomatonEdge {
    guard: AutomatonGuard,
    statements: Vec<AutomatonStatement>,
    target: usize,
}

/// What an automaton does, as written.
#[derive(Debug)]
struct AutomatonCode {
    steps: Vec<Vec<AutomatonStep>>,
    /// By state and class, the number of the state's transition, if there is one only.
    only: Vec<u32>,
    next_mode: Vec<bool>,
    accepting: Vec<bool>,
    prospects: Vec<Prospect>,
    /// Which registers are read later, by state.
    live: Vec<Vec<bool>>,
    is_set: Vec<bool>,
    negated: bool,
    /// Where each class finds the value of a quantified variable, if it does.
    positions: Vec<Vec<Option<usize>>>,
}

/// An automaton and its configurations.
#[derive(Debug)]
pub(super) struct Automaton {
    code: AutomatonCode,
    plain: bool,
    /// Whether every configuration but the first belongs to one instance, and is changed in place.
    owned: bool,
    configs: Lists,
    facts: Vec<AutomatonFact>,
    /// By state, what it says of a binding with one run.
    state_facts: Vec<AutomatonFact>,
    sets: Lists,
    obstacles: Vec<Obstacle>,
    /// Sets of classes; a class is the letter with its own number.
    letters: Vec<Vec<u32>>,
    letter_table: Map<Vec<u32>, u32>,
    /// The steps that are known: a row of letters per configuration.
    table: Vec<ConfigId>,
    /// How many letters a row has room for.
    width: usize,
    runs: Vec<u64>,
    ordered: Vec<Vec<u64>>,
    /// The images of the states where two variables are exchanged, if they can be.
    images: Vec<usize>,
    /// The configurations with those images that are known.
    mirrored: Vec<ConfigId>,
}

/// Something that cannot be computed, and where.
type AutomatonTrouble = (Problem, Span);

/// The value of an expression.
pub(super) enum AutomatonDatum {
    /// A value.
    Atom(Atom),
    /// Nothing has given it one.
    Unbound,
    /// It was computed with something that is no number.
    None,
}

impl Automaton {
    /// The automaton of a quantified machine; if it is `open`, the binding's values follow an event's arguments.
    pub(super) fn new(body: &Quantified, open: bool) -> Automaton {
        let live = live_registers(body);
        let read: Vec<bool> = (0..body.registers.len())
            .map(|register| live.iter().any(|live| live[register]) || is_read(body, register))
            .collect();
        let steps: Vec<Vec<AutomatonStep>> = body
            .states
            .iter()
            .map(|state| state.transitions.iter().map(|step| compile(step, &read)).collect())
            .collect();
        let plain = steps.iter().flatten().all(|step| {
            step.takes.is_empty() && step.branches.iter().all(|way| way.guard.is_true() && way.statements.is_empty())
        });
        let positions = (body.classes.iter())
            .map(|class| {
                let found = class.variables();
                let in_event = |variable| found.iter().find(|(known, _)| *known == variable).map(|(_, place)| *place);
                let place = |variable| if open { Some(class.arguments.len() + variable) } else { in_event(variable) };
                (0..body.variables.len()).map(place).collect()
            })
            .collect();
        let owned = !open && !plain && is_lone(body);
        let code = AutomatonCode {
            only: only_steps(&steps, body.classes.len()),
            steps,
            next_mode: body.states.iter().map(|state| state.mode == Mode::Next).collect(),
            accepting: body.states.iter().map(|state| state.accepting).collect(),
            prospects: body.prospects(),
            live,
            is_set: body.registers.iter().map(|register| register.is_set).collect(),
            negated: body.negated,
            positions,
        };
        let mut automaton = Automaton {
            state_facts: (0..code.accepting.len()).map(|state| code.fact_of_state(state)).collect(),
            code,
            plain,
            owned,
            configs: Lists::default(),
            facts: Vec::new(),
            sets: Lists::default(),
            obstacles: Vec::new(),
            letters: (0..body.classes.len() as u32).map(|class| vec![class]).collect(),
            letter_table: Map::default(),
            table: Vec::new(),
            width: body.classes.len().max(1),
            runs: Vec::new(),
            ordered: Vec::new(),
            images: Vec::new(),
            mirrored: Vec::new(),
        };
        automaton.runs = std::iter::once(0).chain(body.registers.iter().map(|_| UNBOUND)).collect();
        automaton.intern_runs();
        automaton
    }

    /// Whether a step changes the configuration of its instance in place, unless that is or becomes the first one.
    #[inline]
    pub(super) fn steps_in_place(&self) -> bool {
        self.owned
    }

    /// The letter of a set of classes, which are sorted.
    pub(super) fn letter(&mut self, classes: &[u32]) -> u32 {
        if let [class] = classes {
            return *class;
        }
        if let Some(&letter) = self.letter_table.get(classes) {
            return letter;
        }
        let letter = self.letters.len() as u32;
        self.letters.push(classes.to_vec());
        self.letter_table.insert(classes.to_vec(), letter);
        letter
    }

    /// What a configuration says of its binding.
    #[inline]
    pub(super) fn fact(&self, config: ConfigId) -> AutomatonFact {
        self.facts[config as usize]
    }

    /// Whether what it does depends on nothing but its state and the event's classes.
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// An obstacle by its number.
    pub(super) fn obstacle(&self, number: u32) -> &Obstacle {
        &self.obstacles[number as usize]
    }

    /// How many configurations there are.
    pub(super) fn config_count(&self) -> usize {
        self.configs.len()
    }

    /// Whether a collection of configurations that nobody has would pay.
    pub(super) fn wants_collection(&self) -> bool {
        !self.plain && (self.configs.is_full() || self.owned && self.sets.is_full())
    }

    /// Drops all configurations but the first and those in use.
    pub(super) fn collect(&mut self, used: impl Iterator<Item = ConfigId>) {
        let mut marked = vec![false; self.configs.capacity()];
        marked[0] = true;
        used.for_each(|config| marked[config as usize] = true);
        let mut sets = vec![false; self.sets.capacity()];
        for config in (0..marked.len()).filter(|config| marked[*config]) {
            let words = self.configs.get(config as ConfigId);
            let runs = words.chunks_exact(1 + self.code.is_set.len()).filter(|_| words[0] != STUCK);
            for word in runs.flat_map(|run| &run[1..]).filter(|word| **word & 7 == SET) {
                sets[(word >> 3) as usize] = true;
            }
        }
        self.configs.collect(&marked);
        self.sets.collect(&sets);
    }

    /// The configuration after an event.
    #[inline]
    pub(super) fn step(
        &mut self,
        config: ConfigId,
        letter: u32,
        event: AutomatonEvent<'_>,
        values: &mut Values,
    ) -> ConfigId {
        if !self.plain {
            return self.compute(config, letter, event, values);
        }
        let (row, column) = (config as usize * self.width, letter as usize);
        match self.table.get(row + column) {
            Some(&known) if known != UNKNOWN && column < self.width => known,
            _ => self.explore(config, letter, event, values),
        }
    }

    /// Says what the states are called where two variables are exchanged.
    pub(super) fn exchange(&mut self, images: Vec<usize>) {
        self.images = images;
    }

    /// A configuration with the images of its states: that of the binding with two values exchanged. Only plain automata have one, whose
    /// configurations keep their numbers for ever.
    pub(super) fn mirror(&mut self, config: ConfigId) -> ConfigId {
        match self.mirrored.get(config as usize) {
            Some(&known) if known != UNKNOWN => known,
            _ => self.find_mirror(config),
        }
    }

    #[cold]
    fn find_mirror(&mut self, config: ConfigId) -> ConfigId {
        if self.images.is_empty() || self.facts[config as usize].stuck.is_some() {
            return config;
        }
        self.runs = self.configs.get(config).to_vec();
        for run in self.runs.chunks_exact_mut(1 + self.code.is_set.len()) {
            run[0] = self.images[run[0] as usize] as u64;
        }
        self.order_runs();
        let mirror = self.intern_runs();
        if self.mirrored.len() <= config as usize {
            self.mirrored.resize(config as usize + 1, UNKNOWN);
        }
        self.mirrored[config as usize] = mirror;
        mirror
    }

    /// Computes a step and remembers it.
    #[cold]
    fn explore(&mut self, config: ConfigId, letter: u32, event: AutomatonEvent<'_>, values: &mut Values) -> ConfigId {
        let next = self.compute(config, letter, event, values);
        if letter as usize >= self.width {
            let width = self.letters.len().next_power_of_two();
            let mut wider = Vec::with_capacity(self.table.len() / self.width * width);
            for row in self.table.chunks_exact(self.width) {
                wider.extend_from_slice(row);
                wider.resize(wider.len() + width - self.width, UNKNOWN);
            }
            (self.table, self.width) = (wider, width);
        }
        let rows = (config as usize + 1) * self.width;
        if self.table.len() < rows {
            self.table.resize(rows, UNKNOWN);
        }
        self.table[config as usize * self.width + letter as usize] = next;
        next
    }

    fn compute(&mut self, config: ConfigId, letter: u32, event: AutomatonEvent<'_>, values: &mut Values) -> ConfigId {
        if self.facts[config as usize].stuck.is_some() {
            return config;
        }
        if self.owned
            && let Some(next) = self.advance_lone(config, letter, event, values)
        {
            return next;
        }
        let Automaton { code, configs, sets, letters, runs, .. } = self;
        let width = 1 + code.is_set.len();
        runs.clear();
        let classes = &letters[letter as usize];
        for run in configs.get(config).chunks_exact(width) {
            if let Err((problem, span)) = code.step(run, classes, event, values, sets, runs) {
                return self.stick(config, Obstacle { point: event.point, span, problem });
            }
        }
        self.order_runs();
        if self.owned { self.change(config) } else { self.intern_runs() }
    }

    /// The configuration after an event of one class, of an instance with one run that one transition at most may take; else nothing.
    #[inline]
    fn advance_lone(
        &mut self,
        config: ConfigId,
        class: u32,
        event: AutomatonEvent<'_>,
        values: &mut Values,
    ) -> Option<ConfigId> {
        let Automaton { code, configs, sets, runs, .. } = self;
        let words = configs.get(config);
        if words.len() != 1 + code.is_set.len() {
            return None;
        }
        let state = words[0] as usize;
        runs.clear();
        runs.extend_from_slice(words);
        let taken = match code.only[state * code.positions.len() + class as usize] {
            SEVERAL => return None,
            NO_STEP => Ok(false),
            step => code.take(&code.steps[state][step as usize], event, values, sets, runs),
        };
        match taken {
            Err((problem, span)) => {
                return Some(self.stick(config, Obstacle { point: event.point, span, problem }));
            }
            Ok(true) => {}
            Ok(false) if code.next_mode[state] => {
                runs.fill(UNBOUND);
                runs[0] = code.failure();
            }
            Ok(false) => return Some(config),
        }
        Some(self.change(config))
    }

    /// Makes the runs at hand what an instance has come to.
    #[inline]
    fn change(&mut self, config: ConfigId) -> ConfigId {
        // The first configuration is in state 0; few others are.
        if self.runs.first() == Some(&0) && *self.runs == *self.configs.get(0) {
            if config != 0 {
                self.configs.release(config);
            }
            return 0;
        }
        let single_run = self.runs.len() == 1 + self.code.is_set.len();
        let fact = if single_run { self.state_facts[self.runs[0] as usize] } else { self.code.fact_of(&self.runs) };
        let runs = std::mem::take(&mut self.runs);
        let config = self.own(config, &runs, fact);
        self.runs = runs;
        config
    }

    /// Makes some words what an instance has come to; the first configuration belongs to nobody.
    #[inline]
    fn own(&mut self, config: ConfigId, words: &[u64], fact: AutomatonFact) -> ConfigId {
        let config = if config == 0 {
            self.configs.put(words)
        } else {
            self.configs.set(config, words);
            config
        };
        self.set_fact(config, fact);
        config
    }

    /// The instance with a configuration is dropped.
    pub(super) fn release(&mut self, config: ConfigId) {
        if self.owned && config != 0 {
            self.configs.release(config);
        }
    }

    /// Writes what a configuration is.
    pub(super) fn write(&self, config: ConfigId, values: &Values, out: &mut Writer) {
        if let Some(number) = self.facts[config as usize].stuck {
            out.truth(true);
            return out.obstacle(self.obstacle(number));
        }
        out.truth(false);
        let words = self.configs.get(config);
        out.length(words.len() / (1 + self.code.is_set.len()));
        for run in words.chunks_exact(1 + self.code.is_set.len()) {
            out.number(run[0]);
            for register in &run[1..] {
                self.write_register(*register, values, out);
            }
        }
    }

    fn write_register(&self, register: u64, values: &Values, out: &mut Writer) {
        let atoms: Vec<Atom> = match register {
            UNBOUND => Vec::new(),
            set if set & 7 == SET => {
                self.sets.get((set >> 3) as u32).iter().map(|word| Atom::from_word(*word)).collect()
            }
            word => vec![Atom::from_word(word)],
        };
        write_list(&atoms, values, out);
    }

    /// Reads a configuration; where each belongs to one instance, it is a new one.
    pub(super) fn read(&mut self, values: &mut Values, reader: &mut Reader) -> Result<ConfigId, Damaged> {
        if reader.truth()? {
            let obstacle = reader.obstacle()?;
            return Ok(self.stick(0, obstacle));
        }
        let (mut runs, count) = (Vec::new(), reader.length()?);
        if count == 0 {
            return Err(Damaged);
        }
        for _ in 0..count {
            let state = reader.number()?;
            if state >= self.code.accepting.len() as u64 {
                return Err(Damaged);
            }
            runs.push(state);
            for register in 0..self.code.is_set.len() {
                runs.push(self.read_register(register, values, reader)?);
            }
        }
        self.runs = runs;
        self.order_runs();
        Ok(if self.owned { self.change(0) } else { self.intern_runs() })
    }

    fn read_register(&mut self, register: usize, values: &mut Values, reader: &mut Reader) -> Result<u64, Damaged> {
        let mut words: Vec<u64> = read_list(values, reader)?.into_iter().map(Atom::word).collect();
        words.sort_unstable();
        words.dedup();
        match (words.len(), self.code.is_set[register]) {
            (0, _) => Ok(UNBOUND),
            (_, true) => Ok(u64::from(self.sets.intern(&words).0) << 3 | SET),
            (1, false) => Ok(words[0]),
            _ => Err(Damaged),
        }
    }

    fn stick(&mut self, config: ConfigId, obstacle: Obstacle) -> ConfigId {
        let number = self.obstacles.len() as u64;
        self.obstacles.push(obstacle);
        let (words, fact) = ([STUCK, number], AutomatonFact { stuck: Some(number as u32), ..AutomatonFact::default() });
        if self.owned { self.own(config, &words, fact) } else { self.intern(&words, Some(fact)) }
    }

    /// Puts several runs in order, each once.
    #[inline]
    fn order_runs(&mut self) {
        let width = 1 + self.code.is_set.len();
        if self.runs.len() > width {
            self.ordered.clear();
            self.ordered.extend(self.runs.chunks_exact(width).map(<[u64]>::to_vec));
            self.ordered.sort_unstable();
            self.ordered.dedup();
            self.runs = self.ordered.concat();
        }
    }

    /// The configuration of the runs at hand.
    fn intern_runs(&mut self) -> ConfigId {
        let runs = std::mem::take(&mut self.runs);
        let config = self.intern(&runs, None);
        self.runs = runs;
        config
    }

    fn intern(&mut self, words: &[u64], fact: Option<AutomatonFact>) -> ConfigId {
        let (config, new) = self.configs.intern(words);
        if new {
            let fact = fact.unwrap_or_else(|| self.code.fact_of(words));
            self.set_fact(config, fact);
        }
        config
    }

    #[inline]
    fn set_fact(&mut self, config: ConfigId, fact: AutomatonFact) {
        if self.facts.len() <= config as usize {
            self.facts.resize(config as usize + 1, AutomatonFact::default());
        }
        self.facts[config as usize] = fact;
    }
}

/// By state and class, the number of the state's transition, if there is one only.
fn only_steps(steps: &[Vec<AutomatonStep>], classes: usize) -> Vec<u32> {
    let mut only = Vec::with_capacity(steps.len() * classes);
    for own in steps {
        for class in 0..classes as u32 {
            let mut found = own.iter().enumerate().filter(|(_, step)| step.class == class);
            only.push(match (found.next(), found.next()) {
                (None, _) => NO_STEP,
                (Some((number, _)), None) => number as u32,
                _ => SEVERAL,
            });
        }
    }
    only
}

/// Whether every event moves one binding at most: all classes bind all variables, of which there are some, and no event fits two.
fn is_lone(body: &Quantified) -> bool {
    let all = |class: &EventClass| class.variables().len() == body.variables.len();
    let alike =
        |one: &EventClass, other: &EventClass| one.event == other.event && one.arguments.len() == other.arguments.len();
    let twice = |(number, class): (usize, &EventClass)| body.classes[..number].iter().any(|other| alike(class, other));
    !body.variables.is_empty() && body.classes.iter().all(all) && !body.classes.iter().enumerate().any(twice)
}

impl AutomatonCode {
    /// The state that fails.
    fn failure(&self) -> u64 {
        (self.accepting.len() - 2) as u64
    }

    /// What one state says of its binding, where it is the only one.
    fn fact_of_state(&self, state: usize) -> AutomatonFact {
        let (accepted, surely) = (self.accepting[state], !self.prospects[state].reject);
        let never = !self.prospects[state].accept;
        if self.negated {
            AutomatonFact { accepted: !accepted, surely: never, never: surely, stuck: None }
        } else {
            AutomatonFact { accepted, surely, never, stuck: None }
        }
    }

    /// Adds where one run goes to `runs`, on an event of these classes.
    fn step(
        &self,
        run: &[u64],
        classes: &[u32],
        event: AutomatonEvent<'_>,
        values: &mut Values,
        sets: &mut Lists,
        runs: &mut Vec<u64>,
    ) -> Result<(), AutomatonTrouble> {
        let state = run[0] as usize;
        let before = runs.len();
        // A letter has few classes and a state few transitions.
        for step in self.steps[state].iter().filter(|step| classes.contains(&step.class)) {
            let start = runs.len();
            runs.extend_from_slice(run);
            match self.take(step, event, values, sets, &mut runs[start..])? {
                true => {}
                false => runs.truncate(start),
            }
        }
        if runs.len() == before {
            if self.next_mode[state] {
                runs.push(self.failure());
                runs.extend(run[1..].iter().map(|_| UNBOUND));
            } else {
                runs.extend_from_slice(run);
            }
        }
        Ok(())
    }

    /// Takes a transition with a run, if a guard is true; whether it did.
    #[inline]
    fn take(
        &self,
        step: &AutomatonStep,
        event: AutomatonEvent<'_>,
        values: &mut Values,
        sets: &mut Lists,
        run: &mut [u64],
    ) -> Result<bool, AutomatonTrouble> {
        let (state, registers) = run.split_at_mut(1);
        for (position, register) in &step.takes {
            registers[*register] = values.normal(event.arguments[*position]).word();
        }
        let positions = &self.positions[step.class as usize][..];
        for way in &step.branches {
            if way.guard.is_true()
                || (AutomatonScope { positions, event, registers }).holds(&way.guard, sets, values)?
            {
                for statement in &way.statements {
                    execute(statement, positions, event, values, sets, registers)?;
                }
                state[0] = way.target as u64;
                for (word, live) in registers.iter_mut().zip(&self.live[way.target]) {
                    if !live {
                        *word = UNBOUND;
                    }
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn fact_of(&self, words: &[u64]) -> AutomatonFact {
        let states = || words.chunks_exact(1 + self.is_set.len()).map(|run| run[0] as usize);
        let accepted = states().any(|state| self.accepting[state]);
        let surely = states().any(|state| !self.prospects[state].reject);
        let never = !states().any(|state| self.prospects[state].accept);
        if self.negated {
            AutomatonFact { accepted: !accepted, surely: never, never: surely, stuck: None }
        } else {
            AutomatonFact { accepted, surely, never, stuck: None }
        }
    }
}

/// Executes a statement on the registers of a run.
fn execute(
    statement: &AutomatonStatement,
    positions: &[Option<usize>],
    event: AutomatonEvent<'_>,
    values: &mut Values,
    sets: &mut Lists,
    registers: &mut [u64],
) -> Result<(), AutomatonTrouble> {
    let scope = AutomatonScope { positions, event, registers };
    let value =
        |expression: &AutomatonExpression, span: Span, values: &mut Values| match scope.value(expression, values)? {
            AutomatonDatum::Atom(atom) => Ok(atom.word()),
            AutomatonDatum::Unbound => Err((Problem::Unbound, span)),
            AutomatonDatum::None => Err((Problem::NotANumber, span)),
        };
    match statement {
        AutomatonStatement::Assign(register, expression, span) => {
            let word = value(expression, *span, values)?;
            registers[*register] = word;
        }
        AutomatonStatement::Add(register, element, span) => {
            let word = value(element, *span, values)?;
            change_set(sets, &mut registers[*register], |set| match set.binary_search(&word) {
                Ok(_) => {}
                Err(place) => set.insert(place, word),
            });
        }
        AutomatonStatement::Remove(register, element, span) => {
            let word = value(element, *span, values)?;
            change_set(sets, &mut registers[*register], |set| set.retain(|member| *member != word));
        }
        AutomatonStatement::Clear(register) => registers[*register] = UNBOUND,
    }
    Ok(())
}

fn change_set(sets: &mut Lists, register: &mut u64, change: impl FnOnce(&mut Vec<u64>)) {
    let mut set = if *register == UNBOUND { Vec::new() } else { sets.get((*register >> 3) as u32).to_vec() };
    change(&mut set);
    // The empty set is the one that nothing has been added to.
    *register = if set.is_empty() { UNBOUND } else { u64::from(sets.intern(&set).0) << 3 | SET };
}

/// Where expressions find their values.
struct AutomatonScope<'a> {
    positions: &'a [Option<usize>],
    event: AutomatonEvent<'a>,
    registers: &'a [u64],
}

impl AutomatonScope<'_> {
    fn holds(&self, guard: &AutomatonGuard, sets: &Lists, values: &mut Values) -> Result<bool, AutomatonTrouble> {
        match guard {
            AutomatonGuard::Constant(truth) => Ok(*truth),
            AutomatonGuard::Not(body) => Ok(!self.holds(body, sets, values)?),
            AutomatonGuard::And(all) => {
                for guard in all {
                    if !self.holds(guard, sets, values)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            AutomatonGuard::Or(all) => {
                for guard in all {
                    if self.holds(guard, sets, values)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            AutomatonGuard::Compare(comparison, left, right) => {
                let (left, right) = (self.value(left, values)?, self.value(right, values)?);
                Ok(
                    matches!((left, right), (AutomatonDatum::Atom(a), AutomatonDatum::Atom(b)) if compare(*comparison, a, b, values)),
                )
            }
            AutomatonGuard::In(element, set) => match (self.value(element, values)?, self.registers[*set]) {
                (_, UNBOUND) => Ok(false),
                (AutomatonDatum::Atom(atom), set) => {
                    Ok(sets.get((set >> 3) as u32).binary_search(&atom.word()).is_ok())
                }
                _ => Ok(false),
            },
            AutomatonGuard::Empty(set) => Ok(self.registers[*set] == UNBOUND),
        }
    }

    fn value(&self, expression: &AutomatonExpression, values: &mut Values) -> Result<AutomatonDatum, AutomatonTrouble> {
        Ok(match expression {
            AutomatonExpression::Variable(variable) => match self.positions[*variable] {
                Some(position) => AutomatonDatum::Atom(values.normal(self.event.arguments[position])),
                None => AutomatonDatum::Unbound,
            },
            AutomatonExpression::Register(register) => match self.registers[*register] {
                UNBOUND => AutomatonDatum::Unbound,
                word => AutomatonDatum::Atom(Atom::from_word(word)),
            },
            AutomatonExpression::Constant(value) => AutomatonDatum::Atom(values.intern_value(value)),
            AutomatonExpression::Binary(operator, left, right, span) => {
                match (self.value(left, values)?, self.value(right, values)?) {
                    (AutomatonDatum::Unbound, _) | (_, AutomatonDatum::Unbound) => {
                        return Err((Problem::Unbound, *span));
                    }
                    (AutomatonDatum::Atom(a), AutomatonDatum::Atom(b)) => {
                        return arithmetic(*operator, a, b, *span, values);
                    }
                    _ => AutomatonDatum::None,
                }
            }
        })
    }
}

/// Arithmetic on two values.
pub(super) fn arithmetic(
    operator: Arithmetic,
    a: Atom,
    b: Atom,
    span: Span,
    values: &mut Values,
) -> Result<AutomatonDatum, AutomatonTrouble> {
    if let (Some(a), Some(b)) = (a.as_integer(), b.as_integer()) {
        let small = match operator {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Subtract => a.checked_sub(b),
            Arithmetic::Multiply => a.checked_mul(b),
            _ => None,
        };
        if let Some(atom) = small.and_then(Atom::integer) {
            return Ok(AutomatonDatum::Atom(atom));
        }
    }
    let (Value::Number(a), Value::Number(b)) = (values.value(a), values.value(b)) else {
        return Ok(AutomatonDatum::None);
    };
    let result = compute(operator, &a, &b).map_err(|problem| (problem, span))?;
    Ok(AutomatonDatum::Atom(values.intern_value(&Value::Number(result))))
}

/// Whether two values, in normal form, compare so.
pub(super) fn compare(comparison: Comparison, a: Atom, b: Atom, values: &Values) -> bool {
    match comparison {
        Comparison::Equal => return a == b,
        Comparison::NotEqual => return a != b,
        _ => {}
    }
    let order = match (a.as_integer(), b.as_integer()) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => match (values.value(a), values.value(b)) {
            (Value::Number(a), Value::Number(b)) => Some(a.cmp(&b)),
            (Value::String(a), Value::String(b)) => Some(a.cmp(&b)),
            _ => None,
        },
    };
    match comparison {
        Comparison::Less => order == Some(Ordering::Less),
        Comparison::LessOrEqual => order.is_some_and(Ordering::is_le),
        Comparison::Greater => order == Some(Ordering::Greater),
        Comparison::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        _ => false,
    }
}

/// Whether a condition on quantified variables holds of a binding; a comparison that has no value is false.
pub(super) fn condition_holds(guard: &AutomatonGuard, binding: &[Atom], values: &mut Values) -> bool {
    let positions: Vec<Option<usize>> = (0..binding.len()).map(Some).collect();
    let event = AutomatonEvent { arguments: binding, point: 0 };
    let scope = AutomatonScope { positions: &positions, event, registers: &[] };
    scope.holds(guard, &Lists::default(), values).unwrap_or(false)
}

/// A transition without the registers that nobody reads.
fn compile(transition: &referee_spec::core::machine::AutomatonTransition, read: &[bool]) -> AutomatonStep {
    let way = |branch: &referee_spec::core::machine::Branch| AutomatonEdge {
        guard: branch.guard.clone(),
        statements: branch.statements.clone(),
        target: branch.target,
    };
    AutomatonStep {
        class: transition.class as u32,
        takes: transition.takes.iter().filter(|(_, register)| read[*register]).copied().collect(),
        branches: transition.branches.iter().map(way).collect(),
    }
}

/// Whether a guard or a statement reads a register.
fn is_read(body: &Quantified, register: usize) -> bool {
    let branches = body.states.iter().flat_map(|state| &state.transitions).flat_map(|step| &step.branches);
    branches.into_iter().any(|branch| {
        let mut found = AutomatonReads::default();
        found.guard(&branch.guard);
        branch.statements.iter().for_each(|statement| found.statement(statement));
        found.0.contains(&register)
    })
}

/// The registers that something reads.
#[derive(Default)]
struct AutomatonReads(Vec<usize>);

impl AutomatonReads {
    fn guard(&mut self, guard: &AutomatonGuard) {
        match guard {
            AutomatonGuard::Constant(_) => {}
            AutomatonGuard::Not(body) => self.guard(body),
            AutomatonGuard::And(all) | AutomatonGuard::Or(all) => all.iter().for_each(|guard| self.guard(guard)),
            AutomatonGuard::Compare(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            AutomatonGuard::In(element, set) => {
                self.expression(element);
                self.0.push(*set);
            }
            AutomatonGuard::Empty(set) => self.0.push(*set),
        }
    }

    fn expression(&mut self, expression: &AutomatonExpression) {
        expression.visit(&mut |part| {
            if let AutomatonExpression::Register(register) = part {
                self.0.push(*register);
            }
        });
    }

    fn statement(&mut self, statement: &AutomatonStatement) {
        match statement {
            AutomatonStatement::Assign(_, value, _) => self.expression(value),
            AutomatonStatement::Add(set, element, _) | AutomatonStatement::Remove(set, element, _) => {
                self.expression(element);
                self.0.push(*set);
            }
            AutomatonStatement::Clear(_) => {}
        }
    }
}

/// For every state, the registers that may be read before they get a value.
fn live_registers(body: &Quantified) -> Vec<Vec<bool>> {
    let mut live = vec![vec![false; body.registers.len()]; body.states.len()];
    loop {
        let before = live.clone();
        for (number, state) in body.states.iter().enumerate() {
            for transition in &state.transitions {
                // Guards and statements are not run in a fixed order over branches: whatever any of them reads is live.
                let mut reads = AutomatonReads::default();
                for branch in &transition.branches {
                    reads.guard(&branch.guard);
                    branch.statements.iter().for_each(|statement| reads.statement(statement));
                    let kept = live[branch.target].iter().enumerate().filter(|(_, live)| **live);
                    let kept: Vec<usize> = kept.map(|(register, _)| register).collect();
                    let assigned = |register: &usize| {
                        branch.statements.iter().any(|statement| match statement {
                            AutomatonStatement::Assign(target, ..) | AutomatonStatement::Clear(target) => {
                                target == register
                            }
                            _ => false,
                        })
                    };
                    reads.0.extend(kept.into_iter().filter(|register| !assigned(register)));
                }
                let taken = |register: &usize| transition.takes.iter().any(|(_, target)| target == register);
                reads
                    .0
                    .into_iter()
                    .filter(|register| !taken(register))
                    .for_each(|register| live[number][register] = true);
            }
        }
        if live == before {
            return live;
        }
    }
}
