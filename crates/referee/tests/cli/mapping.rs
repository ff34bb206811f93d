//! `--map`, in the commands that take it.

use crate::kit::Desk;

const ORDERS: &str = "event, EventType, customer, amount, Timestamp\n\
                      check, start, ann, 10, 1\n\
                      check, complete, ann,, 2\n\
                      ship, complete, ann, 10, 4\n";

#[track_caller]
fn mapped(mapping: &str) -> String {
    let desk = Desk::with("t.csv", ORDERS);
    desk.write("m.toml", mapping);
    desk.run(&["cat", "--map", "m.toml", "t.csv"]).fine()
}

#[test]
fn the_built_in_mapping_for_service_compositions() {
    let desk = Desk::with("t.csv", ORDERS);
    assert_eq!(
        desk.run(&["cat", "--map", "soloist", "t.csv"]).fine(),
        "1 @1 check_start(start,ann,10)\n2 @2 check_complete(complete,ann)\n3 @4 ship_complete(complete,ann,10)\n"
    );
}

#[test]
fn the_built_in_mapping_for_machines() {
    let out = Desk::new().run_with(&["cat", "--map", "stepr", "-"], "log\ns, time = 5\nlog\ns, time = 1\n");
    assert_eq!(out.fine(), "1 @5 s()\n1 @1 s()\n");
}

#[test]
fn a_file_renames_selects_and_filters() {
    let mapping = "drop-others = true\ntime = { field = 'Timestamp' }\n\
                   [[event]]\nfrom = 'check'\nwhen = 'EventType = \"start\"'\nto = 'asked'\nargs = ['amount:int', 'customer']\n\
                   [[event]]\nfrom = 'ship'\nto = 'sent'\nargs = []\n";
    assert_eq!(mapped(mapping), "1 @1 asked(10,ann)\n2 @4 sent()\n");
}

#[test]
fn one_event_becomes_two_at_one_point() {
    let mapping = "drop-others = true\ntime = { field = 'Timestamp' }\n[[event]]\nfrom = 'ship'\nto = 'a'\nargs = ['customer']\n\
                   [[event]]\nfrom = 'ship'\nto = 'b'\nargs = ['amount']\n";
    assert_eq!(mapped(mapping), "1 @4 a(ann)\n1 @4 b(10)\n");
}

#[test]
fn the_same_mapping_serves_stats_and_convert() {
    let desk = Desk::with("t.csv", ORDERS);
    let stats = desk.run(&["stats", "--map", "soloist", "t.csv"]).fine();
    assert!(stats.contains("time     1 to 4\n") && stats.contains("\ncheck_complete      1  "), "{stats}");
    let out = desk.run(&["convert", "--map", "soloist", "t.csv", "-", "--to", "monpoly", "--lossy"]).fine();
    assert!(out.starts_with("@1 check_start (start,ann,10);\n"), "{out}");
}
