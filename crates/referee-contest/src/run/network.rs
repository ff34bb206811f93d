//! No network: a name space of its own, with nothing but a loopback device in it.

use std::io;

/// Takes this process and all that it will start off the network. Only while it has one thread; as a user it takes a user
/// name space, too, in which the user is who they were.
pub fn leave() -> Result<(), String> {
    // SAFETY: these calls take no memory.
    let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
    // SAFETY: name spaces are changed before any other thread exists.
    if unsafe { libc::unshare(libc::CLONE_NEWNET) } == 0 {
        return raise_loopback().map_err(|error| format!("no loopback device: {error}"));
    }
    // SAFETY: the same.
    if unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNET) } != 0 {
        return Err(io::Error::last_os_error().to_string());
    }
    let map = |file: &str, text: String| std::fs::write(file, text).map_err(|error| format!("{file}: {error}"));
    map("/proc/self/setgroups", "deny".into())?;
    map("/proc/self/uid_map", format!("{user} {user} 1"))?;
    map("/proc/self/gid_map", format!("{group} {group} 1"))?;
    raise_loopback().map_err(|error| format!("no loopback device: {error}"))
}

/// Tools that talk to themselves can still do so.
fn raise_loopback() -> io::Result<()> {
    // SAFETY: the request is a valid record with a name that ends, and the socket is closed again.
    unsafe {
        let socket = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        if socket < 0 {
            return Err(io::Error::last_os_error());
        }
        let mut request: libc::ifreq = std::mem::zeroed();
        for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
            *to = *from as libc::c_char;
        }
        request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        let done = libc::ioctl(socket, libc::SIOCSIFFLAGS as _, &request);
        let error = io::Error::last_os_error();
        libc::close(socket);
        if done == 0 { Ok(()) } else { Err(error) }
    }
}
