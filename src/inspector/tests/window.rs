//! The window itself, as the plugin draws it.

use super::plans_panel::{status, waiting_plan};
use super::*;
use crate::plans::PlanStatus;
use bevy_egui::{EguiContext, EguiUserTextures, PrimaryEguiContext};

/// A game with the inspector and a user who looks and clicks. Nothing is drawn on a screen.
struct Screen {
    app: App,
    context: egui::Context,
    time: f64,
}

impl Screen {
    fn new(mut app: App) -> Self {
        let mut context = EguiContext::default();
        app.add_plugins(InspectorPlugin)
            .init_resource::<EguiUserTextures>();
        app.world_mut().resource_mut::<InspectorSettings>().open = true;
        let own = context.get_mut().clone();
        app.world_mut().spawn((context, PrimaryEguiContext));
        Self {
            app,
            context: own,
            time: 0.0,
        }
    }

    fn frame(&mut self, events: Vec<egui::Event>) -> Vec<(String, egui::Rect)> {
        self.time += 0.1;
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1_280.0, 720.0));
        self.context.begin_pass(egui::RawInput {
            screen_rect: Some(screen),
            time: Some(self.time),
            events,
            ..egui::RawInput::default()
        });
        self.app.world_mut().run_schedule(EguiPrimaryContextPass);
        let output = self.context.end_pass();
        let mut found = Vec::new();
        for clipped in &output.shapes {
            rows(&clipped.shape, &mut found);
        }
        found
    }

    fn rows(&mut self) -> Vec<(String, egui::Rect)> {
        // The first passes only measure.
        self.frame(Vec::new());
        self.frame(Vec::new());
        self.frame(Vec::new())
    }

    fn shows(&mut self, words: &str) -> bool {
        self.rows().iter().any(|(row, _)| row.contains(words))
    }

    fn click(&mut self, text: &str) {
        let rows = self.rows();
        let found = rows.iter().find(|(row, _)| row.trim() == text);
        let (_, rect) = found.unwrap_or_else(|| panic!("{text:?} among {rows:?}"));
        let pos = rect.center();
        self.frame(vec![egui::Event::PointerMoved(pos)]);
        for pressed in [true, false] {
            self.frame(vec![egui::Event::PointerButton {
                pos,
                button: egui::PointerButton::Primary,
                pressed,
                modifiers: egui::Modifiers::NONE,
            }]);
        }
    }
}

#[test]
fn i3_the_window_is_drawn_and_each_tab_opens_at_a_click() {
    let mut screen = Screen::new(after_a_run());
    assert!(screen.shows("Inspector"));
    for (tab, words) in EVERY_TAB {
        screen.click(tab.title());
        assert!(screen.shows(words), "{words} in {tab:?}");
    }
}

#[test]
fn i3_while_it_is_closed_nothing_is_drawn() {
    let mut screen = Screen::new(after_a_run());
    let close = |screen: &mut Screen, open| {
        let world = screen.app.world_mut();
        world.resource_mut::<InspectorSettings>().open = open;
    };
    assert!(!screen.rows().is_empty());
    close(&mut screen, false);
    assert!(screen.rows().is_empty());
    close(&mut screen, true);
    assert!(screen.shows("Inspector"));
}

#[test]
fn i3_a_plan_is_carried_out_when_yes_is_clicked_in_the_window() {
    let mut screen = Screen::new(waiting_plan());
    screen.app.world_mut().resource_mut::<Selection>().tab = Some(Tab::Plans);
    screen.click("Yes");
    for _ in 0..12 {
        screen.app.update();
    }
    assert_eq!(status(&screen.app), PlanStatus::Done);
    let selection = screen.app.world().resource::<Selection>();
    assert_eq!(selection.plan_answer, None, "it is sent once");
}

#[test]
fn i3_a_plan_is_dropped_when_no_is_clicked_in_the_window() {
    let mut screen = Screen::new(waiting_plan());
    screen.app.world_mut().resource_mut::<Selection>().tab = Some(Tab::Plans);
    screen.click("No");
    for _ in 0..12 {
        screen.app.update();
    }
    assert_eq!(status(&screen.app), PlanStatus::Denied);
}
