//! What models write that is no text: spellings of real replies and their siblings.

use super::*;

fn bare(text: &str) -> Option<String> {
    without_marks(text)
}

fn is(text: &str, left: &str) {
    let bare = bare(text);
    assert_eq!(
        bare.as_deref().map(str::trim_start),
        Some(left.trim_start()),
        "{text}"
    );
}

#[test]
fn p15_a_thought_in_any_spelling_is_dropped() {
    for (open, close) in [
        ("<think>", "</think>"),
        ("<Thinking>", "</THINKING>"),
        ("<thought>", "</thought>"),
        ("<seed:think>", "</seed:think>"),
        ("<mm:think>", "</mm:think>"),
        ("<think:opensource>", "</think:opensource>"),
        ("<think:6124c78e>", "</think:6124c78e>"),
        ("<longcat_think>", "</longcat_think>"),
        ("<ifm|think>", "</ifm|think_faster>"),
        ("<antthinking>", "</antthinking>"),
        ("<M2_7think>", "</M2_7think>"),
        ("<REASONING_SCRATCHPAD>", "</REASONING_SCRATCHPAD>"),
        ("<inner_monologue>", "</inner_monologue>"),
        ("<think role=\"analysis\">", "</think>"),
        ("<思考>", "</思考>"),
        ("<تفكير>", "</تفكير>"),
        ("[THINK]", "[/THINK]"),
        ("[THINKING]", "[/THINKING]"),
        ("◁think▷", "◁/think▷"),
        ("【思考】", "【回答】"),
        ("<unused94>thought\n", "<unused95>"),
        ("[unused16]", "[unused17]"),
        ("<|begin_of_thought|>", "<|end_of_thought|>"),
        ("<|START_THINKING|>", "<|END_THINKING|>"),
        ("<|inner_prefix|>", "<|inner_suffix|>"),
        ("<|channel>thought\n", "<channel|>"),
        (
            "<|channel|>analysis<|message|>",
            "<|end|><|start|>assistant<|channel|>final<|message|>",
        ),
        (
            "<|channel|>analysis<|message|>",
            "<|end|><|channel|>final<|message|>",
        ),
        (
            "<|channel|>commentary<|message|>",
            "<|start|>assistant<|channel|>final <|constrain|>json<|message|>",
        ),
        ("<|content_thinking|>", "<|content_text|>"),
    ] {
        is(
            &format!("{open}She is a fool. I rob her.{close}Come in."),
            "Come in.",
        );
        is(&format!("{open}She is a fool."), "");
    }
}

#[test]
fn p15_what_stands_before_the_end_of_a_thought_is_one() {
    for close in [
        "</think>",
        "</thinking>",
        "[/THINK]",
        "◁/think▷",
        "</think:6124c78e>",
        "<|end_of_thought|>",
        "[/thinking]",
    ] {
        is(&format!("She is a fool.{close}Come in."), "Come in.");
    }
    is("[thinking] She is a fool.[/thinking]Come in.", "Come in.");
    // The end of the turn comes first: what follows is not the model's.
    is(
        "Come in.<|endoftext|><|im_start|>user\nWho?</think>Paris.",
        "Come in.",
    );
}

#[test]
fn p15_the_end_of_a_turn_ends_the_reply() {
    for token in [
        "<|im_end|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|end|>",
        "<|endoftext|>",
        "<|end_of_text|>",
        "</s>",
        "<eos>",
        "<end_of_turn>",
        "<|END_OF_TURN_TOKEN|>",
        "<｜end▁of▁sentence｜>",
        "[|endofturn|]",
        "<|return|>",
        "<turn|>",
        "<im_end>",
        "[/INST]",
        "<eoa>",
        "<|EOT|>",
        "<|turn_end|>",
        "<|message_sep|>",
        "<end_of_utterance>",
        "<|user|>",
        "<|observation|>",
        "<｜User｜>",
        "[|user|]",
        "<|USER_TOKEN|>",
        "<|im_start|>user\n",
        "<start_of_turn>user\n",
        "<|start_header_id|>user<|end_header_id|>\n\n",
        "[INST] ",
        "<|im_user|>user<|im_middle|>",
        "<|turn>user\n",
        "<|start_of_role|>user<|end_of_role|>",
    ] {
        is(&format!("Come in.{token}Thank you kindly."), "Come in.");
    }
}

#[test]
fn p15_the_model_s_own_tokens_vanish() {
    for token in [
        "<|im_start|>assistant\n",
        "<|start_header_id|>assistant<|end_header_id|>\n",
        "<start_of_turn>model\n",
        "<|assistant|>",
        "<｜Assistant｜>",
        "[|assistant|]",
        "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
        "<s>",
        "<bos>",
        "[gMASK]<sop>",
        "<|begin_of_text|>",
        "<|im_end|>",
        "</s>",
        "<|channel|>final<|message|>",
        "<|START_RESPONSE|>",
        "<answer>",
        "<|begin_of_box|>",
        "<unused7>",
        "<|startoftext|>",
        "<role>ASSISTANT</role>",
    ] {
        is(&format!("{token}Come in."), "Come in.");
    }
    is("<|im_start|>Ann\nI swear.", "\nAnn: I swear.");
    is(
        "<|im_start|>user\nWho?<|im_end|>\n<|im_start|>assistant\nCome in.",
        "Come in.",
    );
}

#[test]
fn p15_a_wrapper_holds_the_answer() {
    for (open, close) in [
        ("<answer>", "</answer>"),
        ("<response>", "</response>"),
        ("<output>", "</output>"),
        ("<final>", "</final>"),
        ("<dialogue>", "</dialogue>"),
        ("<|begin_of_solution|>", "<|end_of_solution|>"),
        ("<|START_RESPONSE|>", "<|END_RESPONSE|>"),
    ] {
        is(
            &format!("Let me see. {open}Come in.{close} That was it."),
            "Come in.",
        );
    }
}

#[test]
fn p15_text_for_machines_is_refused() {
    for text in [
        "Come in.<tool_call>open</tool_call>",
        "<function=open>x",
        "[TOOL_CALLS] open",
        "<|tool_call|>x",
        "Hm <|python_tag|>open()",
        "<minimax:tool_call>",
        "<invoke name=\"open\">",
        "<arg_key>k</arg_key>",
        "<|thinking|>The king is dead.<|/thinking|> Aye.",
        "<musing>She is a fool.</musing> Come in.",
        "<|strange|>Come in.",
        "<｜DSML｜invoke>",
        "◂tool_call▸open",
    ] {
        assert_eq!(bare(text), None, "{text}");
    }
}

#[test]
fn p15_html_and_escapes_are_read() {
    is("<heard>Come in.</heard>", "Come in.");
    is("Mira: <heard>Come in.", "Mira: Come in.");
    is("<Heard>I come.</HEARD> Sit.", "I come. Sit.");
    is("Come in.<br>Sit <i>down</i>.<br/>", "Come in.\nSit down.\n");
    is("<p>Come in.</p>", "\nCome in.\n");
    is("Come in.\\nSit \\\"down\\\".", "Come in.\nSit \"down\".");
    is(
        "Tom &amp; Ann&#39;s &quot;inn&quot;&nbsp;&#x2014; fine",
        "Tom & Ann's \"inn\" — fine",
    );
    is("a\\u00e9b", "aéb");
    is("&lt;o&gt;", "<o>");
}

#[test]
fn p15_honest_signs_stay() {
    for text in [
        "The rune reads <o>, and 5 > 3.",
        "a < b, b > c",
        "¯\\_(ツ)_/¯ Who knows.",
        "I <3 you",
        "\\o/",
        "Fire & ice; salt &c.",
        "[nods] Hi.",
        "[INTENT: open door_1] Go.",
        "x <y and z",
        "R&D; AT&T",
        "a & b;",
        "<",
        "&",
        "\\",
        "[",
        "<<",
        "He said <what>?",
        "[s] and [out]",
        "C:\\Dir",
    ] {
        is(text, text);
    }
}

#[test]
fn p15_any_chunking_reads_the_same() {
    let text = "<think>a</think>Hi [x] &amp; <b>you</b>\\n<|im_end|>more";
    let mut markup = Markup::default();
    let mut out = String::new();
    for c in text.chars() {
        markup.take(c, &mut out);
    }
    markup.end(&mut out);
    assert_eq!(out, "Hi [x] & you\n");
}

#[test]
fn p15_marks_are_read_in_linear_time() {
    for unit in [
        "<",
        "<|",
        "[",
        "&",
        "\\",
        "<think",
        "<a ",
        "</",
        "[/",
        "<|im_start|>",
        "<unused",
        "\\u00",
        "&am",
    ] {
        let _ = bare(&unit.repeat(50_000));
    }
}
