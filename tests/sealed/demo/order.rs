//! The order machine as data: 12 states, 14 events, 17 edges. A step without an edge is not possible.

/// The only order of the demo. Every run begins with it in [`START`].
pub const ORDER_ID: &str = "demo-order-1";
pub const START: State = State::Created;

/// An enum whose variants have one spelling each, and the list of all of them.
macro_rules! tokens {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $token:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($variant),+ }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub fn token(self) -> &'static str {
                match self { $(Self::$variant => $token),+ }
            }

            /// The variant with exactly this spelling.
            pub fn from_token(token: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.token() == token)
            }
        }
    };
}

tokens! {
    /// The state of an order.
    State {
        Created = "CREATED",
        PaymentPending = "PAYMENT_PENDING",
        PaymentFailed = "PAYMENT_FAILED",
        Paid = "PAID",
        FraudReview = "FRAUD_REVIEW",
        InventoryReserved = "INVENTORY_RESERVED",
        Picking = "PICKING",
        Packed = "PACKED",
        Shipped = "SHIPPED",
        InTransit = "IN_TRANSIT",
        Delivered = "DELIVERED",
        Cancelled = "CANCELLED",
    }
}

tokens! {
    /// The events of an order.
    Event {
        CreatePayment = "create_payment",
        PaymentSucceeded = "payment_succeeded",
        PaymentFailed = "payment_failed",
        RetryPayment = "retry_payment",
        FlagFraud = "flag_fraud",
        ApproveFraud = "approve_fraud",
        RejectFraud = "reject_fraud",
        ReserveInventory = "reserve_inventory",
        StartPicking = "start_picking",
        PackOrder = "pack_order",
        ShipOrder = "ship_order",
        MarkInTransit = "mark_in_transit",
        ConfirmDelivery = "confirm_delivery",
        CancelOrder = "cancel_order",
    }
}

/// From, by, to.
pub const EDGES: [(State, Event, State); 17] = {
    use Event as E;
    use State as S;
    [
        (S::Created, E::CreatePayment, S::PaymentPending),
        (S::PaymentPending, E::PaymentSucceeded, S::Paid),
        (S::PaymentPending, E::PaymentFailed, S::PaymentFailed),
        (S::PaymentFailed, E::RetryPayment, S::PaymentPending),
        (S::Paid, E::FlagFraud, S::FraudReview),
        (S::FraudReview, E::ApproveFraud, S::InventoryReserved),
        (S::FraudReview, E::RejectFraud, S::Cancelled),
        (S::Paid, E::ReserveInventory, S::InventoryReserved),
        (S::InventoryReserved, E::StartPicking, S::Picking),
        (S::Picking, E::PackOrder, S::Packed),
        (S::Packed, E::ShipOrder, S::Shipped),
        (S::Shipped, E::MarkInTransit, S::InTransit),
        (S::InTransit, E::ConfirmDelivery, S::Delivered),
        (S::Created, E::CancelOrder, S::Cancelled),
        (S::PaymentPending, E::CancelOrder, S::Cancelled),
        (S::Paid, E::CancelOrder, S::Cancelled),
        (S::InventoryReserved, E::CancelOrder, S::Cancelled),
    ]
};

impl State {
    /// Whether no event leads away from this state.
    pub fn is_terminal(self) -> bool {
        !EDGES.iter().any(|(from, _, _)| *from == self)
    }
}

/// A step along an edge; only [`attempt`] makes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    previous: State,
    event: Event,
    current: State,
}

impl Transition {
    pub fn previous(self) -> State {
        self.previous
    }

    pub fn event(self) -> Event {
        self.event
    }

    pub fn current(self) -> State {
        self.current
    }
}

/// Why a step does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoStep {
    InvalidEventToken,
    InvalidCurrentState,
    IllegalTransition,
}

/// Looks up the step from `state` by `event`. The caller need not know the correct spelling of either.
pub fn attempt(state: &str, event: &str) -> Result<Transition, NoStep> {
    let event = Event::from_token(event).ok_or(NoStep::InvalidEventToken)?;
    let previous = State::from_token(state).ok_or(NoStep::InvalidCurrentState)?;
    EDGES
        .iter()
        .find(|(from, by, _)| (*from, *by) == (previous, event))
        .map(|(_, _, current)| Transition {
            previous,
            event,
            current: *current,
        })
        .ok_or(NoStep::IllegalTransition)
}
