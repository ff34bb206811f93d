//! A process that is traced: its registers, its memory, and the filter that lets it stop at few system calls only.

use std::io;
use std::mem::{offset_of, size_of};

/// The system calls at which a traced process stops.
pub(super) const CALLS: [i64; 28] = [
    libc::SYS_open,
    libc::SYS_openat,
    libc::SYS_creat,
    libc::SYS_close,
    libc::SYS_close_range,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pwrite64,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_sendto,
    libc::SYS_sendmsg,
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_connect,
    libc::SYS_dup,
    libc::SYS_dup2,
    libc::SYS_dup3,
    libc::SYS_fcntl,
    libc::SYS_pipe,
    libc::SYS_pipe2,
    libc::SYS_execve,
    libc::SYS_execveat,
];

/// The longest path that is read.
const LONGEST: usize = 4096;

/// The filter: calls of the list stop the process, all others go on.
pub(super) fn filter() -> Vec<libc::sock_filter> {
    let statement = |code: u32, k: u32| libc::sock_filter { code: code as u16, jt: 0, jf: 0, k };
    let load = |offset: usize| statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset as u32);
    let jump = |k: u32, jt: u8, jf: u8| libc::sock_filter {
        code: (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16,
        jt,
        jf,
        k,
    };
    let answer = |k: u32| statement(libc::BPF_RET | libc::BPF_K, k);
    /// x86-64, as the audit of the kernel counts machines.
    const ARCHITECTURE: u32 = 0xC000_003E;
    let count = CALLS.len() as u8;
    let mut all = vec![load(offset_of!(libc::seccomp_data, arch)), jump(ARCHITECTURE, 0, count + 1)];
    all.push(load(offset_of!(libc::seccomp_data, nr)));
    for (place, call) in CALLS.iter().enumerate() {
        all.push(jump(*call as u32, count - place as u8, 0));
    }
    all.push(answer(libc::SECCOMP_RET_ALLOW));
    all.push(answer(libc::SECCOMP_RET_TRACE));
    all
}

/// In the new process: asks to be traced and installs the filter. Nothing here takes memory.
pub(super) fn offer(filter: &[libc::sock_filter]) -> io::Result<()> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the filter is there while the kernel copies it; the rest are requests of the process about itself.
    unsafe {
        let done = libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) == 0
            && libc::raise(libc::SIGSTOP) == 0
            && libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) == 0;
        if done { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

/// A request that has no data but a number.
pub(super) fn request(what: libc::c_uint, thread: i32, data: usize) -> bool {
    // SAFETY: the kernel refuses what is not a stopped thread that this process traces.
    unsafe { libc::ptrace(what, thread, 0usize, data) == 0 }
}

/// The registers of a stopped thread.
pub(super) fn registers(thread: i32) -> Option<libc::user_regs_struct> {
    let mut registers = std::mem::MaybeUninit::<libc::user_regs_struct>::uninit();
    // SAFETY: the kernel fills them, or says that it did not.
    unsafe {
        (libc::ptrace(libc::PTRACE_GETREGS, thread, 0usize, registers.as_mut_ptr()) == 0)
            .then(|| registers.assume_init())
    }
}

/// What the kernel says about the stop of a thread: the number of a new process.
pub(super) fn message(thread: i32) -> Option<i32> {
    let mut number: libc::c_ulong = 0;
    // SAFETY: the kernel writes the number.
    let asked = unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, thread, 0usize, &raw mut number) };
    (asked == 0).then_some(number as i32)
}

/// Reads memory of a process; tells how many bytes there were.
fn read(process: i32, address: u64, into: &mut [u8]) -> usize {
    let local = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    let remote = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: into.len() };
    // SAFETY: the kernel writes into the bytes that are given, and checks the other address.
    let read = unsafe { libc::process_vm_readv(process, &raw const local, 1, &raw const remote, 1, 0) };
    usize::try_from(read).unwrap_or(0)
}

/// Reads a C text, page by page: the next page may not be there.
pub(super) fn text(process: i32, mut address: u64) -> String {
    const PAGE: u64 = 4096;
    let mut all: Vec<u8> = Vec::new();
    while all.len() < LONGEST {
        let mut piece = vec![0; (PAGE - address % PAGE) as usize];
        let read = read(process, address, &mut piece);
        let piece = &piece[..read];
        match piece.iter().position(|byte| *byte == 0) {
            Some(end) => {
                all.extend_from_slice(&piece[..end]);
                break;
            }
            None if read == 0 => break,
            None => all.extend_from_slice(piece),
        }
        address += read as u64;
    }
    all.truncate(LONGEST);
    String::from_utf8_lossy(&all).into_owned()
}

/// Reads two descriptors that a call has written.
pub(super) fn pair(process: i32, address: u64) -> Option<(i64, i64)> {
    let mut bytes = [0; 2 * size_of::<i32>()];
    if read(process, address, &mut bytes) < bytes.len() {
        return None;
    }
    let number = |at: usize| i64::from(i32::from_ne_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]));
    Some((number(0), number(4)))
}
