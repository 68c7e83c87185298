//! Random plays against a model that says what `load_game` must return, whatever the player did and whenever the game was killed.

use super::game::{Player, kept};
use bevy_dramatis::base::WorldSeed;
use std::path::Path;
use std::time::Duration;

/// What the model knows of the current game and of the file.
struct Model {
    /// What a load from the file returns.
    file: Option<i64>,
    /// What a load returned when the game was started; `None` after a load, or if the file had no game.
    previous: Option<i64>,
    coins: i64,
    begun: bool,
}

impl Model {
    fn start(file: Option<i64>) -> Self {
        Self {
            file,
            previous: file,
            coins: 10,
            begun: false,
        }
    }

    /// The game's answer to an order.
    fn obey(&mut self, order: &str) -> String {
        match order {
            "play" => {
                self.coins += 2;
                self.begun = true;
            }
            "save" | "new game" => self.begun = true,
            "load" => match self.previous.take().or(self.file) {
                None => return "no game".to_owned(),
                Some(coins) => {
                    self.coins = coins;
                    self.begun = true;
                }
            },
            _ => {}
        }
        if self.begun {
            self.file = Some(self.coins);
        }
        format!("{} coins", self.coins)
    }
}

const ORDERS: [&str; 7] = [
    "look", "look", "play", "save", "load", "new game", "refused",
];

/// Plays some sessions in one file. Without weather, a file without a game stays that way until a player plays.
fn play(path: &Path, seed: u64) -> String {
    let mut drawn = 0;
    let mut choose = |most: u64| {
        drawn += 1;
        WorldSeed(seed).draw("start", &[&drawn.to_string()]) % most
    };
    let (mut file, mut story) = (None, String::new());
    for _ in 0..5 {
        let mut model = Model::start(file);
        let mut player = Player::start_quiet(path);
        story.push_str("| start ");
        for _ in 0..choose(5) {
            let order = ORDERS[usize::try_from(choose(7)).unwrap()];
            story.push_str(order);
            story.push(' ');
            assert_eq!(player.order(order), model.obey(order), "{story}");
        }
        let before = model.file;
        match choose(3) {
            0 => {
                story.push_str("quit ");
                player.quit();
            }
            1 => {
                story.push_str("kill ");
                player.kill();
            }
            _ => {
                // Kills the game in the middle of something.
                let order = ORDERS[usize::try_from(choose(7)).unwrap()];
                story.push_str(&format!("{order}, killed in it "));
                player.tell(order);
                std::thread::sleep(Duration::from_micros(choose(30_000)));
                player.kill();
                model.obey(order);
            }
        }
        let found = kept(path);
        assert!(
            found == before || found == model.file,
            "{found:?} is neither {before:?} nor {:?}: {story}",
            model.file
        );
        file = found;
    }
    story
}

#[test]
fn j6_whatever_is_done_and_wherever_it_is_killed_the_file_gives_back_the_last_game_that_was_begun()
{
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..12 {
        play(&folder.path().join(format!("{seed}.dramatis")), seed);
    }
}
