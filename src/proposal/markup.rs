//! What models write that is no text: read in one place, for every stage and both deliveries.
//!
//! A model was trained in a chat template, with tokens for the turns and the roles, with its own marks around what it thinks, on
//! pages of HTML and Markdown. Some of that comes out in replies. [`Markup`] takes one character after the other, so the whole
//! reply and a reply in chunks are read by the same code, and where a chunk ends makes no difference.
//!
//! | what | how it is spelled | result | why |
//! |---|---|---|---|
//! | thoughts | `<think>`, `<thinking>`, `<thought>`, `<reasoning>` and every tag whose name holds one of these words (`<seed:think>`, `<mm:think>`, `<antthinking>`, `<思考>`); `[THINK]`; `◁think▷`; `【思考】`; `<unused94>`; `<\|begin_of_thought\|>`, `<\|START_THINKING\|>` and the like; the channels `analysis` and `commentary` of `<\|channel\|>`, `<\|channel>thought` | dropped, up to the mark that closes them or to the end of the reply | the player never hears a thought |
//! | the end of a thought without its beginning | `</think>` and every other closing mark of the row above | all before it is dropped | the template wrote the beginning |
//! | a wrapper around the answer | `<answer>`, `<response>`, `<output>`, `<final>`, `<dialogue>`, `<speech>`; `<\|START_RESPONSE\|>`, `<\|begin_of_solution\|>`; the channel `final` | what is before it is dropped, its end ends the reply | the model says itself where its answer is |
//! | the end of a turn | `<\|im_end\|>`, `<\|eot_id\|>`, `<\|endoftext\|>`, `</s>`, `<end_of_turn>`, `[/INST]` and every token of that shape that says `end` | ends the reply, once something was said | what follows is not the model's turn |
//! | a role | `<\|im_start\|>user`, `<\|user\|>`, `<\|start_header_id\|>user<\|end_header_id\|>`, `<start_of_turn>user`, `[INST]` | of another one: ends the reply, or, at its beginning, what follows is not read; of the model: vanishes; a name: becomes a label | only the speaker is heard |
//! | other tokens of a template | `<s>`, `<bos>`, `<pad>`, `<unk>`, `[gMASK]`, `<\|begin_of_text\|>`, `<0x0A>` | vanish, a line break stays one | they mean nothing |
//! | tool calls and unknown tokens | `<tool_call>`, `<function=..>`, `<\|..\|>` that no row above names | the reply is refused | they are no speech, and what they hold is unknown |
//! | HTML, and the `<heard>` of our own prompts | `<br>`, `<p>`, `<i>`, `<b>`, `<em>`, `<span ..>` and the like | a line break, or nothing | the words between them stay |
//! | escapes of another layer | `\n`, `\t`, `\"`, `&amp;`, `&#39;`, `&nbsp;` and the like | the character that they mean | they were written for a machine |
//!
//! Every other `<`, `[`, `&` and `\` is text. What follows is read in other files: fences and objects ([`locate`](super::locate)),
//! brackets, markers, stage directions and emphasis ([`scan`](super::scan)), labels, list marks and headings
//! ([`heads`](super::heads)), quotation marks around a whole line ([`quotation`](super::quotation)).

mod angle;
mod escapes;
mod roles;
mod signs;
mod square;

use self::angle::{angle, is_half_token};
use self::escapes::{entity, escape};
use self::roles::{Role, role_of};
pub(super) use self::roles::{is_other_role, is_own_role};
use self::signs::{Read, Sign, closes};
use self::square::{bracket, listed};

/// What a character has caused, apart from the text that was let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// All that was let through before is no part of the reply.
    Clear,
    /// The reply is over: the text after it is not read.
    End,
    /// This is a text for machines, which is never spoken.
    Machine,
    /// The text that was let through may be a thought; the end of the reply decides.
    Unsure,
}

/// In what kind of thought the text is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Inside {
    /// One that a mark with this name closes.
    Named(String),
    /// One that any of the template's tokens closes.
    Channel,
    /// The turn of another role, up to the next role.
    OtherRole,
}

/// The meaning of the characters after a token.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Header {
    /// A role, or a name.
    Role(String),
    /// The name of a channel.
    Channel(String),
}

/// Lets through what is text.
#[derive(Debug, Default)]
pub(super) struct Markup {
    /// What may be a mark, from its first character on.
    held: String,
    inside: Option<Inside>,
    header: Option<Header>,
    has_ended: bool,
    /// Whether something was let through that can be seen.
    is_visible: bool,
    /// The mark that closed a thought that did not begin.
    orphan: Option<String>,
}

/// The longest name of a role or a channel, in bytes.
const MAX_HEADER: usize = 48;

/// Whether nothing of the text can be a mark.
pub(super) fn is_free_of_marks(text: &str) -> bool {
    !text.contains(begins_mark)
}

fn begins_mark(c: char) -> bool {
    matches!(c, '<' | '[' | '&' | '\\' | '◁' | '◂' | '【' | '［' | '‹')
}

/// Reads the text that begins a mark.
fn read(held: &str) -> Read {
    let found = match held.chars().next() {
        Some('<' | '‹') => return angle(held),
        Some('[' | '［') => return bracket(held),
        Some('◁' | '◂' | '【') => return listed(held),
        Some('&') => entity(held),
        Some('\\') => escape(held),
        _ => return Read::Text,
    };
    match found {
        None => Read::Partial,
        Some(None) => Read::Text,
        Some(Some(c)) => Read::Sign(Sign::Char(c)),
    }
}

/// A text without what is no text; `None` where it is one for machines.
pub(super) fn without_marks(text: &str) -> Option<String> {
    if is_free_of_marks(text) {
        return Some(text.to_owned());
    }
    let mut markup = Markup::default();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match markup.take(c, &mut out) {
            Some(Turn::Clear) => out.clear(),
            Some(Turn::End) => return Some(out),
            Some(Turn::Machine) => return None,
            Some(Turn::Unsure) | None => {}
        }
    }
    markup.end(&mut out);
    Some(out)
}

/// Looks in a reply for a thought whose beginning is missing, because the template of the model wrote it.
#[derive(Debug, Default)]
pub(crate) struct ThoughtWatch {
    markup: Markup,
    text: String,
}

impl ThoughtWatch {
    /// Takes more of the reply. The mark with which a thought would have begun that ends here, and did not begin.
    pub(crate) fn take(&mut self, text: &str) -> Option<String> {
        for c in text.chars() {
            self.markup.take(c, &mut self.text);
            self.text.clear();
            if let Some(end) = self.markup.orphan.take() {
                return opening(&end);
            }
        }
        None
    }
}

/// Whether a reply begins with an object or a fence, so that it is no thought.
pub(crate) fn begins_in_form(text: &str) -> bool {
    text.trim_start().starts_with(['{', '`', '~'])
}

/// The mark that opens what this one closes.
fn opening(end: &str) -> Option<String> {
    match end {
        "<channel|>" => Some("<|channel>thought\n".to_owned()),
        "<unused95>" => Some("<unused94>".to_owned()),
        "[unused17]" => Some("[unused16]".to_owned()),
        "<|inner_suffix|>" => Some("<|inner_prefix|>".to_owned()),
        "【回答】" | "【答案】" => Some("【思考】".to_owned()),
        end if end.contains('/') => Some(end.replacen('/', "", 1)),
        end => {
            let begins = end.replacen("end", "begin", 1).replacen("END", "START", 1);
            (begins != end).then_some(begins)
        }
    }
}

impl Markup {
    /// Whether the next text is read: it is no thought, no name of a role, and the reply is not over.
    pub(super) fn is_read(&self) -> bool {
        self.inside.is_none() && self.header.is_none() && !self.has_ended
    }

    /// Something that can be seen was taken from elsewhere.
    pub(super) fn see(&mut self) {
        self.is_visible = true;
    }

    /// Takes the next character, and lets text through into `out`.
    pub(super) fn take(&mut self, c: char, out: &mut String) -> Option<Turn> {
        if self.has_ended {
            return None;
        }
        if self.held.is_empty() && !begins_mark(c) {
            return self.let_through(c, out);
        }
        self.held.push(c);
        loop {
            match read(&self.held) {
                Read::Partial => return None,
                Read::Sign(sign) => {
                    let spelled = std::mem::take(&mut self.held);
                    return self.sign(sign, &spelled, out);
                }
                Read::Text => {
                    // Up to the next character that may begin a mark it is text.
                    let held = std::mem::take(&mut self.held);
                    let mut chars = held.char_indices();
                    chars.next();
                    let next = chars
                        .find(|(_, c)| begins_mark(*c))
                        .map_or(held.len(), |(at, _)| at);
                    let (text, rest) = held.split_at(next);
                    let mut turn = None;
                    for c in text.chars() {
                        turn = turn.or(self.let_through(c, out));
                    }
                    if turn.is_some() || rest.is_empty() {
                        return turn;
                    }
                    rest.clone_into(&mut self.held);
                }
            }
        }
    }

    /// The reply is over: what was held is text, unless a server has cut a token there.
    pub(super) fn end(&mut self, out: &mut String) {
        let held = std::mem::take(&mut self.held);
        if !is_half_token(&held) {
            for c in held.chars() {
                self.let_through(c, out);
            }
        }
        if let Some(Header::Role(name)) = self.header.take() {
            self.role(&name, out);
        }
    }

    fn let_through(&mut self, c: char, out: &mut String) -> Option<Turn> {
        if let Some(header) = &mut self.header {
            let (Header::Role(name) | Header::Channel(name)) = header;
            if c != '\n' && name.len() < MAX_HEADER {
                name.push(c);
                return None;
            }
            let turn = self.header_ends(out);
            return match (turn, c) {
                (None, '\n') | (Some(_), _) => turn,
                (None, c) => self.let_through(c, out),
            };
        }
        if self.inside.is_none() {
            self.push(c, out);
        }
        None
    }

    fn push(&mut self, c: char, out: &mut String) {
        out.push(c);
        self.is_visible |= !super::white_space::is_blank(c);
    }

    fn header_ends(&mut self, out: &mut String) -> Option<Turn> {
        match self.header.take() {
            None => None,
            Some(Header::Role(name)) => self.role(&name, out),
            Some(Header::Channel(name)) => {
                let name = name.to_ascii_lowercase();
                let thinks = ["analysis", "comment", "thought", "think", "reason"];
                if thinks.iter().any(|word| name.contains(word)) {
                    self.inside = Some(Inside::Channel);
                    None
                } else {
                    self.clear()
                }
            }
        }
    }

    fn clear(&mut self) -> Option<Turn> {
        self.is_visible = false;
        Some(Turn::Clear)
    }

    fn close(&mut self) -> Option<Turn> {
        if !self.is_visible {
            return None;
        }
        self.has_ended = true;
        Some(Turn::End)
    }

    /// A role begins to speak.
    fn role(&mut self, name: &str, out: &mut String) -> Option<Turn> {
        let plain = name.trim_matches(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | ':'));
        let plain = plain.strip_prefix("text names=").unwrap_or(plain);
        let plain = plain
            .strip_prefix("writer character:")
            .unwrap_or(plain)
            .trim();
        match role_of(plain) {
            Some(Role::Own) => None,
            Some(Role::Other) if self.is_visible => self.close(),
            Some(Role::Other) => {
                self.inside = Some(Inside::OtherRole);
                None
            }
            None if plain.is_empty() => None,
            None => {
                let is_name = !name.contains(['.', '!', '?', ',', ';']);
                let text = if is_name {
                    format!("\n{plain}: ")
                } else {
                    name.to_owned()
                };
                text.chars().for_each(|c| self.push(c, out));
                None
            }
        }
    }

    fn sign(&mut self, sign: Sign, spelled: &str, out: &mut String) -> Option<Turn> {
        // A token ends the name of a role or a channel before it.
        let is_token = !matches!(sign, Sign::Char(_) | Sign::Gone);
        if is_token && self.header.is_some() {
            let turn = match (&self.header, &sign) {
                // `final <|constrain|>json<|message|>`
                (Some(Header::Channel(_)), Sign::Constrain) => return None,
                _ => self.header_ends(out),
            };
            if turn == Some(Turn::End) || sign == Sign::HeaderEnd {
                return turn;
            }
            let next = self.sign(sign, spelled, out);
            return next.or(turn);
        }
        match &self.inside {
            None => {}
            Some(Inside::Named(name)) => {
                if let Sign::ThoughtEnds(end) = &sign
                    && closes(name, end)
                {
                    self.inside = None;
                }
                return None;
            }
            Some(Inside::Channel) => match sign {
                Sign::Role | Sign::Channel | Sign::RoleIs(_) => self.inside = None,
                Sign::TurnEnds | Sign::ThoughtEnds(_) | Sign::AnswerEnds => {
                    self.inside = None;
                    return None;
                }
                Sign::Answer => self.inside = None,
                _ => return None,
            },
            Some(Inside::OtherRole) => match sign {
                Sign::Role | Sign::RoleIs(_) | Sign::Channel => self.inside = None,
                _ => return None,
            },
        }
        match sign {
            Sign::Thought(name) => {
                self.inside = Some(Inside::Named(name));
                None
            }
            Sign::MayBeThought => {
                spelled.chars().for_each(|c| self.push(c, out));
                Some(Turn::Unsure)
            }
            Sign::ContentThought => {
                self.inside = Some(Inside::Channel);
                None
            }
            Sign::ThoughtEnds(_) => {
                self.orphan = Some(spelled.to_owned());
                self.clear()
            }
            Sign::Answer => self.clear(),
            Sign::AnswerEnds | Sign::TurnEnds => self.close(),
            Sign::Role => {
                self.header = Some(Header::Role(String::new()));
                None
            }
            Sign::RoleIs(name) => self.role(&name, out),
            Sign::Channel => {
                self.header = Some(Header::Channel(String::new()));
                None
            }
            Sign::Machine => Some(Turn::Machine),
            Sign::Gone | Sign::HeaderEnd | Sign::Constrain => None,
            Sign::Char(c) => self.let_through(c, out),
        }
    }
}

#[cfg(test)]
mod tests;
