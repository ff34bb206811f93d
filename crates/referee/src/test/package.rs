//! The demonstrations of a package.

use std::path::Path;

use referee_contest::package::Package;
use referee_contest::validate::{Demonstrated, demonstrate};

use super::suite::{Case, Suite};

/// Every demonstration by every specification. A package that cannot be loaded is one test that fails.
pub(super) fn suite(path: &Path) -> Suite {
    let file = path.display().to_string();
    match Package::load(path) {
        Err(error) => Suite { file, tests: vec![Case::new("the package".into(), None, Err(error.to_string()))] },
        Ok(package) => {
            let (problems, demonstrated) = demonstrate(&package);
            let problems = problems.into_iter().map(|check| Case::new(check.name, None, Err(check.text)));
            Suite { file, tests: problems.chain(demonstrated.into_iter().map(case)).collect() }
        }
    }
}

fn case(demonstrated: Demonstrated) -> Case {
    let Demonstrated { specification, number, trace, result } = demonstrated;
    Case::new(format!("{specification}, demonstration {number}, {trace}"), None, result)
}
