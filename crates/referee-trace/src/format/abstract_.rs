//! `abstract`: `a(1).b(2,x)`, as papers print traces.
