//! Drafts for logs of lines: access logs, syslog, and lines of which nothing is known.

use referee_trace::pattern::describe;

use super::draft::{Draft, OwnMapping};
use super::records::remarks;
use super::sample::LogSample;
use super::templates::{self, Front, expression};

/// How many lines are looked at.
const LINES: usize = 5000;

/// Ways to read lines in a format of which Referee has a pattern.
pub(super) fn known(sample: &LogSample) -> Vec<Draft> {
    let text = sample.lines();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(LINES).collect();
    let mut drafts = Vec::new();
    if fits_most(&lines, "combined") {
        drafts.push(Draft::ready("an access log of nginx or Apache, in the format combined", "combined"));
    } else if fits_most(&lines, "common") {
        drafts.push(Draft::ready("an access log in the Common Log Format", "common"));
    } else if fits_most(&lines, "syslog") {
        drafts.extend(messages(sample, &lines));
        drafts.push(Draft::ready("a log of syslog, whose events are named by the program", "syslog"));
    }
    drafts
}

fn fits_most(lines: &[&str], pattern: &str) -> bool {
    let Ok(described) = describe(pattern) else { return false };
    let mut all: Vec<_> = described.expressions.iter().map(|expression| (expression, expression.captures())).collect();
    let fitting =
        lines.iter().filter(|line| all.iter_mut().any(|(expression, captures)| expression.fits(line, captures)));
    fitting.count() * 10 >= lines.len() * 8
}

/// How a line of syslog begins.
const SYSLOG: &str = r"^(?:<[0-9]{1,3}>)?(?<time>[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[^ ]+) (?<host>[^ ]+) ";

/// Messages that are worth an event of their own.
const MESSAGES: [(&str, &str); 7] = [
    (
        "failed_login",
        r"sshd(?:-session)?\[[0-9]+\]: Failed [^ ]+ for (?:invalid user )?(?<user>[^ ]*) from (?<address>[^ ]+) port",
    ),
    ("login", r"sshd(?:-session)?\[[0-9]+\]: Accepted (?<method>[^ ]+) for (?<user>[^ ]+) from (?<address>[^ ]+) port"),
    ("invalid_user", r"sshd(?:-session)?\[[0-9]+\]: Invalid user (?<user>[^ ]*) from (?<address>[^ ]+)"),
    (
        "session_opened",
        r"(?<program>[^ \[\]:]+)(?:\[(?<pid>[0-9]+)\])?: pam_unix\([^)]*\): session opened for user (?<user>[^ (]+)",
    ),
    (
        "session_closed",
        r"(?<program>[^ \[\]:]+)(?:\[(?<pid>[0-9]+)\])?: pam_unix\([^)]*\): session closed for user (?<user>[^ (]+)",
    ),
    ("sudo", r"sudo(?:\[[0-9]+\])?: +(?<user>[^ ]+) : .*COMMAND=(?<command>.*)$"),
    ("su", r"su(?:\[[0-9]+\])?: .*\(to (?<target>[^)]+)\) (?<user>[^ ]+) on"),
];

/// A mapping for syslog with patterns for the messages that were found.
fn messages(sample: &LogSample, lines: &[&str]) -> Option<Draft> {
    let mut patterns = String::new();
    for (name, message) in MESSAGES {
        let pattern = format!("{SYSLOG}{message}");
        let Some(expression) = expression(&pattern) else { continue };
        let mut captures = expression.captures();
        if lines.iter().any(|line| expression.fits(line, &mut captures)) {
            patterns.push_str(&format!("    {{ name = \"{name}\", pattern = '{pattern}' }},\n"));
        }
    }
    if patterns.is_empty() {
        return None;
    }
    let what = "a log of syslog with logins and sessions";
    let mut remarks = remarks(sample, what);
    remarks.push(
        "Lines that only the last pattern fits are events named by the program: sshd(host, pid, message).".to_owned(),
    );
    Some(Draft::own(
        what,
        OwnMapping {
            remarks,
            time: Some(
                "{ field = \"time\", format = \"syslog\" }    # year = 2026 tells the year of the first line"
                    .to_owned(),
            ),
            input: format!(
                "# The first pattern that fits a line counts.\npatterns = [\n{patterns}    \"syslog\",\n]\n"
            ),
            ..OwnMapping::default()
        },
    ))
}

/// Ways to read lines of which nothing is known: by their commonest templates, with what stands before all of them.
pub(super) fn unknown(sample: &LogSample) -> Vec<Draft> {
    let text = sample.lines();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(LINES).collect();
    let front = Front::of(&lines);
    let rests = front.rests(&lines);
    let templates = templates::common(&rests, &front.fields());
    let what = match front.format() {
        Some(_) => "lines of text that begin with a time",
        None => "lines of text",
    };
    let mapping = |templates: &[(String, String)]| {
        let own =
            templates.iter().map(|(name, pattern)| format!("    {{ name = \"{name}\", pattern = '{pattern}' }},\n"));
        let general = format!("    {{ name = \"{}\", pattern = '{}' }},\n", front.general_name(), front.general());
        OwnMapping {
            remarks: remarks(sample, what),
            time: front.format().map(|format| format!("{{ field = \"time\", format = \"{format}\" }}")),
            input: format!(
                "# The first pattern that fits a line counts: the commonest lines, then all others. Groups are the fields; give them\n\
                 # better names. See the manual for Grok, such as %{{IP:client}}.\npatterns = [\n{}{general}]\n",
                own.collect::<String>()
            ),
            ..OwnMapping::default()
        }
    };
    let mut drafts = Vec::new();
    if !templates.is_empty() {
        drafts.push(Draft::own(what, mapping(&templates)));
    }
    drafts.push(Draft::own(what, mapping(&[])));
    drafts.push(any_text(sample));
    drafts
}

/// The way to read any text: each line is an event.
fn any_text(sample: &LogSample) -> Draft {
    Draft::own(
        "lines of text",
        OwnMapping {
            remarks: remarks(sample, "lines of text"),
            input: "patterns = [{ name = \"line\", pattern = '^(?<text>.*)$' }]\n".to_owned(),
            ..OwnMapping::default()
        },
    )
}
