//! The machine: what it is, and how busy it was.

use std::fs;

use serde::{Deserialize, Serialize};

use crate::hash;

/// What a run ran on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub processor: String,
    /// How many CPUs we may use.
    pub cpus: usize,
    /// Its memory in MiB.
    pub memory_mib: u64,
    /// The kernel.
    pub kernel: String,
    /// The system.
    pub system: String,
    /// How clock frequency is governed.
    pub governor: String,
}

impl Machine {
    /// This machine.
    pub fn here() -> Machine {
        let line = |file: &str, name: &str| -> Option<String> {
            let text = fs::read_to_string(file).ok()?;
            let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
            Some(rest.trim_start_matches([':', '=', ' ', '\t']).trim_matches('"').to_owned())
        };
        let unknown = || "unknown".to_owned();
        let memory = line("/proc/meminfo", "MemTotal").and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
        Machine {
            processor: line("/proc/cpuinfo", "model name").unwrap_or_else(unknown),
            cpus: allowed_cpus().len(),
            memory_mib: memory.unwrap_or(0) / 1024,
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease")
                .map_or_else(|_| unknown(), |text| text.trim().into()),
            system: line("/etc/os-release", "PRETTY_NAME").unwrap_or_else(unknown),
            governor: fs::read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
                .map_or_else(|_| unknown(), |text| text.trim().into()),
        }
    }

    /// Results of machines with the same hash can be compared.
    pub fn hash(&self) -> String {
        hash::of_bytes(format!("{self:?}").as_bytes())
    }
}

/// The CPUs that we may run on.
pub(super) fn allowed_cpus() -> Vec<usize> {
    // SAFETY: an all-zero set is a valid set, and the call fills it.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set);
        set
    };
    // SAFETY: the numbers are below the size of the set.
    let allowed = |cpu: &usize| unsafe { libc::CPU_ISSET(*cpu, &set) };
    let cpus: Vec<usize> = (0..libc::CPU_SETSIZE as usize).filter(allowed).collect();
    if cpus.is_empty() { vec![0] } else { cpus }
}

/// The load averages: 1, 5 and 15 minutes.
pub(super) fn load() -> Option<[f64; 3]> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    let numbers: Vec<f64> = text.split_whitespace().take(3).filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().ok()
}

/// For how many seconds since the start of the machine somebody has been waiting for a CPU.
pub(super) fn waited() -> Option<f64> {
    let text = fs::read_to_string("/proc/pressure/cpu").ok()?;
    let some = text.lines().find(|line| line.starts_with("some"))?;
    let total: f64 = some.rsplit_once("total=")?.1.trim().parse().ok()?;
    Some(total / 1e6)
}
