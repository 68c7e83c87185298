//! The engines: which model serves, how each is doing, and what the last calls took.

use super::theme::{BAD, GOOD, NOTED, PALETTE};
use super::view::{InspectorView, RunView};
use super::widgets::table;
use crate::engine::{BreakerState, DefaultEngine, EngineStatus};
use crate::pipeline::WaitsForTurn;
use bevy_egui::egui::{Color32, RichText, ScrollArea, Ui};
use egui_plot::{Bar, BarChart, Plot};

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

    /// How long the call took that is longer than so many hundredths of all; 0 without calls. More than 100
    /// hundredths count as 100.
    #[must_use]
    pub fn percentile(&self, hundredths: usize) -> i64 {
        let mut sorted: Vec<i64> = self.calls.iter().map(|call| call.millis).collect();
        sorted.sort_unstable();
        let at = sorted.len().saturating_sub(1) * hundredths.min(100) / 100;
        sorted.get(at).copied().unwrap_or_default()
    }

    /// Which share of the prompts' tokens came out of a cache, in hundredths; `None` where no server told.
    #[must_use]
    pub fn cached_share(&self) -> Option<u64> {
        let share =
            (u128::from(self.cached_tokens) * 100).checked_div(u128::from(self.prompt_tokens))?;
        Some(u64::try_from(share).unwrap_or(u64::MAX))
    }
}

/// Draws the engines.
pub(super) fn engines_ui(ui: &mut Ui, view: &InspectorView) {
    ScrollArea::vertical()
        .id_salt("engine")
        .auto_shrink(false)
        .show(ui, |ui| {
            status_ui(ui, view);
            ui.separator();
            calls_ui(ui, &CallNumbers::of(&view.runs));
            ui.separator();
            identity_ui(ui, view);
            ui.separator();
            counters_ui(ui, view);
        });
}

fn status_ui(ui: &mut Ui, view: &InspectorView) {
    for engine in &view.engines {
        let name = engine.name.unwrap_or("The default engine");
        let colour = match (&engine.status, engine.breaker) {
            (EngineStatus::Ready, BreakerState::Closed) => GOOD,
            (EngineStatus::Ready | EngineStatus::Starting(_), _) => NOTED,
            (EngineStatus::Down(_), _) => BAD,
        };
        ui.colored_label(colour, format!("{name}: {}", engine.in_words()));
    }
    let in_flight = view
        .runs
        .iter()
        .filter(|run| run.arriving.is_some())
        .count();
    let is_waiting = |run: &&RunView| view.world.get::<WaitsForTurn>(run.entity).is_some();
    let waiting = view.runs.iter().filter(is_waiting).count();
    let capacity = view
        .world
        .get_resource::<DefaultEngine>()
        .map(|engine| engine.engine.capacity());
    let room = match capacity {
        Some(capacity) if capacity.slots => {
            let slots = capacity.calls.unwrap_or_default();
            format!(", {slots} slots that remember their last prompt")
        }
        Some(capacity) => capacity
            .calls
            .map_or(String::new(), |calls| format!(", at most {calls} at once")),
        None => String::new(),
    };
    ui.label(format!(
        "{in_flight} calls in flight, {waiting} runs wait for their turn{room}"
    ));
}

fn calls_ui(ui: &mut Ui, numbers: &CallNumbers) {
    if numbers.calls.is_empty() {
        ui.weak("No call was answered yet.");
    } else {
        ui.horizontal_wrapped(|ui| {
            ui.strong(format!("The last {} calls", numbers.calls.len()));
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
            format!("{} calls were not answered", numbers.unanswered),
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

fn identity_ui(ui: &mut Ui, view: &InspectorView) {
    let Some(engine) = view.engine else {
        ui.colored_label(
            NOTED,
            "There is no default engine: authored lines are spoken.",
        );
        return;
    };
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
    ui.label(RichText::new("The model").strong());
    table(ui, "engine", &rows);
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
