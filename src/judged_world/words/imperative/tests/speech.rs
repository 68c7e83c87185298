//! Actions with free text.

use super::rows;

#[test]
fn w9_speech_keeps_its_words() {
    rows(&[
        (
            "say \"hello there\" to Eldrin",
            "speak content=hello there to=Eldrin",
        ),
        (
            "say to Eldrin: \"hello there\"",
            "speak content=hello there to=Eldrin",
        ),
        ("say hello", "speak content=hello"),
        ("say hello.", "speak content=hello"),
        ("say hello to Eldrin", "speak content=hello to=Eldrin"),
        ("say hello to the guard", "speak content=hello to=the guard"),
        ("say I want to go home", "speak content=I want to go home"),
        (
            "say I went to bed, to sleep",
            "speak content=I went to bed, to sleep",
        ),
        (
            "say to Eldrin that I am Ann",
            "speak content=I am Ann to=Eldrin",
        ),
        (
            "tell Eldrin \"I am Ann\"",
            "speak content=I am Ann to=Eldrin",
        ),
        (
            "tell \"I am Ann\" to Eldrin",
            "speak content=I am Ann to=Eldrin",
        ),
        (
            "tell Eldrin that I am Ann",
            "speak content=I am Ann to=Eldrin",
        ),
        ("tell Eldrin I'm Ann", "speak content=I'm Ann to=Eldrin"),
        (
            "tell the old guard about the key",
            "speak content=about the key to=the old guard",
        ),
        (
            "ask him where the key is",
            "speak content=where the key is to=him",
        ),
        (
            "ask Eldrin: where is the key?",
            "speak content=where is the key? to=Eldrin",
        ),
        ("say how are you?", "speak content=how are you?"),
        (
            "tell Eldrin to take the key and open the door",
            "speak content=to take the key and open the door to=Eldrin",
        ),
        (
            "shout \"fire and flood, then run\"",
            "speak content=fire and flood, then run",
        ),
        (
            "shout “fire. Open the door”, then run home",
            "speak content=fire. Open the door; move target=home",
        ),
        ("\"Hello\"", "speak content=Hello"),
        ("“Hello”", "speak content=Hello"),
        (
            "\"Open the door!\" to Eldrin",
            "speak content=Open the door! to=Eldrin",
        ),
        (
            "\"Hello,\" I say to Eldrin, \"open the door.\"",
            "speak content=Hello, open the door. to=Eldrin",
        ),
        (
            "\"Hello,\" I tell Eldrin.",
            "speak content=Hello, to=Eldrin",
        ),
        (
            "\"Hello.\" Open the door.",
            "speak content=Hello.; open target=the door",
        ),
        (
            "\"open the door and run",
            "speak content=open the door and run",
        ),
        ("\"open the door\" he cries", "\"open the door\" he cries"),
        (
            "say hello and open the door",
            "speak content=hello and open the door",
        ),
        (
            "say hello to Eldrin and open the door",
            "speak content=hello to=Eldrin; open target=the door",
        ),
        (
            "say hello, then open the door",
            "speak content=hello; open target=the door",
        ),
        (
            "say hello\nopen the door",
            "speak content=hello; open target=the door",
        ),
        (
            "say \"hello\" and open the door",
            "speak content=hello; open target=the door",
        ),
        (
            "say if he comes I will run",
            "speak content=if he comes I will run",
        ),
    ]);
}

#[test]
fn w9_introducing_and_describing() {
    rows(&[
        ("introduce Bob", "introduce target=Bob"),
        ("introduce Bob to Eldrin", "introduce target=Bob"),
        (
            "introduce a merchant named Tom",
            "introduce kind=merchant name=Tom",
        ),
        (
            "introduce a merchant called Tom",
            "introduce kind=merchant name=Tom",
        ),
        ("introduce a stranger", "introduce target=a stranger"),
        (
            "describe the door as old and grey",
            "describe content=old and grey target=the door",
        ),
        (
            "describe the door: old and grey",
            "describe content=old and grey target=the door",
        ),
        (
            "describe the door as \"old. Open it\"",
            "describe content=old. Open it target=the door",
        ),
        (
            "describe the door as old, then open it",
            "describe content=old target=the door; open target=it",
        ),
        ("describe the door", "describe target=the door"),
    ]);
}
