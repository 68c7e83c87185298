//! The order machine: B28, B29, and that the table is complete.

use crate::demo::order::{EDGES, Event, NoStep, START, State, attempt};

fn reached(state: &str, event: &str) -> Result<&'static str, NoStep> {
    attempt(state, event).map(|step| step.current().token())
}

#[test]
fn b28_every_edge_leads_where_it_should() {
    let edges = [
        ("CREATED", "create_payment", "PAYMENT_PENDING"),
        ("PAYMENT_PENDING", "payment_succeeded", "PAID"),
        ("PAYMENT_PENDING", "payment_failed", "PAYMENT_FAILED"),
        ("PAYMENT_FAILED", "retry_payment", "PAYMENT_PENDING"),
        ("PAID", "flag_fraud", "FRAUD_REVIEW"),
        ("FRAUD_REVIEW", "approve_fraud", "INVENTORY_RESERVED"),
        ("FRAUD_REVIEW", "reject_fraud", "CANCELLED"),
        ("PAID", "reserve_inventory", "INVENTORY_RESERVED"),
        ("INVENTORY_RESERVED", "start_picking", "PICKING"),
        ("PICKING", "pack_order", "PACKED"),
        ("PACKED", "ship_order", "SHIPPED"),
        ("SHIPPED", "mark_in_transit", "IN_TRANSIT"),
        ("IN_TRANSIT", "confirm_delivery", "DELIVERED"),
        ("CREATED", "cancel_order", "CANCELLED"),
        ("PAYMENT_PENDING", "cancel_order", "CANCELLED"),
        ("PAID", "cancel_order", "CANCELLED"),
        ("INVENTORY_RESERVED", "cancel_order", "CANCELLED"),
    ];
    for (from, event, to) in edges {
        assert_eq!(reached(from, event), Ok(to), "{from} by {event}");
    }
    // There are only seventeen.
    let mut steps = 0;
    for state in State::ALL {
        for event in Event::ALL {
            steps += usize::from(attempt(state.token(), event.token()).is_ok());
        }
    }
    assert_eq!((steps, EDGES.len()), (edges.len(), edges.len()));
}

#[test]
fn b29_late_cancels_and_events_after_the_end_are_illegal() {
    let too_late = [
        "PICKING",
        "PACKED",
        "SHIPPED",
        "IN_TRANSIT",
        "PAYMENT_FAILED",
        "FRAUD_REVIEW",
    ];
    for state in too_late {
        assert_eq!(
            reached(state, "cancel_order"),
            Err(NoStep::IllegalTransition),
            "{state}"
        );
    }
    for state in ["DELIVERED", "CANCELLED"] {
        for event in Event::ALL {
            assert_eq!(
                reached(state, event.token()),
                Err(NoStep::IllegalTransition)
            );
        }
    }
}

#[test]
fn what_is_no_state_and_no_event_has_its_own_refusal() {
    assert_eq!(
        reached("LIMBO", "create_payment"),
        Err(NoStep::InvalidCurrentState)
    );
    assert_eq!(
        reached("", "create_payment"),
        Err(NoStep::InvalidCurrentState)
    );
    assert_eq!(reached("LIMBO", "fly_away"), Err(NoStep::InvalidEventToken));
    assert_eq!(
        reached("created", "create_payment"),
        Err(NoStep::InvalidCurrentState)
    );
}

#[test]
fn the_table_is_total() {
    assert_eq!((State::ALL.len(), Event::ALL.len()), (12, 14));
    // One answer for each pair, at most one edge for it, and each edge leads to another state.
    for state in State::ALL {
        for event in Event::ALL {
            let edges = EDGES
                .iter()
                .filter(|(from, by, _)| (from, by) == (state, event));
            let step = attempt(state.token(), event.token());
            match edges.collect::<Vec<_>>().as_slice() {
                [] => assert_eq!(step, Err(NoStep::IllegalTransition)),
                [(_, _, to)] => {
                    assert_eq!(step.map(|step| step.current()), Ok(*to));
                    assert_ne!(to, state);
                }
                several => panic!("{several:?}"),
            }
        }
    }
    assert!(
        Event::ALL
            .iter()
            .all(|event| EDGES.iter().any(|(_, by, _)| by == event))
    );
}

#[test]
fn every_state_is_reached_from_the_start_and_every_path_can_end() {
    let mut reached = vec![START];
    let mut next = 0;
    while let Some(state) = reached.get(next).copied() {
        let ahead = EDGES.iter().filter(|(from, _, _)| *from == state);
        for (_, _, to) in ahead {
            if !reached.contains(to) {
                reached.push(*to);
            }
        }
        next += 1;
    }
    assert_eq!(reached.len(), State::ALL.len());
    let ends: Vec<_> = State::ALL
        .iter()
        .filter(|state| state.is_terminal())
        .collect();
    assert_eq!(ends, [&State::Delivered, &State::Cancelled]);
}

#[test]
fn tokens_are_distinct_and_read_back() {
    for state in State::ALL {
        assert_eq!(State::from_token(state.token()), Some(*state));
    }
    for event in Event::ALL {
        assert_eq!(Event::from_token(event.token()), Some(*event));
    }
}
