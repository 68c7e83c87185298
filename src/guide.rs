//! The guide and all other pages. CI does what the guide says, in a new project, and compares.
//!
//! One program that grows: [your first character](first_npc), [a world and a player](talk_to_actions),
//! [rules and actions of your own](rules), [two characters](two_characters), [saving],
//! [testing](testing_characters), [a window with a chat](chat_window).
//!
//! Every kind of file and every field: [files].

#![allow(clippy::doc_markdown, reason = "pages name products and places")]

/// A page. Its links lead to other pages here, and to other files in the repository.
macro_rules! page {
    ($name:ident, $file:literal) => {
        #[doc = include_str!("guide/links.md")]
        #[doc = include_str!($file)]
        pub mod $name {}
    };
}

page!(first_npc, "../docs/guide/first_npc.md");
page!(talk_to_actions, "../docs/guide/talk_to_actions.md");
page!(rules, "../docs/guide/rules.md");
page!(two_characters, "../docs/guide/two_characters.md");
page!(saving, "../docs/guide/saving.md");
page!(testing_characters, "../docs/guide/testing_characters.md");
page!(chat_window, "../docs/guide/chat_window.md");
page!(templates, "../docs/guide/templates.md");
page!(production, "../docs/guide/production.md");
page!(not_for, "../docs/guide/not_for.md");
page!(files, "../docs/files.md");
page!(talking, "../docs/talking.md");
page!(memory, "../docs/memory.md");
page!(town, "../docs/town.md");
page!(servers, "../docs/servers.md");
page!(models, "../docs/models.md");
page!(web, "../docs/web.md");
page!(editors, "../docs/editors.md");
page!(cards, "../docs/cards.md");
#[cfg(feature = "yarn")]
page!(yarn, "../docs/yarn.md");
#[cfg(feature = "remote")]
page!(remote, "../docs/remote.md");
page!(journal, "../docs/journal.md");
page!(adventures, "../docs/adventures.md");
page!(plans, "../docs/plans.md");
page!(localisation, "../docs/localisation.md");
page!(promises, "../docs/promises.md");
page!(replies, "../docs/replies.md");
page!(faq, "../docs/faq.md");
page!(comparison, "../docs/comparison.md");
page!(licences, "../docs/licences.md");
page!(troubleshooting, "../docs/troubleshooting.md");
page!(glossary, "../docs/glossary.md");
