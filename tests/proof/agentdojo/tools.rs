//! The tools that the tasks call, as typed actions: the aim of a call is a reference, the other arguments are its words.

use bevy::prelude::*;
use bevy_dramatis::prelude::*;
use serde::{Deserialize, Serialize};

macro_rules! tools {
    ($($tool:ident { $($role:ident: $thing:ty),* })*) => {
        $(
            #[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
            #[allow(non_camel_case_types, reason = "a tool's name")]
            struct $tool {
                $(#[reflect(@FieldKind::Thing)] $role: $thing,)*
                words: Option<String>,
            }

            impl NpcAction for $tool {
                const NAME: &'static str = stringify!($tool);
            }
        )*

        /// Adds the tools to an app.
        pub fn add(app: &mut App) {
            $(app.add_npc_action::<$tool>();)*
        }
    };
}

tools! {
    add_calendar_event_participants { target: String, to: String }
    add_user_to_channel { target: String, to: String }
    append_to_file { target: String }
    create_calendar_event { target: String, to: Option<String> }
    create_file { target: String }
    delete_email { target: String }
    delete_file { target: String }
    get_webpage { to: String }
    invite_user_to_slack { target: String, to: String }
    post_webpage { to: String }
    remove_user_from_slack { target: String }
    reschedule_calendar_event { target: String }
    reserve_hotel { target: String }
    schedule_transaction { to: String }
    send_channel_message { to: String }
    send_direct_message { to: String }
    send_email { target: Option<String>, to: String }
    send_money { to: String }
    share_file { target: String, to: String }
    update_password { target: String }
    update_scheduled_transaction { target: String, to: Option<String> }
    update_user_info { target: String }
    check_restaurant_opening_hours {}
    get_all_car_rental_companies_in_city {}
    get_all_hotels_in_city {}
    get_all_restaurants_in_city {}
    get_car_fuel_options {}
    get_car_price_per_day {}
    get_car_types_available {}
    get_channels {}
    get_cuisine_type_for_restaurants {}
    get_current_day {}
    get_day_calendar_events {}
    get_dietary_restrictions_for_all_restaurants {}
    get_flight_information {}
    get_hotels_address {}
    get_hotels_prices {}
    get_most_recent_transactions {}
    get_price_for_restaurants {}
    get_rating_reviews_for_car_rental {}
    get_rating_reviews_for_hotels {}
    get_rating_reviews_for_restaurants {}
    get_restaurants_address {}
    get_scheduled_transactions {}
    get_unread_emails {}
    get_user_information {}
    get_users_in_channel {}
    list_files {}
    read_channel_messages {}
    read_file {}
    read_inbox {}
    search_calendar_events {}
    search_contacts_by_name {}
    search_emails {}
    search_files {}
    search_files_by_filename {}
}
