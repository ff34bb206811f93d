//! Runs whatever logic judges the events of one slice.

use referee_spec::core::machine::{Category, Logic, Sliced};
use referee_spec::core::{Obstacle, Problem, Span};

use super::config::{ConfigId, Lists};
use super::finite::Finite;
use super::grammar::Earley;
use super::nested::Calls;
use super::rewriting::Rewriter;
use crate::shared::bytes::{Damaged, Reader, Writer};

/// How the configurations of slices follow each other.
#[derive(Debug)]
enum BehaviourKind {
    Finite(Finite),
    Grammar(Earley, Span),
    Nested(Box<Calls>, Span),
    Rewriting(Rewriter),
    /// Its machine has too many states.
    TooLarge,
}

/// A logic and the categories that are reported.
#[derive(Debug)]
pub(super) struct Behaviour {
    kind: BehaviourKind,
    categories: Vec<Category>,
    /// Whether failing is reported at every event and not once.
    fails_each_time: bool,
    matches_once: bool,
    /// From which states of a finite machine something can still be reported.
    alive: Vec<bool>,
    /// All steps of a finite machine, a row of symbols per state.
    moves: Vec<Move>,
    /// By state of a finite machine, whether it goes on as the initial one.
    fresh: Vec<bool>,
    /// What has happened to slices that cannot be judged, each once; their configurations are numbered from [`FIRST_STUCK`] down.
    troubles: Vec<(Problem, Span)>,
}

/// The configuration of slices that the first trouble has happened to; no other configuration has such a number.
const FIRST_STUCK: ConfigId = ConfigId::MAX - 1;

/// What an event does to a slice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    /// The configuration after it.
    pub after: ConfigId,
    /// Whether a category is reached.
    pub reports: bool,
    /// Whether nothing can be reported any more.
    pub hopeless: bool,
}

impl Behaviour {
    /// The behaviour of a property's slices.
    pub(super) fn new(body: &Sliced) -> Behaviour {
        let symbols = body.events.len();
        let finite = |machine: Option<Finite>| machine.map_or(BehaviourKind::TooLarge, BehaviourKind::Finite);
        let kind = match &body.logic {
            Logic::Fsm(fsm) => BehaviourKind::Finite(Finite::of_fsm(fsm, symbols)),
            Logic::Ere(expression) => finite(Finite::of_ere(expression, symbols)),
            Logic::Ltl(formula) => finite(Finite::of_ltl(formula, symbols)),
            Logic::PtLtl(formula) => finite(Finite::of_ptltl(formula, symbols)),
            Logic::PtCaret(nested) => {
                let calls = Calls::new(nested);
                calls.map_or(BehaviourKind::TooLarge, |calls| BehaviourKind::Nested(Box::new(calls), nested.span))
            }
            Logic::Cfg(grammar) if !Earley::takes(grammar) => BehaviourKind::TooLarge,
            Logic::Cfg(grammar) => BehaviourKind::Grammar(Earley::new(grammar), grammar.span),
            Logic::Srs(system) => BehaviourKind::Rewriting(Rewriter::new(system)),
        };
        let mut behaviour = Behaviour {
            kind,
            categories: body.categories.iter().map(|(category, _)| category.clone()).collect(),
            fails_each_time: matches!(body.logic, Logic::PtLtl(_) | Logic::PtCaret(_)),
            matches_once: matches!(body.logic, Logic::Srs(_)),
            alive: Vec::new(),
            moves: Vec::new(),
            fresh: Vec::new(),
            troubles: Vec::new(),
        };
        behaviour.find_alive();
        behaviour.find_moves();
        behaviour.find_fresh();
        behaviour
    }

    /// The finite machine, if it is one.
    pub(super) fn finite(&self) -> Option<&Finite> {
        match &self.kind {
            BehaviourKind::Finite(finite) => Some(finite),
            _ => None,
        }
    }

    /// Whether its machine has too many states to be followed.
    pub(super) fn is_too_large(&self) -> bool {
        matches!(self.kind, BehaviourKind::TooLarge)
    }

    fn find_alive(&mut self) {
        let BehaviourKind::Finite(finite) = &self.kind else { return };
        let steps = |state: u32| (0..finite.symbols()).map(move |symbol| (state, finite.step(state, symbol)));
        let mut alive: Vec<bool> =
            (0..finite.len() as u32).map(|state| steps(state).any(|(from, to)| self.reports_any(from, to))).collect();
        loop {
            let before = alive.clone();
            for state in 0..finite.len() as u32 {
                alive[state as usize] |= steps(state).any(|(_, to)| before[to as usize]);
            }
            if alive == before {
                break;
            }
        }
        self.alive = alive;
    }

    fn find_moves(&mut self) {
        let BehaviourKind::Finite(finite) = &self.kind else { return };
        let states = 0..finite.len() as u32;
        let steps = states.flat_map(|state| (0..finite.symbols()).map(move |symbol| (state, symbol)));
        let known = |(state, symbol)| {
            let after = finite.step(state, symbol);
            Move { after, reports: self.reports_any(state, after), hopeless: self.is_hopeless(after) }
        };
        self.moves = steps.map(known).collect();
    }

    /// Whether a slice with a configuration goes on as one that has not begun: the same events lead to the same configurations and
    /// report the same.
    #[inline]
    pub(super) fn is_fresh(&self, config: ConfigId) -> bool {
        config == 0 || self.fresh.get(config as usize).copied().unwrap_or(false)
    }

    fn find_fresh(&mut self) {
        let BehaviourKind::Finite(finite) = &self.kind else { return };
        let goes_on_alike = |state: u32| {
            (0..finite.symbols()).all(|symbol| {
                let (own, first) = (finite.step(state, symbol), finite.step(0, symbol));
                let reports = |category: usize| self.reports(category, state, own) == self.reports(category, 0, first);
                own == first && (0..self.categories.len()).all(reports)
            })
        };
        self.fresh = (0..finite.len() as u32).map(goes_on_alike).collect();
    }

    /// What an event does to a slice.
    #[inline]
    pub(super) fn advance(&mut self, config: ConfigId, symbol: usize) -> Result<Move, (Problem, Span)> {
        if let BehaviourKind::Finite(finite) = &self.kind {
            return Ok(self.moves[config as usize * finite.symbols() + symbol]);
        }
        let after = self.step(config, symbol)?;
        Ok(Move { after, reports: self.reports_any(config, after), hopeless: self.is_hopeless(after) })
    }

    /// The configuration of a slice that cannot be judged for this reason, if nobody has to judge it yet: every event of it fails.
    pub(super) fn stuck(&mut self, trouble: (Problem, Span)) -> ConfigId {
        let known = self.troubles.iter().position(|known| *known == trouble);
        let number = known.unwrap_or_else(|| {
            self.troubles.push(trouble);
            self.troubles.len() - 1
        });
        FIRST_STUCK - number as ConfigId
    }

    /// Why slices with a configuration cannot be judged, if that is so.
    fn trouble(&self, config: ConfigId) -> Option<(Problem, Span)> {
        self.troubles.get(FIRST_STUCK.checked_sub(config)? as usize).copied()
    }

    /// The configuration after an event.
    pub(super) fn step(&mut self, config: ConfigId, symbol: usize) -> Result<ConfigId, (Problem, Span)> {
        if let Some(trouble) = self.trouble(config) {
            return Err(trouble);
        }
        match &mut self.kind {
            BehaviourKind::Finite(finite) => Ok(finite.step(config, symbol)),
            BehaviourKind::Grammar(earley, span) => earley.step(config, symbol).ok_or((Problem::StackLimit, *span)),
            BehaviourKind::Nested(calls, span) => calls.step(config, symbol).ok_or((Problem::StackLimit, *span)),
            BehaviourKind::Rewriting(rewriter) => rewriter.step(config, symbol),
            BehaviourKind::TooLarge => Ok(config),
        }
    }

    fn matches(&self, config: ConfigId) -> bool {
        match &self.kind {
            _ if self.trouble(config).is_some() => false,
            BehaviourKind::Finite(finite) => finite.matches[config as usize],
            BehaviourKind::Grammar(earley, _) => earley.matches(config),
            BehaviourKind::Nested(calls, _) => calls.matches(config),
            BehaviourKind::Rewriting(rewriter) => rewriter.matches(config),
            BehaviourKind::TooLarge => false,
        }
    }

    fn fails(&self, config: ConfigId) -> bool {
        match &self.kind {
            _ if self.trouble(config).is_some() => false,
            BehaviourKind::Finite(finite) => finite.fails[config as usize],
            BehaviourKind::Grammar(earley, _) => earley.fails(config),
            BehaviourKind::Rewriting(rewriter) => rewriter.fails(config),
            BehaviourKind::Nested(..) | BehaviourKind::TooLarge => false,
        }
    }

    /// Whether a step from one configuration to another reaches a category.
    pub(super) fn reports(&self, category: usize, before: ConfigId, after: ConfigId) -> bool {
        match &self.categories[category] {
            Category::Match if self.matches_once => self.matches(after) && !self.matches(before),
            Category::Match => self.matches(after),
            Category::Fail if self.fails_each_time => !self.matches(after),
            Category::Fail => self.fails(after) && !self.fails(before),
            Category::Surely => {
                let surely = |config: ConfigId| self.finite().is_some_and(|finite| finite.surely[config as usize]);
                surely(after) && !surely(before)
            }
            Category::States(states) => states.contains(&(after as usize)),
        }
    }

    /// Whether such a step reaches any category.
    pub(super) fn reports_any(&self, before: ConfigId, after: ConfigId) -> bool {
        (0..self.categories.len()).any(|category| self.reports(category, before, after))
    }

    /// Whether nothing can be reported any more.
    pub(super) fn is_hopeless(&self, config: ConfigId) -> bool {
        match &self.kind {
            _ if self.trouble(config).is_some() => false,
            BehaviourKind::Finite(_) => !self.alive[config as usize],
            BehaviourKind::Grammar(earley, _) => earley.fails(config),
            // What comes may always make it true, or false.
            BehaviourKind::Nested(..) => false,
            BehaviourKind::Rewriting(rewriter) => rewriter.matches(config) || rewriter.fails(config),
            BehaviourKind::TooLarge => true,
        }
    }

    /// Writes the configurations that events have made.
    pub(super) fn save(&self, out: &mut Writer) {
        let lists = match &self.kind {
            BehaviourKind::Grammar(earley, _) => earley.sets().all(),
            BehaviourKind::Nested(calls, _) => calls.moments().all(),
            BehaviourKind::Rewriting(rewriter) => rewriter.strings().all(),
            BehaviourKind::Finite(_) | BehaviourKind::TooLarge => Vec::new(),
        };
        out.length(lists.len());
        for (id, words) in lists {
            out.number(u64::from(id));
            out.length(words.len());
            words.iter().for_each(|word| out.number(*word));
        }
        out.length(self.troubles.len());
        for (problem, span) in &self.troubles {
            out.obstacle(&Obstacle { point: 0, span: *span, problem: *problem });
        }
    }

    /// Reads configurations; they replace all others.
    pub(super) fn load(&mut self, reader: &mut Reader) -> Result<(), Damaged> {
        let lists = reader.list(|reader| Ok((reader.small()?, reader.list(Reader::number)?)))?;
        let obstacles = reader.list(Reader::obstacle)?;
        self.troubles = obstacles.into_iter().map(|obstacle| (obstacle.problem, obstacle.span)).collect();
        match &mut self.kind {
            BehaviourKind::Grammar(earley, _) => earley.replace(Lists::of(lists).ok_or(Damaged)?).ok_or(Damaged),
            BehaviourKind::Nested(calls, _) => calls.replace(Lists::of(lists).ok_or(Damaged)?).ok_or(Damaged),
            BehaviourKind::Rewriting(rewriter) => rewriter.replace(Lists::of(lists).ok_or(Damaged)?).ok_or(Damaged),
            BehaviourKind::Finite(_) | BehaviourKind::TooLarge if lists.is_empty() => Ok(()),
            BehaviourKind::Finite(_) | BehaviourKind::TooLarge => Err(Damaged),
        }
    }

    /// Whether there is such a configuration.
    pub(super) fn has(&self, config: ConfigId) -> bool {
        match &self.kind {
            _ if self.trouble(config).is_some() => true,
            BehaviourKind::Finite(finite) => (config as usize) < finite.len(),
            BehaviourKind::Grammar(earley, _) => earley.sets().has(config),
            BehaviourKind::Nested(calls, _) => calls.moments().has(config),
            BehaviourKind::Rewriting(rewriter) => rewriter.strings().has(config),
            BehaviourKind::TooLarge => config == 0,
        }
    }

    /// How many configurations there are.
    pub(super) fn len(&self) -> usize {
        match &self.kind {
            BehaviourKind::Finite(finite) => finite.len(),
            BehaviourKind::Grammar(earley, _) => earley.len(),
            BehaviourKind::Nested(calls, _) => calls.len(),
            BehaviourKind::Rewriting(rewriter) => rewriter.len(),
            BehaviourKind::TooLarge => 0,
        }
    }

    /// Whether a collection of configurations that nobody has would pay.
    #[inline]
    pub(super) fn wants_collection(&self) -> bool {
        match &self.kind {
            BehaviourKind::Grammar(earley, _) => earley.is_full(),
            BehaviourKind::Nested(calls, _) => calls.is_full(),
            BehaviourKind::Rewriting(rewriter) => rewriter.is_full(),
            _ => false,
        }
    }

    /// Drops all configurations but those in use.
    pub(super) fn collect(&mut self, used: impl Iterator<Item = ConfigId>) {
        let stuck = FIRST_STUCK - self.troubles.len() as ConfigId;
        let used = used.filter(|config| *config <= stuck);
        match &mut self.kind {
            BehaviourKind::Grammar(earley, _) => earley.collect(used),
            BehaviourKind::Nested(calls, _) => calls.collect(used),
            BehaviourKind::Rewriting(rewriter) => rewriter.collect(used),
            _ => {}
        }
    }
}
