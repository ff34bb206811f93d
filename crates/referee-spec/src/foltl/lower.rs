//! From tree to core: names are resolved, sorts inferred, `f(x)` confined to its object.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use referee_trace::number::Number;
use referee_trace::value::Value;

use super::definitions::Definitions;
use super::parse::Parsed;
use super::points;
use super::relative::{Place, Selector};
use super::syntax;
use super::syntax::{Damage, Declaration, DeclaredArgument, FormulaKind, Item, Name, PropertyItem, TermKind};
use crate::compiled::Compiled;
use crate::core::{
    Binding, Comparison, Constraint, Domain, Equality, EventAtom, Formula, Interval, Judgement, Kind, Language,
    Observation, Position, Property, Quantifier, Rule, Sort, SortId, Span, Term, UnseenOrder, VarId, Variable,
};
use crate::diagnostic::{Diagnostic, has_errors};
use crate::lint::{check_machine_signature, check_signature};
use crate::options::Options;
use crate::source::Source;

/// Makes rules of the properties of a file; those with an error are left out.
pub(super) fn lower(parsed: &Parsed, source: &Source, options: &Options) -> Compiled<Rule> {
    let mut diagnostics = parsed.diagnostics.clone();
    let declared = Declared::of(parsed, options, &mut diagnostics);
    let definitions = Definitions::of(parsed, &declared.names(), &mut diagnostics);
    let mut names = BTreeSet::new();
    let mut properties: Vec<Rule> = Vec::new();
    for item in &parsed.file.items {
        let Item::Property(item) = item else { continue };
        let (rule, found) = if definitions.are_used_by(&item.formula) {
            about_points(item, &declared, &definitions, source, options)
        } else {
            about_values(item, &declared, source, options)
        };
        let name = item.name.as_ref().map_or(source.stem.as_str(), |name| &*name.text);
        let broken = !names.insert(name);
        if broken {
            let span = item.name.as_ref().map_or(item.span, |name| name.span);
            let message = format!("two properties are called `{name}`");
            diagnostics.push(Diagnostic::error("E0111", span, message).hint("give each property a name of its own"));
        }
        let readable = item.damage == Damage::None && !has_errors_within(&parsed.diagnostics, item.span);
        if readable && !broken && !has_errors(&found) {
            properties.extend(rule);
        }
        if item.damage != Damage::Gap {
            diagnostics.extend(found);
        }
    }
    if names.is_empty() && !has_errors(&diagnostics) {
        diagnostics.push(nothing_to_judge(source));
    }
    diagnostics.extend(definitions.unused());
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    Compiled { properties, diagnostics }
}

/// Makes a rule of a property that speaks of the values of a trace.
fn about_values(
    item: &PropertyItem,
    declared: &Declared<'_>,
    source: &Source,
    options: &Options,
) -> (Option<Rule>, Vec<Diagnostic>) {
    let (property, mut found) = Lowering::new(declared).property(item, source);
    found.extend(options.signature.iter().flat_map(|signature| check_signature(&property, signature)));
    (Some(property.into()), found)
}

/// Makes a rule of a property that speaks of every point of the plane, unless there is an error in it.
fn about_points(
    item: &PropertyItem,
    declared: &Declared<'_>,
    definitions: &Definitions<'_>,
    source: &Source,
    options: &Options,
) -> (Option<Rule>, Vec<Diagnostic>) {
    if let FormulaKind::Quantified(_, _, Some(sort), _) = &item.formula.kind
        && declared.positions.contains_key(&*sort.text)
    {
        let message = format!("`{}` is the sort of arguments of events, but this variable is every point", sort.text);
        let hint = "give the points a sort that no event is declared with";
        return (None, vec![Diagnostic::error("E1120", sort.span, message).hint(hint)]);
    }
    match points::lower(item, definitions, source) {
        Err(found) => (None, vec![*found]),
        Ok(None) => (None, Vec::new()),
        Ok(Some(machine)) => {
            let check = |signature| check_machine_signature(&machine, signature);
            let found = options.signature.iter().flat_map(check).collect();
            (Some(machine.into()), found)
        }
    }
}

/// Whether there are errors in a part of the text, among diagnostics in textual order; this finds those of the lexer.
fn has_errors_within(diagnostics: &[Diagnostic], span: Span) -> bool {
    let first = diagnostics.partition_point(|found| found.span.start < span.start);
    diagnostics[first..].iter().take_while(|found| found.span.start < span.end).any(Diagnostic::is_error)
}

fn nothing_to_judge(source: &Source) -> Diagnostic {
    let end = source.text.len();
    let message = "this file holds no property";
    Diagnostic::error("E0112", Span { start: end, end }, message).hint("write a formula, or `property name: formula`")
}

/// What the declarations of a file and the signature say.
struct Declared<'a> {
    events: BTreeMap<&'a str, Vec<&'a Declaration>>,
    /// Names that are fields of some event.
    fields: BTreeSet<Arc<str>>,
    /// Those of them whose sort is declared.
    sorted_fields: BTreeSet<Arc<str>>,
    /// The positions that are declared to be of a sort.
    positions: BTreeMap<&'a str, Vec<Position>>,
}

impl<'a> Declared<'a> {
    fn of(parsed: &'a Parsed, options: &Options, diagnostics: &mut Vec<Diagnostic>) -> Declared<'a> {
        let mut declared = Declared {
            events: BTreeMap::new(),
            fields: signature_fields(options),
            sorted_fields: BTreeSet::new(),
            positions: BTreeMap::new(),
        };
        for item in &parsed.file.items {
            if let Item::Event(declaration) = item {
                declared.add(declaration, diagnostics);
            }
        }
        declared
    }

    fn add(&mut self, declaration: &'a Declaration, diagnostics: &mut Vec<Diagnostic>) {
        let Declaration { name, arguments, .. } = declaration;
        if let Some(earlier) = self.find(&name.text, arguments.len()) {
            let message = format!("`{}` is declared twice with {}", name.text, count(arguments.len()));
            let diagnostic = Diagnostic::error("E0113", name.span, message).hint("remove one of the declarations");
            diagnostics.push(diagnostic.related(earlier.name.span, "declared here first"));
            return;
        }
        self.events.entry(&name.text).or_default().push(declaration);
        for (index, DeclaredArgument { field, sort }) in arguments.iter().enumerate() {
            let positions = self.positions.entry(&sort.text).or_default();
            positions.push(Position::Argument { event: name.text.clone(), arity: arguments.len(), index });
            if let Some(field) = field {
                positions.push(Position::Field { event: Some(name.text.clone()), field: field.text.clone() });
                self.fields.insert(field.text.clone());
                self.sorted_fields.insert(field.text.clone());
            }
        }
    }

    /// The names of the events that are declared, and where.
    fn names(&self) -> BTreeMap<&'a str, Span> {
        let place = |declarations: &Vec<&'a Declaration>| declarations.first().map(|first| first.name.span);
        self.events.iter().filter_map(|(name, all)| Some((*name, place(all)?))).collect()
    }

    /// The declaration of an event with this many arguments.
    fn find(&self, event: &str, arity: usize) -> Option<&'a Declaration> {
        self.events.get(event)?.iter().copied().find(|declaration| declaration.arguments.len() == arity)
    }
}

fn signature_fields(options: &Options) -> BTreeSet<Arc<str>> {
    let events = options.signature.iter().flat_map(|signature| signature.events.values());
    events.flatten().flat_map(|shape| &shape.arguments).filter_map(|argument| argument.name.clone()).collect()
}

/// "no argument", "1 argument", "2 arguments".
fn count(arguments: usize) -> String {
    match arguments {
        0 => "no argument".to_owned(),
        1 => "1 argument".to_owned(),
        many => format!("{many} arguments"),
    }
}

/// What a term may mention where it stands, and what it did mention.
struct Mentioned {
    in_comparison: bool,
    fields: Vec<Arc<str>>,
    object: Option<VarId>,
}

/// The making of one property.
struct Lowering<'a> {
    declared: &'a Declared<'a>,
    variables: Vec<Variable>,
    sorts: Vec<Sort>,
    sort_ids: BTreeMap<Arc<str>, SortId>,
    /// Which positions each sort has been given.
    fed: HashSet<(SortId, Position)>,
    /// Where each name was bound first.
    first_bound: BTreeMap<Arc<str>, Span>,
    /// The variables that are bound here, innermost last.
    scope: Vec<VarId>,
    /// Whether a temporal operator stands above.
    place: Place,
    /// The points that belong to the objects above.
    selector: Option<Selector>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Lowering<'a> {
    fn new(declared: &'a Declared<'a>) -> Lowering<'a> {
        Lowering {
            declared,
            variables: Vec::new(),
            sorts: Vec::new(),
            sort_ids: BTreeMap::new(),
            fed: HashSet::new(),
            first_bound: BTreeMap::new(),
            scope: Vec::new(),
            place: Place::Root,
            selector: None,
            diagnostics: Vec::new(),
        }
    }

    fn property(mut self, item: &PropertyItem, source: &Source) -> (Property, Vec<Diagnostic>) {
        let mut body = self.formula(&item.formula);
        let mut bindings = Vec::new();
        while let Kind::Quantified(Quantifier::Forall, variable, inner) = body.kind {
            bindings.push(Binding { variable });
            body = *inner;
        }
        let name = item.name.as_ref().map_or_else(|| source.stem.as_str().into(), |name| name.text.clone());
        let property = Property {
            name,
            language: Language::Foltl,
            source: source.text.clone(),
            variables: self.variables,
            sorts: self.sorts,
            definitions: Vec::new(),
            bindings,
            body,
            judgement: Judgement::Once,
            equality: Equality::ByValue,
            timed: false,
            unseen_order: UnseenOrder::Undecided,
        };
        (property, self.diagnostics)
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>, hint: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(code, span, message).hint(hint));
    }

    fn formula(&mut self, formula: &syntax::Formula) -> Formula {
        let span = formula.span;
        let kind = match &formula.kind {
            FormulaKind::Missing => Kind::Constant(true),
            FormulaKind::Constant(truth) => Kind::Constant(*truth),
            FormulaKind::Event(name, arguments) => return self.event(name, arguments.as_deref(), span),
            FormulaKind::Compare(comparison, left, right) => return self.comparison(*comparison, left, right, span),
            FormulaKind::Not(body) => Kind::Not(Box::new(self.formula(body))),
            FormulaKind::And(all) => Kind::And(all.iter().map(|part| self.formula(part)).collect()),
            FormulaKind::Or(all) => Kind::Or(all.iter().map(|part| self.formula(part)).collect()),
            FormulaKind::Implies(left, right) => {
                Kind::Implies(Box::new(self.formula(left)), Box::new(self.formula(right)))
            }
            FormulaKind::Iff(left, right) => Kind::Iff(Box::new(self.formula(left)), Box::new(self.formula(right))),
            FormulaKind::Quantified(quantifier, variables, sort, body) => {
                return self.quantified(*quantifier, variables, sort.as_ref(), body, span);
            }
            FormulaKind::Unary(op, body) => {
                let body = self.inside(body);
                let plain = |body| Formula::new(Kind::Unary(*op, Interval::all(), Box::new(body)), span);
                return self.confined(body, plain, |selector, body, place| selector.unary(*op, body, place), span);
            }
            FormulaKind::Binary(op, left, right) => {
                let sides = (self.inside(left), self.inside(right));
                let plain = |(left, right)| {
                    Formula::new(Kind::Binary(*op, Interval::all(), Box::new(left), Box::new(right)), span)
                };
                let confine = |selector: &Selector, (left, right), place| selector.binary(*op, left, right, place);
                return self.confined(sides, plain, confine, span);
            }
        };
        Formula::new(kind, span)
    }

    /// A formula below a temporal operator.
    fn inside(&mut self, formula: &syntax::Formula) -> Formula {
        let place = std::mem::replace(&mut self.place, Place::Inside);
        let lowered = self.formula(formula);
        self.place = place;
        lowered
    }

    /// Builds a formula as it stands, or confined to the points of the objects above.
    fn confined<T>(
        &self,
        parts: T,
        plain: impl FnOnce(T) -> Formula,
        confine: impl FnOnce(&Selector, T, Place) -> Formula,
        span: Span,
    ) -> Formula {
        match &self.selector {
            None => plain(parts),
            Some(selector) => Formula { span, ..confine(selector, parts, self.place) },
        }
    }

    fn atom(&self, kind: Kind, span: Span) -> Formula {
        let confine = |selector: &Selector, atom, place| selector.atom(atom, place);
        self.confined(Formula::new(kind, span), |atom| atom, confine, span)
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        names: &[Name],
        sort: Option<&Name>,
        body: &syntax::Formula,
        span: Span,
    ) -> Formula {
        let outer_scope = self.scope.len();
        let outer_selector = self.selector.clone();
        let bound: Vec<VarId> = names.iter().map(|name| self.bind(name, sort.unwrap_or(name))).collect();
        for (name, variable) in names.iter().zip(&bound) {
            self.select(name, *variable, body);
        }
        let body = self.formula(body);
        self.scope.truncate(outer_scope);
        self.selector = outer_selector;
        let wrap = |body, variable: &VarId| Formula::new(Kind::Quantified(quantifier, *variable, Box::new(body)), span);
        bound.iter().rev().fold(body, wrap)
    }

    /// Adds a variable and binds it.
    fn bind(&mut self, name: &Name, sort: &Name) -> VarId {
        let domain = Domain::Trace(self.sort(&sort.text));
        let variable = VarId(u32::try_from(self.variables.len()).unwrap_or(u32::MAX));
        self.variables.push(Variable { name: name.text.clone(), domain, span: name.span });
        self.first_bound.entry(name.text.clone()).or_insert(name.span);
        self.scope.push(variable);
        variable
    }

    /// The sort with this name, which begins with its declared positions.
    fn sort(&mut self, name: &Arc<str>) -> SortId {
        if let Some(id) = self.sort_ids.get(name) {
            return *id;
        }
        let id = SortId(u32::try_from(self.sorts.len()).unwrap_or(u32::MAX));
        let positions = self.declared.positions.get(&**name).cloned().unwrap_or_default();
        self.fed.extend(positions.iter().map(|position| (id, position.clone())));
        self.sorts.push(Sort { name: name.clone(), positions });
        self.sort_ids.insert(name.clone(), id);
        id
    }

    /// The sort of a variable.
    fn sort_of(&self, variable: VarId) -> Option<(SortId, Arc<str>)> {
        let Domain::Trace(id) = self.variables.get(variable.index())?.domain else { return None };
        Some((id, self.sorts.get(id.0 as usize)?.name.clone()))
    }

    /// Adds a position to the sort of a variable.
    fn feed(&mut self, variable: VarId, position: Position) {
        if let Some((id, _)) = self.sort_of(variable)
            && self.fed.insert((id, position.clone()))
            && let Some(sort) = self.sorts.get_mut(id.0 as usize)
        {
            sort.positions.push(position);
        }
    }

    /// If the body asks for fields of the object that a variable names, confines it to the points of that object.
    fn select(&mut self, name: &Name, variable: VarId, body: &syntax::Formula) {
        let mut fields = BTreeMap::new();
        asked_fields(body, &name.text, &mut fields);
        let Some(place) = fields.values().next().copied() else { return };
        if self.place == Place::Inside {
            let message =
                format!("`{}` is asked for a field, but its quantifier stands below a temporal operator", name.text);
            let hint = "move the quantifier in front of the temporal operators: `(forall x:s)(always (f(x) < 3))`";
            let diagnostic = Diagnostic::error("E0107", place, message).hint(hint);
            self.diagnostics.push(diagnostic.related(name.span, "bound here"));
        }
        let Some((_, sort)) = self.sort_of(variable) else { return };
        self.feed(variable, Position::Field { event: None, field: sort.clone() });
        let carries = |field: &Arc<str>| {
            let required = vec![(sort.clone(), Term::Variable(variable))];
            let observation = Observation { required, present: vec![field.clone()], constraint: None };
            Formula::new(Kind::Observe(observation), name.span)
        };
        let mut carried: Vec<Formula> = fields.keys().map(carries).collect();
        let selector = match carried.len() {
            1 => carried.remove(0),
            _ => Formula::new(Kind::Or(carried), name.span),
        };
        self.selector = Some(match &self.selector {
            None => Selector::new(selector),
            Some(outer) => outer.and(selector),
        });
    }

    fn event(&mut self, name: &Arc<str>, arguments: Option<&[syntax::Term]>, span: Span) -> Formula {
        if arguments.is_none() && self.lookup(name).is_some() {
            let message = format!("`{name}` is a variable, not an event");
            self.error("E0110", span, message, format!("compare it, as in `{name} = true`, or use it as an argument"));
        }
        let arguments = arguments.map(|arguments| {
            self.check_arity(name, arguments.len(), span);
            let mut terms = Vec::with_capacity(arguments.len());
            for (index, argument) in arguments.iter().enumerate() {
                terms.push(self.argument(name, arguments.len(), index, argument));
            }
            terms
        });
        self.atom(Kind::Event(EventAtom { name: name.clone(), arguments }), span)
    }

    fn check_arity(&mut self, name: &str, arity: usize, span: Span) {
        let Some([first, others @ ..]) = self.declared.events.get(name).map(Vec::as_slice) else { return };
        if self.declared.find(name, arity).is_some() {
            return;
        }
        let message = format!("`{name}` is declared with {}, not with {}", count(first.arguments.len()), count(arity));
        let hint = "write the arguments that the declaration has, or declare this event too";
        let diagnostic = Diagnostic::error("E0109", span, message).hint(hint).related(first.name.span, "declared here");
        let related = |diagnostic: Diagnostic, other: &&Declaration| diagnostic.related(other.name.span, "and here");
        self.diagnostics.push(others.iter().fold(diagnostic, related));
    }

    fn argument(&mut self, event: &Arc<str>, arity: usize, index: usize, argument: &syntax::Term) -> Term {
        let mut mentioned = Mentioned { in_comparison: false, fields: Vec::new(), object: None };
        let term = self.term(argument, &mut mentioned);
        if let Term::Variable(variable) = term {
            self.check_sort(event, arity, index, variable, argument.span);
            self.feed(variable, Position::Argument { event: event.clone(), arity, index });
        }
        term
    }

    /// Reports a variable whose sort is not the one declared for the position.
    fn check_sort(&mut self, event: &str, arity: usize, index: usize, variable: VarId, span: Span) {
        let declaration = self.declared.find(event, arity);
        let Some(declared) = declaration.and_then(|declaration| declaration.arguments.get(index)) else { return };
        let Some((_, sort)) = self.sort_of(variable) else { return };
        if sort == declared.sort.text {
            return;
        }
        let name = &self.variables[variable.index()].name;
        let message = format!(
            "`{name}` is of sort `{sort}`, but this argument of `{event}` is declared as `{}`",
            declared.sort.text
        );
        let hint = format!("quantify over `{}`, or change the declaration", declared.sort.text);
        let diagnostic = Diagnostic::error("E0108", span, message).hint(hint);
        self.diagnostics.push(diagnostic.related(declared.sort.span, "declared here"));
    }

    fn comparison(&mut self, op: Comparison, left: &syntax::Term, right: &syntax::Term, span: Span) -> Formula {
        let mut mentioned = Mentioned { in_comparison: true, fields: Vec::new(), object: None };
        let left = self.term(left, &mut mentioned);
        let right = self.term(right, &mut mentioned);
        if mentioned.fields.is_empty() {
            return Formula::new(Kind::Compare(op, left, right), span);
        }
        if op == Comparison::Equal {
            self.feed_by_equality(&left, &right);
            self.feed_by_equality(&right, &left);
        }
        let object = mentioned.object.and_then(|object| Some((self.sort_of(object)?.1, Term::Variable(object))));
        let required = object.into_iter().collect();
        let constraint = Some(Constraint { comparison: op, left, right });
        self.atom(Kind::Observe(Observation { required, present: mentioned.fields, constraint }), span)
    }

    /// `field = x` puts the field's values into the sort of x, unless a declaration says what sort the field is of.
    fn feed_by_equality(&mut self, field: &Term, variable: &Term) {
        if let (Term::Field(field), Term::Variable(variable)) = (field, variable)
            && !self.declared.sorted_fields.contains(field)
        {
            self.feed(*variable, Position::Field { event: None, field: field.clone() });
        }
    }

    fn lookup(&self, name: &str) -> Option<VarId> {
        self.scope.iter().rev().copied().find(|variable| *self.variables[variable.index()].name == *name)
    }

    fn term(&mut self, term: &syntax::Term, mentioned: &mut Mentioned) -> Term {
        match &term.kind {
            // Coordinates are parsed in definitions only.
            TermKind::Missing | TermKind::Coordinate(..) => Term::Constant(Value::Boolean(false)),
            TermKind::Name(name) => self.name(name, term.span, mentioned),
            TermKind::Number(text) => self.number(text, term.span),
            TermKind::String(text) => Term::Constant(Value::String(text.clone())),
            TermKind::Boolean(truth) => Term::Constant(Value::Boolean(*truth)),
            TermKind::Apply(field, arguments) => self.object_field(field, arguments, term.span, mentioned),
            TermKind::Binary(op, left, right) => {
                let (left, right) = (self.term(left, mentioned), self.term(right, mentioned));
                Term::Binary(*op, Box::new(left), Box::new(right))
            }
            TermKind::Negate(body) => match self.term(body, mentioned) {
                Term::Constant(Value::Number(number)) => Term::Constant(Value::Number(number.neg())),
                body => Term::Negate(Box::new(body)),
            },
        }
    }

    fn number(&mut self, text: &str, span: Span) -> Term {
        let number = Number::parse(text).unwrap_or_else(|| {
            let message = format!("`{text}` is not written as a number");
            self.error("E0105", span, message, "write it without leading zeros and with an exponent up to 9999");
            Number::ZERO
        });
        Term::Constant(Value::Number(number))
    }

    fn name(&mut self, name: &Arc<str>, span: Span, mentioned: &mut Mentioned) -> Term {
        if let Some(variable) = self.lookup(name) {
            return Term::Variable(variable);
        }
        if self.declared.fields.contains(name) {
            return self.field(name, span, mentioned);
        }
        let message = format!("nothing binds `{name}`: it is read as the string \"{name}\"");
        let closed = self.first_bound.get(name);
        let hint = match closed {
            Some(_) => format!("the quantifier of `{name}` ends before; put all that it binds into parentheses"),
            None => {
                "write quotes around a string, or bind the variable, or declare the event that has this field".into()
            }
        };
        let related = closed.map(|span| (*span, "bound only in another part".to_owned()));
        let mut diagnostic = Diagnostic::warning("L0006", span, message).hint(hint);
        diagnostic.related.extend(related);
        self.diagnostics.push(diagnostic);
        Term::Constant(Value::String(name.clone()))
    }

    fn field(&mut self, name: &Arc<str>, span: Span, mentioned: &mut Mentioned) -> Term {
        if !mentioned.in_comparison {
            let message = format!("the field `{name}` cannot be the argument of an event");
            self.error("E0106", span, message, format!("compare it instead: `{name} = …`"));
        }
        if !mentioned.fields.contains(name) {
            mentioned.fields.push(name.clone());
        }
        Term::Field(name.clone())
    }

    /// `f(x)`: the field `f` of the object `x`.
    fn object_field(
        &mut self,
        field: &Arc<str>,
        arguments: &[syntax::Term],
        span: Span,
        mentioned: &mut Mentioned,
    ) -> Term {
        let object = match arguments {
            [syntax::Term { kind: TermKind::Name(name), .. }] => self.lookup(name),
            _ => None,
        };
        let Some(object) = object else {
            let message = format!("`{field}` is asked for a field of something that is no variable");
            self.error("E0107", span, message, format!("apply it to one quantified variable: `{field}(x)`"));
            return Term::Field(field.clone());
        };
        if mentioned.object.replace(object).is_some_and(|other| other != object) {
            let message = "this comparison asks for fields of two objects, but one event speaks of one object";
            self.error("E0107", span, message, "compare the fields one by one");
        }
        self.field(field, span, mentioned)
    }
}

/// The fields that comparisons in a formula ask of the object called `name`, each with its first place.
fn asked_fields(formula: &syntax::Formula, name: &str, fields: &mut BTreeMap<Arc<str>, Span>) {
    match &formula.kind {
        FormulaKind::Missing | FormulaKind::Constant(_) | FormulaKind::Event(..) => {}
        FormulaKind::Compare(_, left, right) => {
            asked_fields_of_term(left, name, fields);
            asked_fields_of_term(right, name, fields);
        }
        FormulaKind::Quantified(_, variables, _, _) if variables.iter().any(|variable| *variable.text == *name) => {}
        FormulaKind::Not(body) | FormulaKind::Quantified(_, _, _, body) | FormulaKind::Unary(_, body) => {
            asked_fields(body, name, fields);
        }
        FormulaKind::And(all) | FormulaKind::Or(all) => {
            for part in all {
                asked_fields(part, name, fields);
            }
        }
        FormulaKind::Implies(left, right) | FormulaKind::Iff(left, right) | FormulaKind::Binary(_, left, right) => {
            asked_fields(left, name, fields);
            asked_fields(right, name, fields);
        }
    }
}

fn asked_fields_of_term(term: &syntax::Term, name: &str, fields: &mut BTreeMap<Arc<str>, Span>) {
    match &term.kind {
        TermKind::Apply(field, arguments) => {
            if let [syntax::Term { kind: TermKind::Name(object), .. }] = arguments.as_slice()
                && **object == *name
            {
                fields.entry(field.clone()).or_insert(term.span);
            }
        }
        TermKind::Binary(_, left, right) => {
            asked_fields_of_term(left, name, fields);
            asked_fields_of_term(right, name, fields);
        }
        TermKind::Negate(body) => asked_fields_of_term(body, name, fields),
        TermKind::Missing | TermKind::Name(_) | TermKind::Coordinate(..) | TermKind::Number(_) => {}
        TermKind::String(_) | TermKind::Boolean(_) => {}
    }
}
