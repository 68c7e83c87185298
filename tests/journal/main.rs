//! The journal, seen from outside (contract sections J, M5 and X4).

mod concurrency;
mod export;
mod mutation;
mod regate;
mod replay;
