//! The engines: which model serves, how each is doing, and what the last calls took.

use super::theme::{BAD, GOOD, LIVE, NOTED, PALETTE};
use super::view::{EngineView, InspectorView, RunView};
use super::widgets::{counted, table};
use crate::engine::{BreakerState, EngineIdentity, EngineStatus};
use crate::events::ModelChanged;
use crate::pipeline::WaitsForTurn;
use bevy::prelude::{On, ResMut, Resource};
use bevy_egui::egui::{CollapsingHeader, Color32, RichText, ScrollArea, Ui};
use egui_plot::{Bar, BarChart, Plot};

/// The most slots of an engine that are listed.
const MOST_SLOTS: u32 = 64;
/// How many changes of the model are kept.
const MOST_CHANGES: usize = 16;

/// What a million tokens cost, as the provider of the model says. A game inserts it where it pays for its calls; the engine's
/// panel then says what the last ones have cost.
///
/// ```
/// # use bevy::prelude::*;
/// use bevy_dramatis::inspector::TokenPrices;
///
/// # let mut app = App::new();
/// app.insert_resource(TokenPrices { prompt: 2.0, cached: 0.5, reply: 8.0, currency: "EUR".to_owned() });
/// ```
#[derive(Resource, Debug, Clone, Default, PartialEq)]
pub struct TokenPrices {
    /// The price of a million prompt tokens that the server had to read.
    pub prompt: f64,
    /// The price of a million prompt tokens that came from the server's cache.
    pub cached: f64,
    /// The price of a million tokens of replies.
    pub reply: f64,
    /// The name of the currency, such as `EUR`.
    pub currency: String,
}

/// The last changes of models since the game began, oldest first: at most 16.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelChanges(pub Vec<ModelChanged>);

/// Keeps a change of a model for the panel.
pub(super) fn note_model_change(changed: On<ModelChanged>, mut changes: ResMut<ModelChanges>) {
    while changes.0.len() >= MOST_CHANGES {
        changes.0.remove(0);
    }
    changes.0.push(changed.event().clone());
}

/// A change of the model in a sentence: which engine, what it was, what it is.
#[must_use]
pub fn change_in_words(changed: &ModelChanged) -> String {
    let model = |identity: &EngineIdentity| match &identity.version {
        Some(version) => format!(
            "{} of {}, version {version}",
            identity.model, identity.provider
        ),
        None => format!("{} of {}", identity.model, identity.provider),
    };
    let engine = changed.engine.as_deref().unwrap_or("The default engine");
    let (before, now) = (model(&changed.before), model(&changed.now));
    if before == now {
        return format!("{engine}: {now}, with other weights or abilities than before");
    }
    format!("{engine}: {before}, then {now}")
}

/// What the calls of the runs that are kept came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallNumbers {
    /// Each call that was answered, oldest first.
    pub calls: Vec<CallRow>,
    /// How many attempts failed without an answer.
    pub unanswered: usize,
    /// How many tokens the prompts had, as far as their servers tell.
    pub prompt_tokens: u64,
    /// How many of them came out of a server's cache.
    pub cached_tokens: u64,
    /// How many tokens the replies had.
    pub reply_tokens: u64,
}

/// A call that was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallRow {
    /// The number of the run.
    pub run: u64,
    /// How long it took, in milliseconds of call time.
    pub millis: i64,
    /// Whether what it answered was accepted.
    pub passed: bool,
}

impl CallNumbers {
    /// Counts the calls of these runs, the newest of which comes first.
    #[must_use]
    pub fn of(runs: &[RunView]) -> Self {
        let mut numbers = Self::default();
        for run in runs.iter().rev() {
            for attempt in run.attempts.iter() {
                if attempt.reply.is_none() {
                    numbers.unanswered += usize::from(attempt.error.is_some());
                    continue;
                }
                numbers.calls.push(CallRow {
                    run: run.run.number(),
                    millis: attempt.arrived.latency.0,
                    passed: attempt.passed,
                });
                if let Some(usage) = attempt.arrived.usage {
                    // A server may tell anything.
                    numbers.prompt_tokens = numbers.prompt_tokens.saturating_add(usage.prompt);
                    numbers.cached_tokens = numbers.cached_tokens.saturating_add(usage.cached);
                    numbers.reply_tokens = numbers.reply_tokens.saturating_add(usage.completion);
                }
            }
        }
        numbers
    }

    /// This percentile of the times of all calls, in milliseconds: 50 gives the median. 0 without calls; more than 100 counts as
    /// 100.
    #[must_use]
    pub fn percentile(&self, hundredths: usize) -> i64 {
        let mut sorted: Vec<i64> = self.calls.iter().map(|call| call.millis).collect();
        sorted.sort_unstable();
        let at = sorted.len().saturating_sub(1) * hundredths.min(100) / 100;
        sorted.get(at).copied().unwrap_or_default()
    }

    /// What the calls cost, as far as their servers tell how many tokens they took, in the currency of the prices.
    #[must_use]
    pub fn cost(&self, prices: &TokenPrices) -> f64 {
        let read = self.prompt_tokens.saturating_sub(self.cached_tokens);
        let millions = |tokens: u64| tokens as f64 / 1e6;
        millions(read) * prices.prompt
            + millions(self.cached_tokens.min(self.prompt_tokens)) * prices.cached
            + millions(self.reply_tokens) * prices.reply
    }

    /// Which share of the prompts' tokens came out of a cache, in hundredths; `None` where no server told.
    #[must_use]
    pub fn cached_share(&self) -> Option<u64> {
        let share = (u128::from(self.cached_tokens.min(self.prompt_tokens)) * 100)
            .checked_div(u128::from(self.prompt_tokens))?;
        Some(u64::try_from(share).unwrap_or(u64::MAX))
    }
}

/// Draws the engines.
pub(super) fn engines_ui(ui: &mut Ui, view: &InspectorView) {
    ScrollArea::vertical()
        .id_salt("engine")
        .auto_shrink(false)
        .show(ui, |ui| {
            for engine in &view.engines {
                engine_ui(ui, view, engine);
                ui.separator();
            }
            let numbers = CallNumbers::of(&view.runs);
            calls_ui(ui, &numbers);
            cost_ui(ui, view, &numbers);
            changes_ui(ui, view);
            ui.separator();
            counters_ui(ui, view);
        });
}

/// The present load of an engine, in addition to its health: its calls, the runs that wait for it, and the owners of its
/// slots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineLoad {
    /// How many calls are in flight.
    pub in_flight: usize,
    /// How many runs wait for their turn.
    pub waiting: usize,
    /// Who has each slot, such as `run 4, wizard`; `None` for a free one. Empty where the engine has no slots. At most 64.
    pub slots: Vec<Option<String>>,
}

impl EngineLoad {
    /// What an engine does now.
    #[must_use]
    pub fn of(view: &InspectorView, engine: &EngineView) -> Self {
        let served = || {
            let runs = view.runs.iter();
            runs.filter(|run| run.live && run.engine.is_some() && run.engine_name == engine.name)
        };
        let waits = |run: &&RunView| view.world.get::<WaitsForTurn>(run.entity).is_some();
        let slots = engine.capacity.filter(|capacity| capacity.slots);
        let slots = slots.and_then(|capacity| capacity.calls).unwrap_or(0);
        let holder = |slot: u32| {
            let run = served().find(|run| run.slot == Some(slot))?;
            Some(format!("run {}, {}", run.run.number(), run.run.npc()))
        };
        Self {
            in_flight: served().filter(|run| run.arriving.is_some()).count(),
            waiting: served().filter(waits).count(),
            slots: (0..slots.min(MOST_SLOTS)).map(holder).collect(),
        }
    }

    /// The calls and those who wait, in a sentence. `at_once` is how many calls the engine takes.
    #[must_use]
    pub fn in_words(&self, at_once: Option<u32>) -> String {
        let most = at_once.map_or(String::new(), |most| format!(" of at most {most}"));
        let (calls, runs) = (
            counted(self.in_flight, "call"),
            counted(self.waiting, "run"),
        );
        let waits = if self.waiting == 1 { "waits" } else { "wait" };
        format!("{calls} in flight{most}, {runs} {waits} for a turn")
    }
}

fn engine_ui(ui: &mut Ui, view: &InspectorView, engine: &EngineView) {
    let colour = match (&engine.status, engine.breaker) {
        (EngineStatus::Ready, BreakerState::Closed) => GOOD,
        (EngineStatus::Ready | EngineStatus::Starting(_), _) => NOTED,
        (EngineStatus::Down(_), _) => BAD,
    };
    let called = engine.called();
    ui.colored_label(colour, format!("{called}: {}", engine.in_words()));
    let load = EngineLoad::of(view, engine);
    let at_once = engine.capacity.and_then(|capacity| capacity.calls);
    ui.label(load.in_words(at_once));
    for (slot, holder) in load.slots.iter().enumerate() {
        match holder {
            Some(run) => ui.colored_label(LIVE, format!("slot {slot}: {run}")),
            None => ui.weak(format!("slot {slot}: free, keeps its last prompt")),
        };
    }
    let Some(identity) = engine.identity else {
        ui.colored_label(NOTED, "It was taken away: authored lines are spoken.");
        return;
    };
    let is_first = engine.name.is_none();
    CollapsingHeader::new(format!("The model: {}", identity.model))
        .id_salt(("model", engine.name))
        .default_open(is_first)
        .show(ui, |ui| identity_ui(ui, identity));
}

fn calls_ui(ui: &mut Ui, numbers: &CallNumbers) {
    if numbers.calls.is_empty() {
        ui.weak("No call was answered yet.");
    } else {
        ui.horizontal_wrapped(|ui| {
            ui.strong(format!("The last {}", counted(numbers.calls.len(), "call")));
            let (median, slow) = (numbers.percentile(50), numbers.percentile(95));
            ui.label(format!(
                "half of them within {median} ms, 95% within {slow} ms"
            ));
        });
        let bars = numbers.calls.iter().zip(0u32..).map(|(call, at)| {
            let colour: Color32 = if call.passed { GOOD } else { BAD };
            let name = format!("run {}", call.run);
            Bar::new(f64::from(at), call.millis as f64)
                .fill(colour)
                .name(name)
        });
        let chart = BarChart::new("milliseconds", bars.collect()).color(PALETTE[0]);
        Plot::new("latency")
            .height(130.0)
            // Calls of no time have a scale too.
            .include_y(0.0)
            .include_y(1.0)
            .show_axes([false, true])
            .y_axis_label("ms")
            .allow_drag(false)
            .allow_zoom(false)
            .allow_scroll(false)
            .show(ui, |plot| plot.bar_chart(chart));
        ui.horizontal_wrapped(|ui| {
            ui.colored_label(GOOD, "accepted");
            ui.colored_label(BAD, "not accepted");
        });
    }
    if numbers.unanswered > 0 {
        ui.colored_label(
            BAD,
            format!("without an answer: {}", counted(numbers.unanswered, "call")),
        );
    }
    match numbers.cached_share() {
        None => ui.weak("No server has told how many tokens its calls took."),
        Some(share) => ui.label(format!(
            "{} tokens of prompts, {share}% of them from the cache; {} tokens of replies",
            numbers.prompt_tokens, numbers.reply_tokens
        )),
    };
}

fn identity_ui(ui: &mut Ui, engine: &EngineIdentity) {
    let capabilities = engine.capabilities;
    let or_unknown = |text: &Option<String>| text.clone().unwrap_or_else(|| "unknown".to_owned());
    let rows = [
        ("Provider", engine.provider.clone()),
        ("Model", engine.model.clone()),
        ("Version", or_unknown(&engine.version)),
        ("Hash", or_unknown(&engine.hash)),
        ("Obeys a JSON schema", capabilities.json.to_string()),
        ("Streams", capabilities.streaming.to_string()),
        (
            "Longest prompt",
            format!("{} characters", capabilities.context_chars),
        ),
    ];
    table(ui, "engine", &rows);
}

fn cost_ui(ui: &mut Ui, view: &InspectorView, numbers: &CallNumbers) {
    let is_known = numbers.prompt_tokens > 0 || numbers.reply_tokens > 0;
    let prices = view.world.get_resource::<TokenPrices>();
    if prices.is_none() {
        ui.weak("A game that inserts TokenPrices sees here what they have cost.");
    }
    if let Some(prices) = prices.filter(|_| is_known) {
        let cost = numbers.cost(prices);
        ui.label(format!(
            "These calls have cost {cost:.4} {}, as far as their servers tell.",
            prices.currency
        ));
    }
}

fn changes_ui(ui: &mut Ui, view: &InspectorView) {
    let changes = view.world.get_resource::<ModelChanges>();
    for changed in changes.iter().flat_map(|changes| changes.0.iter().rev()) {
        ui.colored_label(NOTED, change_in_words(changed));
    }
}

fn counters_ui(ui: &mut Ui, view: &InspectorView) {
    let counters = view.counters;
    let rows = [
        ("Engine calls", counters.engine_calls),
        ("Attempts", counters.attempts),
        ("Accepted runs", counters.accepted),
        ("Fallback lines", counters.fallbacks),
        ("Cancelled runs", counters.cancelled),
        ("Refused requests", counters.refused),
        ("Approved intents", counters.intents_approved),
        ("Blocked writes to canon", counters.canon_writes_blocked),
        ("Blocked for authority", counters.authority_blocked),
    ];
    ui.label(RichText::new("Since the game began").strong());
    table(ui, "counters", &rows.map(|(name, n)| (name, n.to_string())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i3_a_change_of_the_model_is_told_and_no_more_than_sixteen_are_kept() {
        let identity = |model: &str, version: Option<&str>| EngineIdentity {
            provider: "somebody".to_owned(),
            model: model.to_owned(),
            version: version.map(str::to_owned),
            hash: None,
            capabilities: crate::engine::Capabilities::default(),
        };
        let changed = |number: usize| ModelChanged {
            engine: (number == 0).then(|| "narrator".to_owned()),
            before: identity("small", None),
            now: identity("large", Some(&number.to_string())),
        };
        let mut app = bevy::prelude::App::new();
        app.init_resource::<ModelChanges>()
            .add_observer(note_model_change);
        for number in 0..=MOST_CHANGES {
            app.world_mut().trigger(changed(number));
        }
        let kept = &app.world().resource::<ModelChanges>().0;
        assert_eq!(kept.len(), MOST_CHANGES);
        assert_eq!(kept.first(), Some(&changed(1)));
        assert_eq!(kept.last(), Some(&changed(MOST_CHANGES)));
        assert_eq!(
            change_in_words(&changed(0)),
            "narrator: small of somebody, then large of somebody, version 0"
        );
    }

    #[test]
    fn i3_percentiles_are_those_of_the_calls_that_were_answered() {
        let call = |millis| CallRow {
            run: 1,
            millis,
            passed: true,
        };
        let numbers = CallNumbers {
            calls: [30, 10, 20, 40, 50].map(call).to_vec(),
            ..CallNumbers::default()
        };
        assert_eq!(numbers.percentile(0), 10);
        assert_eq!(numbers.percentile(50), 30);
        assert_eq!(numbers.percentile(100), 50);
        assert_eq!(CallNumbers::default().percentile(50), 0);
        assert_eq!(numbers.cached_share(), None);
        let absurd = CallNumbers {
            prompt_tokens: u64::MAX,
            cached_tokens: u64::MAX,
            ..CallNumbers::default()
        };
        assert_eq!(absurd.cached_share(), Some(100));
    }
}
