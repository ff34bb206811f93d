//! How often is enough.

use crate::registration::Repetitions;

/// When a cell has been run often enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Policy {
    /// Runs before those that count.
    pub warm_up: u32,
    least: usize,
    most: usize,
    /// However busy the machine is, no more than this.
    cap: usize,
    interval: f64,
    /// Above this a run is under pressure.
    pub pressure: f64,
}

impl Policy {
    /// What a competition asks for.
    pub fn new(table: &Repetitions) -> Policy {
        let (least, most) = (table.least as usize, table.most as usize);
        let (interval, pressure) = (table.interval, table.pressure);
        Policy { warm_up: table.warm_up, least, most, cap: least + most, interval, pressure }
    }

    /// Exactly so many, and as many again under pressure.
    pub fn fixed(self, count: u32) -> Policy {
        let count = count.max(1) as usize;
        Policy { least: count, most: count, cap: 2 * count, ..self }
    }

    /// One run, no questions asked.
    pub fn quick(self) -> Policy {
        Policy { warm_up: 0, least: 1, most: 1, cap: 1, ..self }
    }

    /// How many runs there will be at least.
    pub fn least(&self) -> usize {
        self.least
    }

    /// Whether there were as many attempts as there may be.
    pub fn is_spent(&self, all: usize) -> bool {
        all >= self.cap
    }

    /// Whether these runs are enough: the times of those without pressure, and how many there were in all.
    pub fn is_enough(&self, undisturbed: &[f64], all: usize) -> bool {
        let settled =
            undisturbed.len() >= self.most || half_width(undisturbed).is_some_and(|width| width <= self.interval);
        self.is_spent(all) || (undisturbed.len() >= self.least && settled)
    }
}

/// The half-width of the 95 % confidence interval of the mean, as a part of the mean; of one value there is none.
pub fn half_width(values: &[f64]) -> Option<f64> {
    let count = values.len();
    if count < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count as f64;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1) as f64;
    (mean > 0.0).then(|| student(count - 1) * (variance / count as f64).sqrt() / mean)
}

/// The 97.5 % quantile of Student's distribution.
fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 30] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    ];
    freedom.checked_sub(1).and_then(|index| TABLE.get(index)).copied().unwrap_or(1.96)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steady_times_are_enough_and_others_are_repeated() {
        let policy = Policy::new(&Repetitions::default());
        assert!(!policy.is_enough(&[1.0, 1.0], 2), "too few");
        assert!(policy.is_enough(&[1.0, 1.01, 1.0], 3), "narrow");
        assert!(!policy.is_enough(&[1.0, 1.5, 0.8], 3), "wide");
        assert!(policy.is_enough(&[1.0, 1.5, 0.8, 1.0, 1.5, 0.8, 1.0, 1.5, 0.8, 1.0], 10), "the cap");
        assert!(!policy.is_enough(&[1.0, 1.0], 8) && policy.is_enough(&[], 13), "under pressure");
        assert!(policy.fixed(2).is_enough(&[1.0, 9.0], 2) && policy.quick().is_enough(&[], 1));
    }

    #[test]
    fn the_interval_of_a_known_sample() {
        // Mean 10, standard deviation 1, five values: 2.776 × 1 / √5 = 1.2415.
        let width = half_width(&[9.0, 9.5, 10.0, 10.0, 11.5]).expect("several values");
        let deviation = ((1.0f64 + 0.25 + 2.25) / 4.0).sqrt();
        assert!((width - 2.776 * deviation / 5f64.sqrt() / 10.0).abs() < 1e-9);
        assert_eq!(half_width(&[1.0]), None);
    }
}
