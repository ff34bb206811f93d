//! Votes on packages: by name, one per team and organiser, and the organisers decide where the others are even.

use super::document::{Ballot, Document, Vote};
use crate::document::Wrong;

/// What a vote decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The package takes part.
    Included,
    /// It does not.
    Excluded,
    /// Even, and the organisers have not said yet.
    Open,
}

/// Counts a vote: the majority of those who voted.
pub fn decide(vote: &Vote) -> Decision {
    let inclusions = vote.ballots.values().filter(|ballot| **ballot == Ballot::Include).count();
    let exclusions = vote.ballots.len() - inclusions;
    match (inclusions.cmp(&exclusions), vote.casting) {
        (std::cmp::Ordering::Greater, _) | (std::cmp::Ordering::Equal, Some(Ballot::Include)) => Decision::Included,
        (std::cmp::Ordering::Less, _) | (std::cmp::Ordering::Equal, Some(Ballot::Exclude)) => Decision::Excluded,
        (std::cmp::Ordering::Equal, None) => Decision::Open,
    }
}

/// Who votes must be a team or an organiser; a team and the organiser in it have one vote together.
pub(super) fn check(document: &Document) -> Result<(), Wrong> {
    for (index, vote) in document.votes.iter().enumerate() {
        for name in vote.ballots.keys() {
            let path = format!("votes[{index}].ballots.{name}");
            let team = document.teams.iter().find(|team| team.tool == *name);
            if team.is_none() && !document.organisers.contains(name) {
                return Err(Wrong::at(path, format!("`{name}` is neither a team nor an organiser, and has no vote")));
            }
            let partner = team.and_then(|team| team.organiser.as_ref());
            if let Some(partner) = partner.filter(|partner| vote.ballots.contains_key(*partner)) {
                let message = format!("`{name}` and its organiser `{partner}` have one vote together");
                return Err(Wrong::at(path, message));
            }
        }
    }
    Ok(())
}
