//! MFOTL, placeholder.
mod lex;
mod parse;
mod regex;
mod syntax;
