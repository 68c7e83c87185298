//! Colours and spacing, the same in all panels.

use bevy_egui::egui::{Color32, CornerRadius, Frame, Margin, Stroke, Style, Ui, vec2};

/// The colour of what passed, and of what can be done: green.
pub const GOOD: Color32 = Color32::from_rgb(126, 201, 132);
/// The colour of what failed, and of a Hard finding: red.
pub const BAD: Color32 = Color32::from_rgb(240, 116, 104);
/// The colour of what was only noted, such as a Soft finding or a fallback: yellow.
pub const NOTED: Color32 = Color32::from_rgb(232, 192, 96);
/// The colour of a Critical finding: pink.
pub const CRITICAL: Color32 = Color32::from_rgb(255, 100, 180);
/// The colour of what goes on: blue.
pub const LIVE: Color32 = Color32::from_rgb(130, 185, 245);
/// The colour of what counts no more.
pub const GONE: Color32 = Color32::from_rgb(125, 128, 140);

/// Colours for things that are next to each other, such as the sections of a prompt.
pub const PALETTE: [Color32; 8] = [
    Color32::from_rgb(98, 134, 196),
    Color32::from_rgb(186, 128, 92),
    Color32::from_rgb(104, 160, 120),
    Color32::from_rgb(166, 110, 160),
    Color32::from_rgb(190, 168, 90),
    Color32::from_rgb(92, 160, 172),
    Color32::from_rgb(190, 108, 116),
    Color32::from_rgb(136, 136, 150),
];

const PANEL: Color32 = Color32::from_rgb(24, 26, 34);
const LINE: Color32 = Color32::from_rgb(54, 58, 72);

/// Sets what is drawn after it.
pub(super) fn apply(ui: &mut Ui) {
    let style = ui.style_mut();
    style.spacing.item_spacing = vec2(7.0, 4.0);
    let visuals = &mut style.visuals;
    visuals.dark_mode = true;
    // Egui's own grey is hard to read over a dark scene.
    visuals.widgets.noninteractive.fg_stroke.color = Color32::from_gray(200);
    visuals.weak_text_color = Some(Color32::from_rgb(150, 154, 168));
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, LINE);
    visuals.panel_fill = PANEL;
    visuals.faint_bg_color = Color32::from_rgb(31, 34, 44);
    visuals.extreme_bg_color = Color32::from_rgb(15, 17, 23);
    visuals.selection.bg_fill = Color32::from_rgb(58, 84, 130);
    visuals.hyperlink_color = Color32::from_rgb(140, 190, 250);
}

/// The window around them.
pub(super) fn window(style: &Style) -> Frame {
    let fill = Color32::from_rgba_unmultiplied(17, 19, 25, 245);
    Frame::window(style)
        .fill(fill)
        .inner_margin(Margin::same(4))
}

/// The same for tabs.
pub(super) fn dock(ui: &Ui) -> egui_dock::Style {
    let mut style = egui_dock::Style::from_egui(ui.style());
    style.main_surface_border_stroke = Stroke::NONE;
    style.tab_bar.bg_fill = Color32::from_rgb(17, 19, 25);
    style.tab_bar.hline_color = LINE;
    style.tab_bar.corner_radius = CornerRadius::ZERO;
    style.tab_bar.height = 26.0;
    style.tab.tab_body.bg_fill = PANEL;
    style.tab.tab_body.stroke = Stroke::NONE;
    style.tab.tab_body.inner_margin = Margin::same(8);
    style.tab.active.bg_fill = PANEL;
    style.tab.active.text_color = Color32::WHITE;
    style.tab.focused.bg_fill = PANEL;
    style.tab.focused.text_color = Color32::WHITE;
    style.tab.inactive.bg_fill = Color32::from_rgb(17, 19, 25);
    style.tab.inactive.text_color = Color32::from_rgb(150, 154, 168);
    style
}
