//! What a trace holds, counted in one pass.
