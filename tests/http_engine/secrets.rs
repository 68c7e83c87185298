//! The key appears in no output.

use crate::fault_server::*;
use crate::logged::{listen, logged};
use crate::{config, request, say};
use bevy_dramatis::engine::Engine;
use bevy_dramatis::engine::{EngineSetupError, HttpEngine};
use serde_json::json;

#[test]
fn r4_the_key_appears_nowhere() {
    const KEY: &str = "sk-Topsecret/0123456789+abcdef";
    listen();
    let echo = |seen: &Seen| seen.header("authorization").unwrap_or_default().to_owned();
    let servers = [
        FaultServer::start(move |s: &Seen| {
            error(401, "text/plain", format!("bad header: {}", echo(s)))
        }),
        FaultServer::start(move |s: &Seen| {
            error(
                401,
                "application/json",
                json!({"error": {"message": echo(s)}}).to_string(),
            )
        }),
        FaultServer::start(move |s: &Seen| {
            let key = echo(s).replace("Bearer ", "");
            // The cut at 4 KiB falls inside the key.
            error(
                500,
                "text/plain",
                format!("{}{key}", "\u{1F9D9}".repeat(1_020)),
            )
        }),
        FaultServer::start(move |s: &Seen| {
            let key = echo(s).replace("Bearer ", "");
            events(format!(
                "data: {}\n\n",
                json!({"error": {"message": format!("key {key}, {key}")}})
            ))
        }),
        FaultServer::start(move |s: &Seen| events(format!("data: [\"{}\n\n", echo(s)))),
        FaultServer::start(move |s: &Seen| {
            vec![Step::Send(head(200, &echo(s).replace("Bearer ", "x/")))]
        }),
        FaultServer::start(move |s: &Seen| redirect(&format!("/{}", echo(s)))),
        FaultServer::start(garbage),
        FaultServer::start(cut),
    ];
    let mut shown = String::new();
    let urls = servers
        .iter()
        .map(FaultServer::url)
        .chain([refused_url(), "http://nobody.invalid".into()]);
    for url in urls {
        let config = config(&url).with_api_key(format!(" {KEY}\n"));
        shown += &format!("{config:?}");
        let engine = HttpEngine::new(config).unwrap();
        let call = engine.start(request());
        shown += &format!("{engine:?} {:?} {call:?}", engine.identity());
        let error = say(call).1.unwrap_err();
        shown += &format!("{error} {error:?}\n");
    }
    let wrong = [
        HttpEngine::new(config("http://h").with_api_key(format!("{KEY}\n{KEY}"))),
        HttpEngine::new(config(&format!("http://{KEY}@h"))),
        HttpEngine::new(config(&format!("http://u:{}@h", KEY.replace('/', "_")))),
        HttpEngine::new(config(&format!("http://h/?key={KEY}"))),
    ];
    assert!(matches!(wrong[0], Err(EngineSetupError::ApiKey)));
    for result in wrong {
        let error = result.unwrap_err();
        shown += &format!("{error} {error:?}\n");
    }
    assert!(
        servers[0].seen()[0].head.contains(KEY),
        "the server received the key"
    );
    let shown = shown.to_lowercase();
    let logged = logged().to_lowercase();
    assert!(
        logged.contains("127.0.0.1"),
        "the test reads the log: {logged}"
    );
    for secret in ["topsecret", "0123456789", "abcdef"] {
        assert!(!shown.contains(secret), "{secret} in {shown}");
        assert!(!logged.contains(secret), "{secret} in {logged}");
    }
}
