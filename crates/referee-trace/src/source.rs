//! Where bytes come from: mapped files, pipes, compressed streams.
