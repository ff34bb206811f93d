//! `exec*`: the program is replaced, so its verdict is said before, if there is a file that can replace it.
//!
//! The functions that find the file by themselves look for it here first, so that a program that tries one place after the other does not
//! end its verdict at the first. A file that can be run and is then refused by the kernel ends the verdict all the same: what follows is not judged.

use std::ffi::{CStr, c_char, c_int};
use std::time::Duration;

use crate::errno::KeptErrno;
use crate::judging;

/// For how long the end waits for a thread that judges.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest path that is looked for.
const LONGEST: usize = 4096;

unsafe extern "C" {
    static mut environ: *const *const c_char;
}

/// A path with its NUL, without memory from anybody.
struct Path {
    bytes: [u8; LONGEST],
}

impl Path {
    /// `folder/name`, if it is not too long.
    fn of(folder: &[u8], name: &[u8]) -> Option<Path> {
        let mut path = Path { bytes: [0; LONGEST] };
        if folder.len() + name.len() + 2 > LONGEST {
            return None;
        }
        let mut end = folder.len();
        path.bytes[..end].copy_from_slice(folder);
        if end > 0 && folder[end - 1] != b'/' {
            path.bytes[end] = b'/';
            end += 1;
        }
        path.bytes[end..end + name.len()].copy_from_slice(name);
        Some(path)
    }

    fn pointer(&self) -> *const c_char {
        self.bytes.as_ptr().cast()
    }
}

/// Whether a path names a file that may be run.
unsafe fn can_run(path: *const c_char) -> bool {
    let _errno = KeptErrno::new();
    let mut about = std::mem::MaybeUninit::<libc::stat>::uninit();
    // SAFETY: the path is a C text; the kernel fills what it is given or says that it did not.
    unsafe {
        libc::access(path, libc::X_OK) == 0
            && libc::stat(path, about.as_mut_ptr()) == 0
            && about.assume_init().st_mode & libc::S_IFMT == libc::S_IFREG
    }
}

/// Says the verdict if the file can be run, and lets the kernel run it.
unsafe fn run(path: *const c_char, arguments: *const *const c_char, environment: *const *const c_char) -> c_int {
    // SAFETY: as the callers of `exec*` promise.
    unsafe {
        if !path.is_null() && can_run(path) {
            judging::conclude(PATIENCE);
        }
        libc::syscall(libc::SYS_execve, path, arguments, environment) as c_int
    }
}

/// Runs a file without a head as a script of the shell, as `execvp` does.
unsafe fn run_script(path: *const c_char, arguments: *const *const c_char, environment: *const *const c_char) -> c_int {
    /// How many arguments are handed on.
    const MOST: usize = 1024;
    let mut all: [*const c_char; MOST + 2] = [std::ptr::null(); MOST + 2];
    all[0] = c"/bin/sh".as_ptr();
    all[1] = path;
    // SAFETY: the arguments end with null.
    unsafe {
        let mut count = 0;
        while !(*arguments.add(count)).is_null() {
            count += 1;
        }
        for place in 1..count {
            if place + 1 > MOST {
                *libc::__errno_location() = libc::E2BIG;
                return -1;
            }
            all[place + 1] = *arguments.add(place);
        }
        run(all[0], all.as_ptr(), environment)
    }
}

/// Looks for a file in the folders of `PATH`.
unsafe fn search(file: *const c_char, arguments: *const *const c_char, environment: *const *const c_char) -> c_int {
    // SAFETY: as the callers of `execvp` promise.
    unsafe {
        let name = CStr::from_ptr(file).to_bytes();
        if name.is_empty() || name.contains(&b'/') {
            return run_or_script(file, arguments, environment);
        }
        let folders = libc::getenv(c"PATH".as_ptr());
        let folders = if folders.is_null() { c"/bin:/usr/bin" } else { CStr::from_ptr(folders) };
        let mut was_denied = false;
        for folder in folders.to_bytes().split(|byte| *byte == b':') {
            let Some(path) = Path::of(folder, name) else { continue };
            run_or_script(path.pointer(), arguments, environment);
            match *libc::__errno_location() {
                libc::EACCES => was_denied = true,
                libc::ENOENT | libc::ENOTDIR | libc::ESTALE | libc::ENODEV | libc::ETIMEDOUT => {}
                _ => return -1,
            }
        }
        *libc::__errno_location() = if was_denied { libc::EACCES } else { libc::ENOENT };
        -1
    }
}

unsafe fn run_or_script(
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> c_int {
    // SAFETY: as the callers of `execvp` promise.
    unsafe {
        let result = run(path, arguments, environment);
        if *libc::__errno_location() == libc::ENOEXEC { run_script(path, arguments, environment) } else { result }
    }
}

/// Takes the place of the C library's function.
///
/// # Safety
///
/// As for the C library's.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn execve(
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { run(path, arguments, environment) }
}

/// Takes the place of the C library's function.
///
/// # Safety
///
/// As for the C library's.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn execv(path: *const c_char, arguments: *const *const c_char) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { run(path, arguments, environ) }
}

/// Takes the place of the C library's function.
///
/// # Safety
///
/// As for the C library's.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn execvp(file: *const c_char, arguments: *const *const c_char) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { search(file, arguments, environ) }
}

/// Takes the place of the C library's function.
///
/// # Safety
///
/// As for the C library's.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn execvpe(
    file: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> c_int {
    // SAFETY: as the caller promises.
    unsafe { search(file, arguments, environment) }
}

/// Takes the place of the C library's function.
///
/// # Safety
///
/// As for the C library's.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn fexecve(
    file: c_int,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> c_int {
    // SAFETY: as the caller promises; the empty path means the descriptor itself.
    unsafe {
        if libc::fcntl(file, libc::F_GETFD) >= 0 {
            judging::conclude(PATIENCE);
        }
        let empty = c"".as_ptr();
        libc::syscall(libc::SYS_execveat, file, empty, arguments, environment, libc::AT_EMPTY_PATH) as c_int
    }
}

// `execl`, `execle` and `execlp` take any number of arguments, which a function in Rust cannot. On the stack they need only be put in a row:
// the return address goes to a register that calls keep, and what came in registers goes where it stood, in front of the others.
#[cfg(target_arch = "x86_64")]
std::arch::global_asm!(
    ".macro referee_execl name, target",
    ".globl \\name",
    ".type \\name, @function",
    "\\name:",
    "pop rax",
    "push r9",
    "push r8",
    "push rcx",
    "push rdx",
    "push rsi",
    // The row begins here. Below it: what has to come back, and room that keeps the stack aligned.
    "mov rsi, rsp",
    "push rax",
    "push rbx",
    "mov rbx, rsp",
    "and rsp, -16",
    "call \\target",
    "mov rsp, rbx",
    "pop rbx",
    "pop rcx",
    "add rsp, 40",
    "jmp rcx",
    ".size \\name, . - \\name",
    ".endm",
    "referee_execl execl, {execl}",
    "referee_execl execle, {execle}",
    "referee_execl execlp, {execlp}",
    execl = sym execl_row,
    execle = sym execle_row,
    execlp = sym execlp_row,
);

#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn execl_row(path: *const c_char, row: *const *const c_char) -> c_int {
    // SAFETY: the row ends with null, as the caller of `execl` promises.
    unsafe { run(path, row, environ) }
}

#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn execle_row(path: *const c_char, row: *const *const c_char) -> c_int {
    // SAFETY: behind the null that ends the arguments stands the environment.
    unsafe {
        let mut end = row;
        while !(*end).is_null() {
            end = end.add(1);
        }
        run(path, row, (*end.add(1)).cast())
    }
}

#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn execlp_row(file: *const c_char, row: *const *const c_char) -> c_int {
    // SAFETY: as for `execl`.
    unsafe { search(file, row, environ) }
}
