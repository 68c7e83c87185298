//! The inspector, drawn and clicked without a window.

use super::super::*;

/// The inspector in its own window, with a user who looks and clicks.
pub(super) struct Watched {
    pub(super) context: egui::Context,
    pub(super) size: egui::Vec2,
    pub(super) layout: InspectorLayout,
    pub(super) selection: Selection,
    pub(super) time: f64,
}

impl Watched {
    pub(super) fn new(selection: Selection) -> Self {
        Self::with_size(selection, egui::vec2(1_000.0, 9_000.0))
    }

    pub(super) fn with_size(selection: Selection, size: egui::Vec2) -> Self {
        Self {
            context: egui::Context::default(),
            size,
            layout: InspectorLayout::default(),
            selection,
            time: 0.0,
        }
    }

    pub(super) fn frame(
        &mut self,
        app: &mut App,
        events: Vec<egui::Event>,
    ) -> Vec<(String, egui::Rect)> {
        self.time += 0.1;
        let input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, self.size)),
            time: Some(self.time),
            events,
            ..egui::RawInput::default()
        };
        let view = InspectorView::of(app.world_mut());
        let (layout, selection) = (&mut self.layout, &mut self.selection);
        let output = self
            .context
            .run_ui(input, |ui| inspector_ui(ui, &view, layout, selection));
        let mut found = Vec::new();
        for clipped in &output.shapes {
            rows(&clipped.shape, &mut found);
        }
        found
    }

    /// Each row of text with its place.
    pub(super) fn rows(&mut self, app: &mut App) -> Vec<(String, egui::Rect)> {
        // The first passes only measure.
        self.frame(app, Vec::new());
        self.frame(app, Vec::new());
        self.frame(app, Vec::new())
    }

    /// All words.
    pub(super) fn words(&mut self, app: &mut App) -> String {
        let rows = self.rows(app).into_iter();
        rows.map(|(text, _)| text + "\n").collect()
    }

    pub(super) fn assert_shows(&mut self, app: &mut App, expected: &[&str]) {
        // Long texts go on in the next row.
        let words = self.words(app).replace('\n', " ");
        for expected in expected {
            assert!(words.contains(expected), "{expected:?} in\n{words}");
        }
    }

    /// Clicks on a button, and waits until `busy` is shown no longer. All words then, in one line.
    pub(super) fn click_and_wait(&mut self, app: &mut App, button: &str, busy: &str) -> String {
        self.click(app, button);
        for _ in 0..2_000 {
            let words = self.words(app).replace('\n', " ");
            if !words.contains(busy) {
                return words;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("still: {busy}");
    }

    /// Clicks on the first text that is exactly this.
    pub(super) fn click(&mut self, app: &mut App, text: &str) {
        let rows = self.rows(app);
        let found = rows.iter().find(|(row, _)| row.trim() == text);
        let (_, rect) = found.unwrap_or_else(|| panic!("{text:?} among {rows:?}"));
        let pos = rect.center();
        let button = |pressed| egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        self.frame(app, vec![egui::Event::PointerMoved(pos)]);
        self.frame(app, vec![button(true)]);
        self.frame(app, vec![button(false)]);
        self.frame(app, vec![egui::Event::PointerGone]);
    }
}

/// The place of each row of text that egui would paint in a narrow window.
pub(super) fn rows(shape: &egui::Shape, found: &mut Vec<(String, egui::Rect)>) {
    match shape {
        egui::Shape::Text(text) => {
            let rows = text.galley.rows.iter();
            found.extend(rows.filter(|row| !row.glyphs.is_empty()).map(|row| {
                let rect = row.rect_without_leading_space();
                (row.text(), rect.translate(text.pos.to_vec2()))
            }));
        }
        egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| rows(shape, found)),
        _ => {}
    }
}
