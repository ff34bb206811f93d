//! The mappings that come with Referee: one TOML file each, embedded in the program, and one table of their names.

/// The mappings, by name.
pub(super) const READY: &[(&str, &str)] = &[
    ("cloudtrail", include_str!("cloudtrail.toml")),
    ("combined", include_str!("combined.toml")),
    ("common", include_str!("common.toml")),
    ("ecs", include_str!("ecs.toml")),
    ("github-webhook", include_str!("github-webhook.toml")),
    ("journald", include_str!("journald.toml")),
    ("journald-json", include_str!("journald-json.toml")),
    ("kubernetes-audit", include_str!("kubernetes-audit.toml")),
    ("logfmt", include_str!("logfmt.toml")),
    ("otlp", include_str!("otlp.toml")),
    ("soloist", include_str!("soloist.toml")),
    ("stepr", include_str!("stepr.toml")),
    ("syslog", include_str!("syslog.toml")),
    ("xes", include_str!("xes.toml")),
];
