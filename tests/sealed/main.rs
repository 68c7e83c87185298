//! The sealed seam and its demo against the rows B01 to B46 of `reference/seeds.md` section 3.3.
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

#[path = "../../examples/sealed/demo.rs"]
mod demo;

mod any_bytes;
mod artifacts;
mod decisions;
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
