//! Which packages are run: those that nothing stands against.

use std::fmt;

use super::contest::Contest;
use super::vote::{Decision, decide};
use crate::package::{ClarificationState, Package, Track};

/// Why a package is not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    /// The competition has not got its track.
    OtherTrack(Track),
    /// A question waits for an answer.
    OpenClarification {
        /// Who asked.
        by: String,
    },
    /// It does not keep what a package promises.
    Invalid(String),
    /// The vote was against it.
    VotedOut,
    /// The vote is even.
    VoteOpen,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::OtherTrack(track) => write!(f, "the competition has no track {}", track.name()),
            Obstacle::OpenClarification { by } => write!(f, "a clarification asked by {by} is open"),
            Obstacle::Invalid(reason) => write!(f, "not valid: {reason}"),
            Obstacle::VotedOut => write!(f, "voted out"),
            Obstacle::VoteOpen => write!(f, "its vote is even, and the organisers have not decided"),
        }
    }
}

/// What stands against a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Eligibility {
    /// Nothing, if this is empty.
    pub obstacles: Vec<Obstacle>,
}

impl Eligibility {
    /// Looks at everything that is recorded about a package. `validate` says what is wrong with the package itself.
    pub fn of(contest: &Contest, package: &Package, validate: &dyn Fn(&Package) -> Result<(), String>) -> Eligibility {
        let own = package.open_clarifications().map(|clarification| clarification.by.clone());
        let open = |state: ClarificationState| state == ClarificationState::Open;
        let registered =
            contest.document.clarifications.iter().filter(|one| one.package == package.id && open(one.state));
        let tracks = &contest.document.tracks;
        let elsewhere = !tracks.is_empty() && !tracks.contains(&package.track);
        let mut obstacles: Vec<Obstacle> =
            elsewhere.then_some(Obstacle::OtherTrack(package.track)).into_iter().collect();
        obstacles.extend(own.chain(registered.map(|one| one.by.clone())).map(|by| Obstacle::OpenClarification { by }));
        obstacles.extend(validate(package).err().map(Obstacle::Invalid));
        for vote in contest.document.votes.iter().filter(|vote| vote.package == package.id) {
            match decide(vote) {
                Decision::Included => {}
                Decision::Excluded => obstacles.push(Obstacle::VotedOut),
                Decision::Open => obstacles.push(Obstacle::VoteOpen),
            }
        }
        Eligibility { obstacles }
    }

    /// Whether the package is run.
    pub fn is_eligible(&self) -> bool {
        self.obstacles.is_empty()
    }
}
