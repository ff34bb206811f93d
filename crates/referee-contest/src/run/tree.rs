//! Process trees, read from `/proc`.

use std::fs;

/// The children of a process, by what the kernel lists for each of its threads.
pub(super) fn children(process: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<i32>>()).collect()
}

/// A process and all below it.
pub(super) fn below(process: i32) -> Vec<i32> {
    let mut found = vec![process];
    let mut next = 0;
    while let Some(process) = found.get(next).copied() {
        next += 1;
        for child in children(process) {
            if !found.contains(&child) {
                found.push(child);
            }
        }
    }
    found
}

/// The memory of some processes together, in bytes: pages that are shared count once in all, and resident pages.
pub(super) fn memory(processes: &[i32]) -> (u64, u64) {
    let one = |process: &i32| {
        let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
        (kilobytes(&rollup, "Pss:"), kilobytes(&rollup, "Rss:"))
    };
    let sums = processes.iter().map(one).fold((0, 0), |sum, (pss, rss)| (sum.0 + pss, sum.1 + rss));
    (sums.0 * 1024, sums.1 * 1024)
}

/// The highest resident size of a process so far, in bytes.
pub(super) fn highest_resident(process: i32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    kilobytes(&status, "VmHWM:") * 1024
}

fn kilobytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Seconds of CPU time that processes have used so far, without those they have waited for.
pub(super) fn cpu(processes: &[i32]) -> f64 {
    // SAFETY: this asks for a constant.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as f64;
    let one = |process: &i32| -> Option<u64> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name may hold anything; what follows its last parenthesis is numbers: user and system time, then those of
        // children that were waited for.
        let numbers: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        numbers.get(11..15)?.iter().map(|number| number.parse::<u64>().ok()).sum()
    };
    processes.iter().filter_map(one).sum::<u64>() as f64 / ticks
}
