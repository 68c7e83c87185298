//! The sealed seam, and a program around it: it turns a wish from a file into one untrusted proposal set, one decision and at most one
//! effect. A REJECT is a result, not an error: the program exits with 0 and writes no `stdout.raw.kv`. `docs/contract.md` has the rows B01
//! to B46.
//!
//! | file of `demo` | what it holds |
//! |---|---|
//! | `arguments.rs` | the command line, read |
//! | `cli.rs` | one run from input file to exit status |
//! | `generator.rs` | the engine: fixed phrases into a proposal |
//! | `json.rs` | JSON, read strictly and written in one way only |
//! | `proposal_set.rs` | untrusted bytes into typed proposals, or codes |
//! | `order.rs` | the order machine as data |
//! | `decide.rs` | the decision table |
//! | `artifact.rs` | the decision, written down |
//! | `artifact_rules.rs` | what a valid artifact is |
//! | `gateway.rs` | the only way from an artifact to an effect |
//! | `records.rs` | ids, trace and manifest |
//! | `wrapper.rs` | finished runs, seen from outside |
//!
//! | file | rows |
//! |---|---|
//! | `seam.rs` | B01 to B06, B45 |
//! | `unreadable.rs`, `schema.rs`, `schema_codes.rs` | B08 to B16, B44 |
//! | `decisions.rs` | B17 to B27 |
//! | `orders.rs` | B28, B29 |
//! | `artifacts.rs` | B30, B34 |
//! | `gateway.rs` | B31 to B33 |
//! | `runs.rs` | B07, B35 to B37, B43 |
//! | `run_records.rs` | B38, B39 |
//! | `phrases.rs` | B40 to B42 |
//! | `wrapping.rs` | B46 and the comparison of two runs |
//! | `any_bytes.rs` | whatever comes, there is a decision |

mod any_bytes;
mod artifacts;
mod decisions;
mod demo;
mod gateway;
mod orders;
mod phrases;
mod run_records;
mod runs;
mod schema;
mod schema_codes;
mod seam;
mod support;
mod unreadable;
mod wrapping;
