//! The shortest form of a trace that still shows something.

use std::sync::Arc;

use referee_trace::number::Number;
use referee_trace::owned::OwnedTrace;

use super::written::is_time;

/// How often the question may be asked: enough for the short traces that we make.
const QUESTIONS: usize = 4_000;

/// Makes a trace smaller as long as `shows` says that it still shows what it should.
///
/// ```text
///  a(1).b(2).a(3).c(1)  ─ drop points ─▶ a(1).c(1) ─ drop events, unite values, close gaps ─▶ … until nothing helps
/// ```
pub(super) fn shrink(trace: OwnedTrace, shows: &dyn Fn(&OwnedTrace) -> bool) -> OwnedTrace {
    let mut best = trace;
    let mut questions = 0;
    loop {
        let better = smaller(&best).into_iter().take(QUESTIONS - questions.min(QUESTIONS)).find(|trace| {
            questions += 1;
            shows(trace)
        });
        match better {
            Some(trace) => best = trace,
            None => return best,
        }
    }
}

/// Traces that are a little smaller, the smallest first.
fn smaller(trace: &OwnedTrace) -> Vec<OwnedTrace> {
    let mut all = without_points(trace);
    all.extend(without_events(trace));
    all.extend(with_united_values(trace));
    all.extend(with_closed_gaps(trace));
    all
}

fn without_points(trace: &OwnedTrace) -> Vec<OwnedTrace> {
    let length = trace.points.len();
    let mut all = Vec::new();
    let mut size = length;
    while size > 0 {
        for start in (0..length).step_by(size) {
            let kept = trace.points.iter().enumerate().filter(|(index, _)| !(start..start + size).contains(index));
            all.push(OwnedTrace { points: kept.map(|(_, point)| point.clone()).collect() });
        }
        size /= 2;
    }
    all
}

fn without_events(trace: &OwnedTrace) -> Vec<OwnedTrace> {
    let mut all = Vec::new();
    for (index, point) in trace.points.iter().enumerate().filter(|(_, point)| point.events.len() > 1) {
        for event in 0..point.events.len() {
            let mut smaller = trace.clone();
            smaller.points[index].events.remove(event);
            all.push(smaller);
        }
    }
    all
}

/// The values of a trace, in order of their first appearance.
fn values(trace: &OwnedTrace) -> Vec<Arc<str>> {
    let mut all: Vec<Arc<str>> = Vec::new();
    let events = trace.points.iter().flat_map(|point| &point.events);
    for argument in events.flat_map(|event| &event.arguments) {
        if !is_time(&argument.name) && !all.contains(&argument.text) {
            all.push(argument.text.clone());
        }
    }
    all
}

/// The same with one value in the place of another that came before it.
fn with_united_values(trace: &OwnedTrace) -> Vec<OwnedTrace> {
    let values = values(trace);
    let pairs =
        values.iter().enumerate().flat_map(|(index, later)| values[..index].iter().map(move |one| (one, later)));
    pairs.map(|(one, later)| replaced(trace, later, one)).collect()
}

fn replaced(trace: &OwnedTrace, old: &Arc<str>, new: &Arc<str>) -> OwnedTrace {
    let mut trace = trace.clone();
    let events = trace.points.iter_mut().flat_map(|point| &mut point.events);
    for argument in events.flat_map(|event| &mut event.arguments) {
        if argument.text == *old && !is_time(&argument.name) {
            argument.text = new.clone();
        }
    }
    trace
}

/// The same with one gap between times closed as far as whole numbers go.
fn with_closed_gaps(trace: &OwnedTrace) -> Vec<OwnedTrace> {
    let one = Number::Int(1);
    let gap = |index: usize| {
        let [before, after] = [index.checked_sub(1)?, index].map(|index| trace.points[index].time.clone());
        Some(after?.sub(&before?)).filter(|gap| *gap > one)
    };
    let wide = (0..trace.points.len()).filter_map(|index| Some((index, gap(index)?)));
    wide.map(|(index, gap)| earlier(trace, index, &gap.sub(&one))).collect()
}

/// The same with all points from `index` on earlier by some time.
fn earlier(trace: &OwnedTrace, index: usize, by: &Number) -> OwnedTrace {
    let mut trace = trace.clone();
    for point in &mut trace.points[index..] {
        point.time = point.time.as_ref().map(|time| time.sub(by));
        for argument in point.events.iter_mut().flat_map(|event| &mut event.arguments) {
            let time = Number::parse(&argument.text).filter(|_| is_time(&argument.name));
            argument.text = time.map_or_else(|| argument.text.clone(), |time| time.sub(by).to_string().into());
        }
    }
    trace
}

#[cfg(test)]
mod tests {
    use super::super::written::shown;
    use super::*;
    use referee_trace::owned::read_text;
    use referee_trace::reader::ReadOptions;

    fn trace(text: &str) -> OwnedTrace {
        read_text("t", text, &ReadOptions::default()).expect("readable").remove(0)
    }

    fn has(trace: &OwnedTrace, name: &str) -> bool {
        trace.points.iter().flat_map(|point| &point.events).any(|event| &*event.name == name)
    }

    #[test]
    fn what_does_not_matter_goes() {
        let long = trace("a(1).b(2).c(3).a(4).d(5).b(6)");
        let short = shrink(long, &|trace| has(trace, "c") && has(trace, "d"));
        assert_eq!(shown(&short), "c(3).d(3)");
        assert_eq!(shown(&shrink(trace("a.b"), &|_| true)), "the empty trace");
    }

    #[test]
    fn gaps_close_and_events_leave_their_points() {
        let long = trace("@3 a (1)(2); @5; @90 b (7);");
        assert_eq!(shown(&shrink(long, &|trace| has(trace, "a") && has(trace, "b"))), "1 @3 a(2); 2 @4 b(2)");
    }
}
