use std::cell::Cell;

use super::*;
use crate::mapping::ReorderWindow;
use crate::reader::{ReadOptions, Summary, read_stream};

/// Writes down points as `number@time:names`.
#[derive(Default)]
struct Listener {
    heard: Vec<String>,
    names: Vec<Box<str>>,
}

impl EventSink for Listener {
    type Rows = NoRows;

    fn shape(&mut self, _: ShapeId, shape: &EventShape) -> Want {
        self.names.push(shape.name.clone());
        Want::ALL
    }

    fn begin_point(&mut self, point: Point<'_>) -> Flow {
        let time = point.time.map(|time| format!("@{time}")).unwrap_or_default();
        self.heard.push(format!("{}.{}{time}", point.trace, point.number));
        Ok(())
    }

    fn event(&mut self, event: Event<'_>) -> Flow {
        let text = format!(" {}{}({})", event.number, self.names[event.shape.index()], event.arguments.join(","));
        self.heard.last_mut().expect("a point is open").push_str(&text);
        Ok(())
    }

    fn end_point(&mut self) -> Flow {
        self.heard.last_mut().expect("a point is open").push(';');
        Ok(())
    }
}

fn read(text: &str, options: &ReadOptions) -> (Vec<String>, Result<Summary, String>) {
    let mut listener = Listener::default();
    let summary = read_stream("t", std::io::Cursor::new(text.to_owned()), options, &mut listener);
    (listener.heard, summary.map_err(|error| error.to_string()))
}

fn sorting(window: &str) -> ReadOptions {
    ReadOptions { reorder: ReorderWindow::parse(window), ..ReadOptions::default() }
}

#[test]
fn points_are_sorted_within_the_window() {
    let (heard, summary) = read("a, ts = 5\nb, ts = 7\nc, ts = 6\nd, ts = 9\ne\nf, ts = 7\n", &sorting("3s"));
    let expected = ["1.1@5 1a(5);", "1.2@6 3c(6);", "1.3@7 2b(7);", "1.4@7 6f(7);", "1.5@9 4d(9);", "1.6 5e();"];
    assert_eq!(heard, expected);
    let summary = summary.expect("nothing is late");
    assert_eq!(summary.reordered, Some(Reordered { moved: 2, late: 0 }));
    assert_eq!(summary.totals.points, 6);
}

#[test]
fn what_is_later_than_the_window_is_an_error_or_taken_where_it_stands() {
    let late = "a, ts = 5\nb, ts = 9\nc, ts = 4\nd, ts = 9\n";
    let (_, summary) = read(late, &sorting("2"));
    let expected = "t:3:1: timestamp 4 comes after 9, more than the 2 that --reorder allows\n  hint: `--reorder` takes a window of at \
                    least 5; `--unsorted` judges what is later at the newest time before it";
    assert_eq!(summary.map(drop), Err(expected.to_owned()));
    let (heard, summary) = read(late, &ReadOptions { unsorted: true, ..sorting("2") });
    assert_eq!(heard, ["1.1@5 1a(5);", "1.2@5 3c(4);", "1.3@9 2b(9);", "1.4@9 4d(9);"]);
    assert_eq!(summary.map(|summary| summary.reordered), Ok(Some(Reordered { moved: 0, late: 1 })));
    let (heard, _) =
        read("a, ts = 5\nb, ts = 3\nc, ts = 6\n", &ReadOptions { unsorted: true, ..ReadOptions::default() });
    assert_eq!(heard, ["1.1@5 1a(5);", "1.2@5 2b(3);", "1.3@6 3c(6);"]);
}

#[test]
fn shared_points_stay_together_and_equal_times_are_one_point_if_they_are_to_be() {
    let (heard, _) = read("@5 a() b();\n@7 a();\n@6;\n@7 c();\n", &sorting("9"));
    assert_eq!(heard, ["1.1@5 1a() 2b();", "1.2@6;", "1.3@7 3a();", "1.4@7 4c();"]);
    let mut options = sorting("9");
    options.meaning.ties = Ties::Merged;
    let (heard, summary) = read("a, ts = 5\nb, ts = 7\nc, ts = 5\n", &options);
    assert_eq!(heard, ["1.1@5 1a(5) 3c(5);", "1.2@7 2b(7);"]);
    assert_eq!(summary.map(|summary| summary.totals.points), Ok(2));
    options.meaning.ties = Ties::Refused;
    let (_, summary) = read("a, ts = 5\nb, ts = 7\nc, ts = 5\n", &options);
    assert!(summary.is_err_and(|error| error.contains("timestamp 5 comes a second time")));
}

#[test]
fn each_trace_is_sorted_by_itself() {
    let mut options = sorting("9");
    options.meaning.mapping = crate::mapping::Mapping::parse("split = 'log'", "m").expect("a mapping");
    let (heard, summary) = read("a, ts = 5\nb, ts = 4\nlog\na, ts = 2\nb, ts = 1\n", &options);
    assert_eq!(heard, ["1.1@4 2b(4);", "1.2@5 1a(5);", "2.1@1 5b(1);", "2.2@2 4a(2);"]);
    assert_eq!(summary.map(|summary| summary.totals.points), Ok(4));
}

#[test]
fn random_logs_are_sorted_as_a_whole_sort_does() {
    let total = Cell::new(0);
    for seed in referee_testing::seeds(2_000) {
        let mut state = seed;
        let mut below = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % bound
        };
        let (count, window) = (below(60), below(12));
        let mut newest = 0;
        let mut rows = Vec::new();
        for number in 0..count {
            newest += below(4);
            // No more than the window behind the newest.
            let shown = rows.iter().map(|(time, _)| *time).max().unwrap_or(0).max(newest);
            rows.push((shown - below(window + 1).min(shown), number));
        }
        let text: String = rows.iter().map(|(time, number)| format!("a, n = {number}, ts = {time}\n")).collect();
        let mut sorted = rows.clone();
        sorted.sort_by_key(|(time, _)| *time);
        let expected: Vec<String> = (1..)
            .zip(&sorted)
            .map(|(point, (time, number))| format!("1.{point}@{time} {}a({number},{time});", number + 1))
            .collect();
        let (heard, summary) = read(&text, &sorting(&window.to_string()));
        assert_eq!(heard, expected, "{text}");
        let moved = summary.expect("nothing is late").reordered.map_or(0, |counts| counts.moved);
        let mut newest = 0;
        let behind = rows.iter().filter(|(time, _)| {
            newest = newest.max(*time);
            *time < newest
        });
        assert_eq!(moved, behind.count() as u64, "{text}");
        total.set(total.get() + moved);
    }
    assert!(total.get() > 0, "some events are out of order");
}

#[test]
fn whole_logs_are_sorted_trace_by_trace() {
    let (heard, summary) = read("a, ts = 9\nb, ts = 1\nc, ts = 5\n", &sorting("all"));
    assert_eq!(heard, ["1.1@1 2b(1);", "1.2@5 3c(5);", "1.3@9 1a(9);"]);
    assert_eq!(summary.expect("nothing is late").reordered, Some(Reordered { moved: 2, late: 0 }));
    let mut options = sorting("all");
    options.meaning.mapping = crate::mapping::Mapping::parse("split = { field = 'k' }", "m").expect("a mapping");
    let (heard, _) = read("a, k = 1, ts = 9\nb, k = 1, ts = 8\nc, k = 2, ts = 5\nd, k = 2, ts = 4\n", &options);
    assert_eq!(heard, ["1.1@8 2b(1,8);", "1.2@9 1a(1,9);", "2.1@4 4d(2,4);", "2.2@5 3c(2,5);"]);
}

#[test]
fn what_waits_is_bounded() {
    let mut listener = Listener::default();
    let order = Order { window: None, unsorted: false, ties: Ties::Apart, memory: 1 << 20 };
    AnySink::shape(&mut listener, ShapeId(0), &EventShape { name: "a".into(), arguments: [].into(), positional: 0 });
    let mut reorder = Reorder::new(&mut listener, order);
    let text = "x".repeat(1000);
    let mut flow = Ok(());
    let mut count = 0;
    while flow.is_ok() && count < 2000 {
        count += 1;
        flow = reorder.single_event(
            Point { trace: 1, number: 1, time: Some(&Number::Int(7)) },
            Event { shape: ShapeId(0), arguments: &[&text], number: 1, offset: 3 },
        );
    }
    let Err(Stop::Fault(fault)) = flow else { panic!("memory has an end") };
    assert!((500..1049).contains(&count), "{count}");
    assert_eq!(fault.message, format!("more than 1 MiB of events wait to be sorted by time, {} events", count - 1));
}

#[test]
fn memory_is_that_of_the_window() {
    let mut listener = Listener::default();
    let order = Order { window: Some(Number::Int(3)), unsorted: false, ties: Ties::Apart, memory: Order::MEMORY };
    AnySink::shape(&mut listener, ShapeId(0), &EventShape { name: "a".into(), arguments: [].into(), positional: 0 });
    let mut reorder = Reorder::new(&mut listener, order);
    for time in 0..10_000 {
        let time = Number::Int(time);
        let flow = reorder.single_event(
            Point { trace: 1, number: 1, time: Some(&time) },
            Event { shape: ShapeId(0), arguments: &[], number: 1, offset: 0 },
        );

        assert!(flow.is_ok());
        assert!(reorder.heap.len() <= 4 && reorder.spare.len() <= 5, "{} points wait", reorder.heap.len());
    }
}
