//! Random properties.

use referee_spec::core::builder::*;
use referee_spec::core::{
    Arithmetic, BinaryOp, Comparison, Constraint, DefId, Direction, Domain, Formula, Function, Interval, Judgement,
    Kind, Language, Observation, Position, Property, Regex, Term, UnaryOp, VarId,
};
use referee_trace::number::Number;
use referee_trace::value::Value;

use super::rng::Rng;
use super::source::write_source;
use super::vocabulary::{EVENTS, FIELDS, TEXTS};

/// How many variables a formula may have, bindings included.
const VARIABLES: usize = 3;

/// The bounds that intervals have; times of random traces differ by these.
const BOUNDS: [i64; 4] = [0, 1, 2, 3];

/// A well-formed property of a language, whose formulas are at most about `depth` deep.
pub fn random_property(rng: &mut Rng, language: Language, depth: usize) -> Property {
    let judgement = match language {
        Language::Foltl => Judgement::Once,
        Language::Qtl => Judgement::EveryPoint,
        _ => Judgement::EveryBinding,
    };
    let mut generator = Generator {
        seen: rng.chance(30),
        rng,
        language,
        builder: PropertyBuilder::new(language, judgement),
        scope: Vec::new(),
        variables: 0,
        callable: Vec::new(),
        future: language != Language::Qtl,
    };
    generator.definitions(depth);
    let body = generator.body(depth);
    let mut property = generator.builder.build(body);
    write_source(&mut property);
    property
}

struct Generator<'a> {
    rng: &'a mut Rng,
    language: Language,
    builder: PropertyBuilder,
    /// The variables that may be used here.
    scope: Vec<VarId>,
    /// How many more variables this formula may bind.
    variables: usize,
    /// The definitions that may be called here, with their numbers of parameters.
    callable: Vec<(DefId, usize)>,
    /// Whether future operators may be used here.
    future: bool,
    /// Whether DejaVu's quantifiers range over seen values.
    seen: bool,
}

impl Generator<'_> {
    // Definitions: DejaVu's rules, MFOTL's LET and LETPAST.

    fn definitions(&mut self, depth: usize) {
        if self.language == Language::Foltl || self.rng.chance(60) {
            return;
        }
        let arities: Vec<usize> = (0..1 + self.rng.below(2)).map(|_| self.rng.below(3)).collect();
        for own in 0..arities.len() {
            self.definition(own, &arities, depth.saturating_sub(2).min(3));
        }
    }

    fn definition(&mut self, own: usize, arities: &[usize], depth: usize) {
        let parameters: Vec<VarId> =
            (0..arities[own]).map(|_| self.builder.variable(&format!("v{}", self.builder.variable_count()))).collect();
        self.scope = parameters.clone();
        self.variables = 1;
        let recursive = self.rng.chance(60);
        self.future = self.language == Language::Mfotl && !recursive;
        let mut body = self.formula(depth);
        if recursive {
            // DejaVu's rules may call later ones too.
            let callee = if self.language == Language::Qtl { self.rng.below(arities.len()).max(own) } else { own };
            body = self.recursion(body, DefId(callee as u32), arities[callee]);
        }
        self.builder.define(&format!("d{own}"), &parameters, recursive, |_| body);
        self.callable.push((DefId(own as u32), arities[own]));
        self.scope.clear();
        self.future = self.language != Language::Qtl;
    }

    /// A body that also calls a definition, at earlier points only.
    fn recursion(&mut self, body: Formula, callee: DefId, arity: usize) -> Formula {
        let arguments: Vec<Term> = (0..arity).map(|_| self.simple_term()).collect();
        let own = call(callee, arguments);
        let earlier = match self.rng.below(if self.language == Language::Mfotl { 5 } else { 4 }) {
            0 => prev(own),
            1 => prev(not(own)),
            2 => prev(once(own)),
            3 => prev(binary(self.atom(), BinaryOp::Since, own)),
            _ => binary_within(self.atom(), BinaryOp::Since, more_than(0), own),
        };
        match self.rng.below(3) {
            0 => or([body, earlier]),
            1 => or([body, and([self.atom(), earlier])]),
            _ => and([not(body), earlier]),
        }
    }

    // The body.

    fn body(&mut self, depth: usize) -> Formula {
        self.variables = VARIABLES;
        for _ in 0..self.rng.weighted(&[25, 50, 25]) {
            let domain = self.domain();
            let name = format!("v{}", self.builder.variable_count());
            let variable = self.builder.binding_over(&name, domain);
            self.scope.push(variable);
            self.variables -= 1;
        }
        let body = if self.rng.chance(60) {
            let guard = self.event();
            implies(guard, self.formula(depth.saturating_sub(2)))
        } else {
            self.formula(depth.saturating_sub(1))
        };
        if self.language == Language::Foltl && self.rng.chance(70) { always(body) } else { body }
    }

    fn formula(&mut self, depth: usize) -> Formula {
        if depth == 0 || self.rng.chance(10) {
            return self.atom();
        }
        let quantifiers = if self.variables > 0 { 15 } else { 0 };
        let (matches, calls) = match self.language {
            Language::Mfotl => (8, 12),
            Language::Qtl => (0, 12),
            _ => (0, 0),
        };
        let calls = if self.callable.is_empty() { 0 } else { calls };
        match self.rng.weighted(&[35, quantifiers, 28, 22, matches, calls]) {
            0 => self.connective(depth - 1),
            1 => self.quantified(depth - 1),
            2 => self.unary(depth - 1),
            3 => self.binary(depth - 1),
            4 => self.matching(depth - 1),
            _ => self.call(),
        }
    }

    fn connective(&mut self, depth: usize) -> Formula {
        match self.rng.weighted(&[30, 25, 25, 15, 5]) {
            0 => not(self.formula(depth)),
            1 => and((0..2 + self.rng.below(2)).map(|_| self.formula(depth))),
            2 => or((0..2 + self.rng.below(2)).map(|_| self.formula(depth))),
            3 => implies(self.formula(depth), self.formula(depth)),
            _ => iff(self.formula(depth), self.formula(depth)),
        }
    }

    fn quantified(&mut self, depth: usize) -> Formula {
        let domain = self.domain();
        let name = format!("v{}", self.builder.variable_count());
        let variable = self.builder.variable_over(&name, domain);
        self.scope.push(variable);
        self.variables -= 1;
        let guarded = self.rng.chance(50);
        let guard = self.event_about(variable);
        let body = self.formula(depth);
        let universal = self.rng.chance(50);
        self.scope.pop();
        self.variables += 1;
        match (universal, guarded) {
            (true, true) => forall(variable, implies(guard, body)),
            (true, false) => forall(variable, body),
            (false, true) => exists(variable, and([guard, body])),
            (false, false) => exists(variable, body),
        }
    }

    fn domain(&mut self) -> Domain {
        match self.language {
            Language::Mfotl => Domain::Infinite,
            Language::Qtl if !self.seen => Domain::Infinite,
            Language::Qtl => {
                let positions = self.positions();
                Domain::SoFar(self.builder.sort("seen", positions))
            }
            _ => {
                let positions = self.positions();
                Domain::Trace(self.builder.sort("sort", positions))
            }
        }
    }

    fn positions(&mut self) -> Vec<Position> {
        let mut all: Vec<Position> = EVENTS
            .iter()
            .flat_map(|&(event, arity)| (0..arity).map(move |index| argument(event, arity, index)))
            .collect();
        if self.language == Language::Foltl {
            all.push(Position::Field { event: None, field: self.rng.pick(&FIELDS).into() });
        }
        let first = self.rng.pick(&all);
        let mut some: Vec<Position> =
            all.into_iter().filter(|position| *position != first && self.rng.chance(30)).collect();
        some.insert(0, first);
        some
    }

    // Temporal operators.

    fn unary(&mut self, depth: usize) -> Formula {
        let past = [UnaryOp::Prev, UnaryOp::Once, UnaryOp::Historically];
        let future = [UnaryOp::Next, UnaryOp::Eventually, UnaryOp::Always];
        let weak = [UnaryOp::WeakPrev, UnaryOp::WeakNext];
        let mut choices = past.to_vec();
        choices.extend(future.iter().filter(|_| self.future));
        choices.extend(weak.iter().filter(|_| self.language == Language::Foltl));
        let op = self.rng.pick(&choices);
        let interval =
            if self.language == Language::Qtl && op == UnaryOp::Prev { Interval::all() } else { self.interval() };
        unary_within(op, interval, self.formula(depth))
    }

    fn binary(&mut self, depth: usize) -> Formula {
        let choices: &[BinaryOp] = match (self.language, self.future) {
            (Language::Qtl, _) => &[BinaryOp::Since, BinaryOp::Since, BinaryOp::StrictSince],
            (Language::Mfotl, false) => &[BinaryOp::Since, BinaryOp::Trigger],
            (Language::Mfotl, true) => &[BinaryOp::Since, BinaryOp::Trigger, BinaryOp::Until, BinaryOp::Release],
            _ => &[
                BinaryOp::Since,
                BinaryOp::WeakSince,
                BinaryOp::Trigger,
                BinaryOp::Until,
                BinaryOp::WeakUntil,
                BinaryOp::Release,
            ],
        };
        let op = self.rng.pick(choices);
        let interval = match op {
            BinaryOp::StrictSince => closed(0, self.rng.pick(&BOUNDS)),
            _ => self.interval(),
        };
        binary_within(self.formula(depth), op, interval, self.formula(depth))
    }

    fn interval(&mut self) -> Interval {
        if self.language == Language::Foltl || self.rng.chance(50) {
            return Interval::all();
        }
        let low = self.rng.pick(&BOUNDS);
        if self.language == Language::Qtl {
            return if self.rng.chance(60) { closed(0, low) } else { more_than(low) };
        }
        let high = low + self.rng.pick(&BOUNDS);
        // An interval with equal ends holds one duration.
        let open = high > low;
        Interval {
            low: Number::Int(low),
            low_included: !open || self.rng.chance(75),
            high: self.rng.chance(70).then_some(Number::Int(high)),
            high_included: !open || self.rng.chance(75),
        }
    }

    fn matching(&mut self, depth: usize) -> Formula {
        let direction = if self.future && self.rng.chance(50) { Direction::Future } else { Direction::Past };
        matches(direction, self.interval(), self.regex(depth.min(3)))
    }

    fn regex(&mut self, depth: usize) -> Regex {
        if depth == 0 {
            return match self.rng.below(3) {
                0 => Regex::Any,
                1 => step(self.atom()),
                _ => test(self.atom()),
            };
        }
        match self.rng.weighted(&[20, 15, 30, 15, 20]) {
            0 => step(self.formula(depth - 1)),
            1 => test(self.formula(depth - 1)),
            2 => concat(self.regex(depth - 1), self.regex(depth - 1)),
            3 => choice(self.regex(depth - 1), self.regex(depth - 1)),
            _ => star(self.regex(depth - 1)),
        }
    }

    fn call(&mut self) -> Formula {
        let (definition, arity) = self.rng.pick(&self.callable);
        let arguments: Vec<Term> = (0..arity).map(|_| self.argument_term()).collect();
        call(definition, arguments)
    }

    // Atoms.

    fn atom(&mut self) -> Formula {
        let (bare, observation, comparison) = match self.language {
            Language::Foltl => (8, 15, 12),
            Language::Qtl => (0, 0, if self.scope.is_empty() { 0 } else { 15 }),
            _ => (0, 0, 20),
        };
        match self.rng.weighted(&[65, bare, observation, comparison, 4]) {
            0 => self.event(),
            1 => any_event(self.rng.pick(&EVENTS).0),
            2 => self.observation(),
            3 => self.comparison(),
            _ => constant(self.rng.chance(50)),
        }
    }

    fn event(&mut self) -> Formula {
        let (name, arity) = self.rng.pick(&EVENTS);
        let arguments: Vec<Term> = (0..arity).map(|_| self.event_term()).collect();
        event(name, arguments)
    }

    /// An event that mentions a variable.
    fn event_about(&mut self, variable: VarId) -> Formula {
        if self.rng.chance(70) {
            return event(self.rng.pick(&["p", "q"]), [var(variable)]);
        }
        let other = self.event_term();
        event("r", if self.rng.chance(50) { [var(variable), other] } else { [other, var(variable)] })
    }

    fn event_term(&mut self) -> Term {
        match self.language {
            Language::Mfotl if self.rng.chance(8) => Term::Any,
            Language::Mfotl => self.argument_term(),
            _ => self.simple_term(),
        }
    }

    fn argument_term(&mut self) -> Term {
        if self.language == Language::Mfotl && self.rng.chance(6) { self.computed_term() } else { self.simple_term() }
    }

    fn simple_term(&mut self) -> Term {
        if !self.scope.is_empty() && self.rng.chance(75) {
            var(self.rng.pick(&self.scope))
        } else {
            self.constant_term()
        }
    }

    fn constant_term(&mut self) -> Term {
        let text = self.rng.pick(&TEXTS);
        match self.language {
            Language::Qtl => Term::Constant(Value::string(text)),
            _ => Term::Constant(Value::of(text)),
        }
    }

    fn computed_term(&mut self) -> Term {
        let (left, right) = (self.simple_term(), self.simple_term());
        let shared = [Arithmetic::Add, Arithmetic::Subtract, Arithmetic::Multiply];
        let own: &[Arithmetic] = match self.language {
            Language::Mfotl => &[Arithmetic::DivideTruncating, Arithmetic::Modulo],
            _ => &[Arithmetic::Divide],
        };
        if self.language == Language::Mfotl && self.rng.chance(30) {
            let functions = [
                Function::ToInteger,
                Function::ToDecimal,
                Function::ToText,
                Function::ParseInteger,
                Function::ParseDecimal,
            ];
            let function = self.rng.pick(&functions);
            return if self.rng.chance(30) {
                Term::Negate(Box::new(left))
            } else {
                Term::Apply(function, Box::new(left))
            };
        }
        arithmetic(left, self.rng.pick(&[&shared, own].concat()), right)
    }

    fn comparison(&mut self) -> Formula {
        let mut choices = vec![Comparison::Equal, Comparison::Equal, Comparison::Less, Comparison::LessOrEqual];
        choices.extend([Comparison::Greater, Comparison::GreaterOrEqual]);
        if self.language != Language::Qtl {
            choices.push(Comparison::NotEqual);
        }
        if self.language == Language::Mfotl {
            choices.extend([Comparison::Substring, Comparison::Matches]);
        }
        let left = self.compared_term();
        compare(left, self.rng.pick(&choices), self.compared_term())
    }

    fn compared_term(&mut self) -> Term {
        match self.language {
            Language::Mfotl if self.rng.chance(15) => self.rng.pick(&[Term::PointNumber, Term::PointTime]),
            Language::Foltl | Language::Mfotl if self.rng.chance(25) => self.computed_term(),
            _ => self.simple_term(),
        }
    }

    fn observation(&mut self) -> Formula {
        let comparisons = [Comparison::Equal, Comparison::NotEqual, Comparison::Less, Comparison::GreaterOrEqual];
        let required = match self.rng.chance(40) {
            true => vec![(self.rng.pick(&FIELDS).into(), self.simple_term())],
            false => Vec::new(),
        };
        let constraint = (required.is_empty() || self.rng.chance(50)).then(|| Constraint {
            comparison: self.rng.pick(&comparisons),
            left: field(self.rng.pick(&FIELDS)),
            right: if self.rng.chance(30) { field(self.rng.pick(&FIELDS)) } else { self.compared_term() },
        });
        let present = if self.rng.chance(20) { vec![self.rng.pick(&FIELDS).into()] } else { Vec::new() };
        formula(Kind::Observe(Observation { required, present, constraint }))
    }
}
