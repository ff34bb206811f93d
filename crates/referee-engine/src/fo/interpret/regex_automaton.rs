//! Regular expressions over points, as automata.
//!
//! Thompson's construction: states joined by steps, which move to another point, and by tests, which stay. Before a
//! monitor runs, the paths of tests are followed once: `closure[q]` lists every state that q reaches without a step, with
//! the tests on the way.

use referee_spec::core::{Formula, Regex};

/// The automaton of a regular expression; `P` is what its formulas are compiled to.
#[derive(Debug)]
pub(crate) struct RegexAutomaton<P> {
    /// The formulas that steps and tests need.
    pub formulas: Vec<P>,
    /// Per state: steps, each with the formula it tests (none for `.`) and the state it leads to.
    pub steps: Vec<Vec<(Option<usize>, usize)>>,
    /// Per state: the states reached without a step, itself included, each with the formulas tested on the way.
    pub closure: Vec<Vec<(usize, Vec<usize>)>>,
    start: usize,
    accept: usize,
}

impl<P> RegexAutomaton<P> {
    /// The automaton of an expression, whose formulas `plan` compiles.
    pub(crate) fn of(regex: &Regex, plan: &mut impl FnMut(&Formula) -> P) -> RegexAutomaton<P> {
        let mut builder = RegexBuilder { formulas: Vec::new(), steps: Vec::new(), tests: Vec::new() };
        let (start, accept) = (builder.state(), builder.state());
        builder.add(regex, start, accept, plan);
        let closure = (0..builder.steps.len()).map(|state| builder.closure(state)).collect();
        RegexAutomaton { formulas: builder.formulas, steps: builder.steps, closure, start, accept }
    }

    /// How many states there are.
    pub(crate) fn states(&self) -> usize {
        self.steps.len()
    }

    /// The state in which a match begins.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The state in which it is complete.
    pub(crate) fn accept(&self) -> usize {
        self.accept
    }

    /// All formulas.
    pub(crate) fn plans(&self) -> Vec<&P> {
        self.formulas.iter().collect()
    }
}

struct RegexBuilder<P> {
    formulas: Vec<P>,
    steps: Vec<Vec<(Option<usize>, usize)>>,
    tests: Vec<Vec<(Option<usize>, usize)>>,
}

impl<P> RegexBuilder<P> {
    fn state(&mut self) -> usize {
        self.steps.push(Vec::new());
        self.tests.push(Vec::new());
        self.steps.len() - 1
    }

    fn formula(&mut self, formula: &Formula, plan: &mut impl FnMut(&Formula) -> P) -> usize {
        self.formulas.push(plan(formula));
        self.formulas.len() - 1
    }

    fn add(&mut self, regex: &Regex, from: usize, to: usize, plan: &mut impl FnMut(&Formula) -> P) {
        match regex {
            Regex::Any => self.steps[from].push((None, to)),
            Regex::Step(formula) => {
                let formula = self.formula(formula, plan);
                self.steps[from].push((Some(formula), to));
            }
            Regex::Test(formula) => {
                let formula = self.formula(formula, plan);
                self.tests[from].push((Some(formula), to));
            }
            Regex::Concat(left, right) => {
                let middle = self.state();
                self.add(left, from, middle, plan);
                self.add(right, middle, to, plan);
            }
            Regex::Choice(left, right) => {
                self.add(left, from, to, plan);
                self.add(right, from, to, plan);
            }
            Regex::Star(body) => {
                let hub = self.state();
                self.tests[from].push((None, hub));
                self.tests[hub].push((None, to));
                self.add(body, hub, hub, plan);
            }
        }
    }

    /// All states reachable by tests alone, with minimal sets of tests.
    fn closure(&self, state: usize) -> Vec<(usize, Vec<usize>)> {
        let mut found: Vec<(usize, Vec<usize>)> = vec![(state, Vec::new())];
        let mut next = 0;
        while next < found.len() {
            let (at, tests) = found[next].clone();
            for &(test, to) in &self.tests[at] {
                let mut tests = tests.clone();
                if let Some(test) = test.filter(|test| !tests.contains(test)) {
                    tests.push(test);
                    tests.sort_unstable();
                }
                let covered = |(known, fewer): &(usize, Vec<usize>)| {
                    *known == to && fewer.iter().all(|test| tests.contains(test))
                };
                if !found.iter().any(covered) {
                    found.push((to, tests));
                }
            }
            next += 1;
        }
        found
    }
}
