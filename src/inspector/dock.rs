//! The window: its panels as tabs, which the user can drag next to each other, below each other, or out of it.

use super::selection::Selection;
use super::tab::Tab;
use super::theme;
use super::view::InspectorView;
use super::{characters, engines, journal, memory, plans, prompt, rules, runs, stream, world};
use bevy::prelude::Resource;
use bevy_egui::egui::{Id, Ui, WidgetText};
use egui_dock::{DockArea, DockState, TabViewer};

/// The width of the window at first: a game of 1280 pixels keeps the other half.
pub const WIDTH: f32 = 610.0;

/// Where the tabs are. A game can set it to a layout of its own before the inspector is opened.
#[derive(Resource, Debug, Clone)]
pub struct InspectorLayout(pub DockState<Tab>);

impl Default for InspectorLayout {
    fn default() -> Self {
        Self(DockState::new(Tab::ALL.to_vec()))
    }
}

impl InspectorLayout {
    /// Brings a tab to the front. One that the layout does not have is added.
    pub fn show(&mut self, tab: Tab) {
        match self.0.find_tab(&tab) {
            // It was found just now.
            Some(path) => {
                let _ = self.0.set_active_tab(path);
            }
            None => self.0.push_to_first_leaf(tab),
        }
    }
}

/// Draws everything inside the window. It changes nothing but the selection, and where the tabs are: also what was answered to
/// a plan is only noted in the selection.
pub fn inspector_ui(
    ui: &mut Ui,
    view: &InspectorView,
    layout: &mut InspectorLayout,
    selection: &mut Selection,
) {
    theme::apply(ui);
    if let Some(tab) = selection.tab.take() {
        layout.show(tab);
    }
    let style = theme::dock(ui);
    DockArea::new(&mut layout.0)
        // A game may have a dock of its own.
        .id(Id::new("dramatis inspector"))
        .style(style)
        .show_close_buttons(false)
        .show_leaf_close_all_buttons(false)
        .show_leaf_collapse_buttons(false)
        .tab_context_menus(false)
        .show_inside(ui, &mut Panels { view, selection });
}

struct Panels<'a, 'w> {
    view: &'a InspectorView<'w>,
    selection: &'a mut Selection,
}

impl TabViewer for Panels<'_, '_> {
    type Tab = Tab;

    fn title(&mut self, tab: &mut Tab) -> WidgetText {
        tab.title().into()
    }

    fn ui(&mut self, ui: &mut Ui, tab: &mut Tab) {
        theme::apply(ui);
        let Self { view, selection } = self;
        match tab {
            Tab::Runs => runs::runs_ui(ui, view, selection),
            Tab::Prompt => prompt::prompt_ui(ui, view, selection),
            Tab::Characters => characters::characters_ui(ui, view, selection),
            Tab::Memory => memory::minds_ui(ui, view, selection),
            Tab::World => world::world_ui(ui, view, selection),
            Tab::Stream => stream::stream_ui(ui, view, selection),
            Tab::Plans => {
                if let Some(plans) = view.plans {
                    selection.plan_answer = plans::plans_ui(ui, plans).or(selection.plan_answer);
                }
            }
            Tab::Rules => rules::rules_ui(ui, view, selection),
            Tab::Engine => engines::engines_ui(ui, view),
            Tab::Journal => journal::journal_ui(ui, view, selection),
        }
    }

    // Each panel scrolls what is long in it.
    fn scroll_bars(&self, _: &Tab) -> [bool; 2] {
        [false, false]
    }
}
