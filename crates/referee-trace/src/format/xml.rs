//! `xml`: the `<log><event>` documents of the competitions.
