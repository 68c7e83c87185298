//! Views: who sees which messages. One table for every stage and for the player.

use super::message::{Message, MessageType};
use crate::base::ids::Id;

/// Who looks at the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Viewer {
    /// The stage that makes the intention of a persona.
    PersonaIntent,
    /// The stage that makes the intention of a character.
    NpcIntent,
    /// The narrator, for the actor whose intention is told.
    Narrator,
    /// The stage that reads how the states of a persona change.
    PersonaExtractor,
    /// The stage that reads how the states of a character change.
    CharacterExtractor,
    /// The stage that reads what a narration says about the world.
    LoreExtractor,
    /// The player, through one persona.
    Player,
    /// A developer, through one persona: the player's view, and the intentions of all.
    Debug,
}

/// Which messages of one type a viewer sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sees {
    /// None.
    Nothing,
    /// All of them.
    All,
    /// Those that it perceived itself.
    Perceived,
    /// Those that were perceived at the place that it tells of.
    AtPlace,
    /// Its own.
    Own,
    /// The one that is being resolved.
    Resolved,
    /// The one that has just been told.
    Current,
}

/// The columns: scene markers, narrations, intentions, thoughts.
const TABLE: [(Viewer, [Sees; 4]); 8] = {
    use Sees::{All, AtPlace, Current, Nothing, Own, Perceived, Resolved};
    [
        (Viewer::PersonaIntent, [Nothing, Perceived, Own, Own]),
        (Viewer::NpcIntent, [Nothing, Perceived, Own, Own]),
        (Viewer::Narrator, [All, AtPlace, Resolved, Nothing]),
        (
            Viewer::PersonaExtractor,
            [Nothing, Perceived, Resolved, Own],
        ),
        (
            Viewer::CharacterExtractor,
            [Nothing, Perceived, Resolved, Own],
        ),
        (Viewer::LoreExtractor, [Nothing, Current, Nothing, Nothing]),
        (Viewer::Player, [Nothing, Perceived, Own, Own]),
        (Viewer::Debug, [Nothing, Perceived, All, Own]),
    ]
};

/// What a view is made for.
#[derive(Debug, Clone, Copy)]
pub struct ViewOf<'a> {
    /// The stage, or the kind of player, that looks: the row of the table.
    pub(crate) viewer: Viewer,
    /// The persona or character in whose name it looks; `None` for the lore extractor.
    pub own: Option<&'a Id>,
    /// The place that a narrator tells of; `None` where its actor is nowhere.
    pub place: Option<&'a Id>,
    /// The number of the turn and of the message that is being resolved, or has just been told.
    pub current: Option<(u64, u32)>,
}

impl ViewOf<'_> {
    /// Whether a message belongs to the view.
    #[must_use]
    pub fn shows(&self, message: &Message) -> bool {
        let column = match message.kind {
            MessageType::SceneMarker => 0,
            MessageType::Narration => 1,
            MessageType::Intention => 2,
            MessageType::Thought => 3,
            // No viewer sees what extractors wrote.
            MessageType::System => return false,
        };
        let row = TABLE.iter().find(|(viewer, _)| *viewer == self.viewer);
        let own = |id: Option<&Id>| id.is_some() && id == self.own;
        match row.map_or(Sees::Nothing, |(_, row)| row[column]) {
            Sees::Nothing => false,
            Sees::All => true,
            Sees::Perceived => self.own.is_some_and(|own| message.audience.contains(own)),
            Sees::AtPlace => {
                let left = message.left.is_some() && message.left.as_ref() == self.place;
                left || message.place.as_ref() == self.place
            }
            Sees::Own => own(message.owner.actor()),
            Sees::Resolved | Sees::Current => self.current == Some((message.turn_id, message.seq)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adventure::message::Owner;
    use crate::id;

    fn stream() -> Vec<(&'static str, Message)> {
        let (kael, mira, shade) = (id!("kael"), id!("mira"), id!("shade"));
        let all = vec![kael.clone(), mira.clone(), shade.clone()];
        let mut counts = [0, 0, 0];
        let mut message = |turn: u64, owner: Owner, kind: MessageType, audience: &[Id]| {
            counts[usize::try_from(turn).unwrap()] += 1;
            Message {
                owner,
                kind,
                turn_id: turn,
                seq: counts[usize::try_from(turn).unwrap()],
                content: String::new(),
                place: Some(id!("inn")),
                left: None,
                actor: None,
                audience: audience.to_vec(),
                parts: Vec::new(),
            }
        };
        use MessageType::{Intention, Narration, SceneMarker, System, Thought};
        let own = |id: &Id| (Owner::Actor(id.clone()), [id.clone()]);
        let mut list = Vec::new();
        let mut add = |name, message| list.push((name, message));
        add("S1", message(1, Owner::System, SceneMarker, &[]));
        let (k, ka) = own(&kael);
        add("P1t", message(1, k.clone(), Thought, &ka));
        add("P1i", message(1, k.clone(), Intention, &ka));
        add("N1", message(1, Owner::Narrator, Narration, &all));
        let (m, ma) = own(&mira);
        add("A1t", message(1, m.clone(), Thought, &ma));
        add("A1i", message(1, m.clone(), Intention, &ma));
        add("N2", message(1, Owner::Narrator, Narration, &all));
        let (s, sa) = own(&shade);
        add("B1i", message(1, s, Intention, &sa));
        add("N3", message(1, Owner::Narrator, Narration, &all));
        add("X1", message(1, Owner::System, System, &[]));
        add("P2t", message(2, k.clone(), Thought, &ka));
        add("P2i", message(2, k, Intention, &ka));
        add("N4", message(2, Owner::Narrator, Narration, &all));
        add("A2t", message(2, m.clone(), Thought, &ma));
        add("A2i", message(2, m, Intention, &ma));
        add("N5", message(2, Owner::Narrator, Narration, &all));
        list
    }

    /// The view over the first messages, up to the one with this name and without it.
    fn view(viewer: Viewer, own: Option<&str>, until: &str, current: &str) -> Vec<&'static str> {
        let stream = stream();
        let own = own.map(|own| Id::new(own).unwrap());
        let place = id!("inn");
        let current = stream.iter().find(|(name, _)| *name == current);
        let view = ViewOf {
            viewer,
            own: own.as_ref(),
            place: Some(&place),
            current: current.map(|(_, message)| (message.turn_id, message.seq)),
        };
        let before = stream.iter().take_while(|(name, _)| *name != until);
        let seen = before.filter(|(_, message)| view.shows(message));
        seen.map(|(name, _)| *name).collect()
    }

    #[test]
    fn t2_each_stage_sees_its_row_of_the_matrix() {
        let narrator = view(Viewer::Narrator, Some("kael"), "N4", "P2i");
        assert_eq!(narrator, ["S1", "N1", "N2", "N3", "P2i"]);
        let extractor = view(Viewer::PersonaExtractor, Some("kael"), "N4", "P2i");
        assert_eq!(extractor, ["P1t", "N1", "N2", "N3", "P2t", "P2i"]);
        let intent = view(Viewer::NpcIntent, Some("mira"), "A2t", "");
        assert_eq!(intent, ["N1", "A1t", "A1i", "N2", "N3", "N4"]);
        let narrator = view(Viewer::Narrator, Some("mira"), "N5", "A2i");
        assert_eq!(narrator, ["S1", "N1", "N2", "N3", "N4", "A2i"]);
        let extractor = view(Viewer::CharacterExtractor, Some("mira"), "N5", "A2i");
        assert_eq!(extractor, ["N1", "A1t", "N2", "N3", "N4", "A2t", "A2i"]);
        assert_eq!(view(Viewer::LoreExtractor, None, "", "N5"), ["N5"]);
    }

    #[test]
    fn t2_the_player_sees_no_other_mind() {
        let player = view(Viewer::Player, Some("kael"), "", "");
        assert_eq!(
            player,
            ["P1t", "P1i", "N1", "N2", "N3", "P2t", "P2i", "N4", "N5"]
        );
        let debug = view(Viewer::Debug, Some("kael"), "", "");
        let more = ["A1i", "B1i", "A2i"];
        assert!(more.iter().all(|name| debug.contains(name)));
        assert!(!debug.contains(&"A1t") && !debug.contains(&"X1"));
    }

    #[test]
    fn t2_nobody_knows_what_it_did_not_perceive() {
        let mut message = stream()[3].1.clone();
        message.audience = vec![id!("kael")];
        message.place = Some(id!("cellar"));
        let (mira, inn) = (id!("mira"), id!("inn"));
        for viewer in [
            Viewer::NpcIntent,
            Viewer::CharacterExtractor,
            Viewer::Narrator,
        ] {
            let view = ViewOf {
                viewer,
                own: Some(&mira),
                place: Some(&inn),
                current: None,
            };
            assert!(!view.shows(&message), "{viewer:?}");
        }
    }
}
