//! Every way in which a server can fail.

use crate::drive::until;
use crate::fault_server::*;
use crate::{ask, config, engine, failure, request, say};
use bevy_dramatis::engine::{Engine, EngineError, EngineErrorKind, EngineRequest};
use bevy_dramatis::engine::{EngineSetupError, HttpEngine};
use bevy_dramatis::proposal::Finish;
use std::time::Duration;

#[test]
fn r3_a_refused_connection_is_unreachable() {
    let (text, end) = say(engine(&refused_url()).start(request()));
    assert_eq!(text, "");
    let error = end.unwrap_err();
    assert!(
        matches!(&error, EngineError::Unreachable(why) if why.contains("127.0.0.1")),
        "{error}"
    );
    assert_eq!(error.kind(), EngineErrorKind::Transport);
}

#[test]
fn r3_a_host_without_an_address_is_unreachable() {
    let end = say(engine("http://nobody.invalid").start(request())).1;
    assert!(matches!(end, Err(EngineError::Unreachable(_))), "{end:?}");
}

#[test]
fn r3_a_server_without_tls_is_unreachable_by_https() {
    let server = FaultServer::start(hang);
    let engine = match HttpEngine::new(config(&server.url().replace("http:", "https:"))) {
        Ok(engine) => engine,
        // A system without certificates reports it at once, and only for https.
        Err(error) => {
            assert!(matches!(error, EngineSetupError::Client(_)), "{error}");
            return;
        }
    };
    let time_left = Duration::from_millis(500);
    let end = say(engine.start(EngineRequest {
        time_left,
        ..request()
    }))
    .1;
    let error = end.unwrap_err();
    assert!(
        matches!(
            error,
            EngineError::Unreachable(_) | EngineError::Expired { .. }
        ),
        "{error}"
    );
    assert!(server.seen().is_empty(), "nothing goes unencrypted");
}

#[test]
fn r3_a_silent_server_is_a_timeout_of_the_read() {
    let server = FaultServer::start(hang);
    let config = config(&server.url()).with_read_timeout(Duration::from_millis(200));
    let end = say(HttpEngine::new(config).unwrap().start(request())).1;
    let error = EngineError::Timeout("the server was silent for 200 ms".to_owned());
    assert_eq!(end, Err(error));
}

#[test]
fn r3_silence_in_the_middle_is_a_timeout_of_the_read() {
    let server = FaultServer::start(hang_in_the_middle);
    let config = config(&server.url()).with_read_timeout(Duration::from_millis(200));
    let (text, end) = say(HttpEngine::new(config).unwrap().start(request()));
    assert_eq!(text, "Well met, ");
    assert_eq!(end.unwrap_err().kind(), EngineErrorKind::Timeout);
}

#[test]
fn r3_the_deadline_ends_a_call_wherever_it_is() {
    let scripts: [fn(&Seen) -> Vec<Step>; 4] = [
        hang,
        hang_in_the_middle,
        |_| endless(":\n\n"),
        |_| vec![Step::Send(head(500, "text/html")), Step::Hang],
    ];
    for script in scripts {
        let server = FaultServer::start(script);
        let time_left = Duration::from_millis(300);
        let end = say(engine(&server.url()).start(EngineRequest {
            time_left,
            ..request()
        }))
        .1;
        assert!(matches!(end, Err(EngineError::Expired { .. })), "{end:?}");
        until("the client leaves", || server.left() == 1);
    }
}

#[test]
fn r3_a_stream_cut_in_the_middle_is_interrupted() {
    let (text, end) = ask(cut);
    assert_eq!(text, "Well met, ");
    assert!(matches!(end, Err(EngineError::Interrupted(_))), "{end:?}");
}

#[test]
fn r3_a_stream_that_ends_early_is_interrupted() {
    for text in [String::new(), delta("Well") + "data: {\"choices\":[{\"del"] {
        let error = failure(move |_: &Seen| events(text.clone()));
        assert!(matches!(error, EngineError::Interrupted(_)), "{error}");
    }
    assert!(matches!(
        failure(|_: &Seen| Vec::new()),
        EngineError::Interrupted(_)
    ));
}

#[test]
fn r3_garbage_is_not_the_protocol() {
    let error = failure(garbage);
    assert!(matches!(error, EngineError::Protocol(_)), "{error}");
    let error = failure(|_: &Seen| events("data: garbage\n\n"));
    assert!(matches!(error, EngineError::Protocol(_)), "{error}");
    let error = failure(|_: &Seen| whole("garbage"));
    assert!(matches!(error, EngineError::Protocol(_)), "{error}");
}

#[test]
fn r3_a_web_page_is_not_the_protocol() {
    let error = failure(html);
    assert_eq!(
        error,
        EngineError::Protocol("the answer is text/html, not text/event-stream".to_owned())
    );
}

#[test]
fn r3_an_error_status_keeps_what_the_server_said() {
    for status in [400, 401, 403, 404, 429, 500, 502, 503] {
        let body =
            format!(r#"{{"error":{{"code":{status},"message":"because {status}","type":"x"}}}}"#);
        let error = failure(move |_: &Seen| error(status, "application/json", body.clone()));
        let mut message = format!("because {status}");
        if status == 404 {
            message += " (the address is /v1/chat/completions: is the base URL right?)";
        }
        assert_eq!(error, EngineError::Status { status, message });
        assert_eq!(error.kind(), EngineErrorKind::Transport);
    }
    let empty = failure(|_: &Seen| error(503, "text/plain", ""));
    assert_eq!(
        empty,
        EngineError::Status {
            status: 503,
            message: "Service Unavailable".to_owned()
        }
    );
}

#[test]
fn r1_a_long_error_body_is_cut() {
    let scripts: [fn(&Seen) -> Vec<Step>; 2] = [
        |_| error(500, "text/html", "é".repeat(50_000)),
        |_| {
            vec![
                Step::Send(head(500, "text/html")),
                Step::Endless("é".repeat(5_000).into_bytes()),
            ]
        },
    ];
    for script in scripts {
        match failure(script) {
            EngineError::Status {
                status: 500,
                message,
            } => assert_eq!(message, "é".repeat(500)),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn r3_an_error_in_mid_stream_is_a_status() {
    let scripts: [fn(&Seen) -> Vec<Step>; 2] = [
        |_| {
            events(
                delta("Well")
                    + "data: {\"error\":{\"code\":500,\"message\":\"out of memory\"}}\n\n",
            )
        },
        |_| events(delta("Well") + "event: error\ndata: {\"message\":\"out of memory\"}\n\n"),
    ];
    for script in scripts {
        let error = EngineError::Status {
            status: 200,
            message: "out of memory".to_owned(),
        };
        assert_eq!(ask(script), ("Well".to_owned(), Err(error)));
    }
}

#[test]
fn r3_a_redirect_is_not_followed() {
    let target = FaultServer::start(good);
    let location = format!("{}/v1/chat/completions", target.url());
    let error = failure(move |_: &Seen| redirect(&location));
    assert!(
        matches!(error, EngineError::Status { status: 307, .. }),
        "{error}"
    );
    assert!(
        target.seen().is_empty(),
        "the engine must not send the key to another server"
    );
}

#[test]
fn r1_an_endless_reply_ends_at_the_cap() {
    let server = FaultServer::start(|_: &Seen| endless(&delta("and on ")));
    let (text, end) = say(engine(&server.url()).start(request()));
    assert_eq!(end, Err(EngineError::Oversized { limit: 10_000 }));
    assert!(text.len() <= 10_000);
    until("the client leaves", || server.left() == 1);
}

#[test]
fn r1_a_giant_line_ends_at_the_cap() {
    let scripts: [fn(&Seen) -> Vec<Step>; 3] = [
        |_| endless("data: x"),
        |_| {
            vec![
                Step::Send(sse_head()),
                Step::Send(b"data: ".to_vec()),
                Step::Endless(vec![b' '; 4_096]),
            ]
        },
        |_| {
            vec![
                Step::Send(head(200, "application/json")),
                Step::Endless(vec![b' '; 4_096]),
            ]
        },
    ];
    for script in scripts {
        let error = failure(script);
        assert_eq!(
            error,
            EngineError::Oversized {
                limit: 6 * 10_000 + 64 * 1024
            }
        );
    }
}

#[test]
fn r1_a_reply_that_is_not_utf8_is_refused() {
    let answer = |_: &Seen| {
        let mut bytes = sse_head();
        bytes.extend(b"data: {\"choices\":[{\"delta\":{\"content\":\"\xc3\x28\"}}]}\n\n");
        vec![Step::Send(bytes)]
    };
    assert_eq!(failure(answer), EngineError::NotUtf8);
    let whole = |_: &Seen| {
        vec![
            Step::Send(head(200, "application/json")),
            Step::Send(vec![0xff]),
        ]
    };
    assert_eq!(failure(whole), EngineError::NotUtf8);
}

#[test]
fn r3_the_end_marker_may_be_missing_when_the_reply_is_whole() {
    assert_eq!(
        ask(|_: &Seen| events(delta("Aye.") + &finish("stop"))).1,
        Ok(Finish::Stop)
    );
    // A message that says that the stream is over also says that the reply is whole.
    assert_eq!(
        ask(|_: &Seen| events(delta("Aye. And so") + "data: [DONE]\n\n")).1,
        Ok(Finish::Stop)
    );
}

#[test]
fn r3_a_server_that_never_closes_after_its_last_word_does_not_hold_the_call() {
    for rest in [Step::Hang, Step::Endless(b":\n\n".to_vec())] {
        let server = FaultServer::start(move |_: &Seen| {
            let mut steps = events(delta("Aye.") + &finish("stop"));
            steps.push(rest.clone());
            steps
        });
        let answer = say(engine(&server.url()).start(request()));
        assert_eq!(answer, ("Aye.".to_owned(), Ok(Finish::Stop)));
        until("the client leaves", || server.left() == 1);
    }
}

#[test]
fn r3_what_comes_after_the_last_word_cannot_spoil_it() {
    for rest in [
        "data: {",
        "data: garbage\n\n",
        "data: {\"error\":\"late\"}\n\n",
    ] {
        let text = delta("Aye.") + &finish("stop") + rest;
        let answer = ask(move |_: &Seen| events(text.clone()));
        assert_eq!(answer, ("Aye.".to_owned(), Ok(Finish::Stop)), "{rest}");
    }
}
