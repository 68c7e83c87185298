//! What a player reads when something is wrong: one sentence each.

use super::*;
use bevy_dramatis::authoring::{Character, NoFiles};
use bevy_dramatis::engine::{HttpConfig, HttpEngine};
use bevy_dramatis::world::WorldIndex;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// More frames than any of this needs, of a few milliseconds each.
const FRAMES: usize = 4_000;

/// No server lives longer.
const LIFE: Duration = Duration::from_secs(60);

/// An address at which no server answers: it was free a moment ago.
fn refused_url() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// Starts a server on this machine that answers every request with a status and a body, and gives its address.
fn server(answer: impl Fn() -> (u16, &'static str) + Send + 'static) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    listener.set_nonblocking(true).unwrap();
    std::thread::spawn(move || {
        let began = Instant::now();
        while began.elapsed() < LIFE {
            match listener.accept() {
                // A client that leaves is its own affair.
                Ok((client, _)) => drop(serve(client, &answer)),
                Err(_) => std::thread::sleep(Duration::from_millis(2)),
            }
        }
    });
    url
}

fn serve(client: TcpStream, answer: &impl Fn() -> (u16, &'static str)) -> std::io::Result<()> {
    client.set_nonblocking(false)?;
    client.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut reader = BufReader::new(client);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim_end().to_lowercase();
        if let Some(bytes) = line.strip_prefix("content-length: ") {
            length = bytes.parse().unwrap_or_default();
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length.min(1 << 20)];
    reader.read_exact(&mut body)?;
    let (status, body) = answer();
    let length = body.len();
    write!(
        reader.into_inner(),
        "HTTP/1.1 {status} Any\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

/// A game in which the server at this address speaks for the wizard.
fn game(url: &str, folder: &str) -> App {
    let config = HttpConfig::new(url, "tiny").with_api_key("a-key-that-is-wrong");
    let engine = HttpEngine::new(config.with_props(false)).unwrap();
    let mut app = App::new();
    let files = AssetPlugin {
        file_path: folder.to_owned(),
        ..default()
    };
    app.add_plugins((MinimalPlugins, files, DramatisPlugins::new(engine)))
        .init_resource::<Talk>()
        .insert_resource(Server::at(url))
        .add_plugins(plugin);
    let source = r#"(id: "wizard", fallbacks: (generic: ["Hm."]))"#;
    let wizard = Character::parse(source.as_bytes(), "wizard.npc.ron", &NoFiles).unwrap();
    app.world_mut().spawn(LoadedCharacter(Arc::new(wizard)));
    app.update();
    app
}

fn ask(app: &mut App) {
    let request = Request::speech(PLAYER, PLAYER, "Who are you?");
    let wizard = app.world().resource::<WorldIndex>().get("wizard").unwrap();
    app.world_mut().commands().entity(wizard).interact(request);
}

/// Plays until the log has this number of lines, and returns them.
fn log(app: &mut App, lines: usize) -> Vec<String> {
    for _ in 0..FRAMES {
        if app.world().resource::<Talk>().log.len() >= lines {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
        app.update();
    }
    let talk = app.world().resource::<Talk>();
    talk.log.iter().map(|line| line.text.clone()).collect()
}

/// The sentence of a server that does not do something.
fn does_not(url: &str, what: &str) -> String {
    format!(
        "The server at {url} does not {what}. The characters speak authored lines until it does."
    )
}

#[test]
fn i8_a_server_that_is_away() {
    let url = refused_url();
    let mut app = game(&url, "assets");
    ask(&mut app);
    assert_eq!(log(&mut app, 1), [does_not(&url, "answer")]);
}

#[test]
fn i8_a_wrong_key_and_an_unknown_model() {
    let refusals = [
        (401, "no", "accept the key that DRAMATIS_API_KEY holds"),
        (
            404,
            "no model tiny",
            "know the model (the server answered 404: no model tiny)",
        ),
    ];
    for (status, body, what) in refusals {
        let url = server(move || (status, body));
        let mut app = game(&url, "assets");
        ask(&mut app);
        let log = log(&mut app, 1);
        assert_eq!(log, [does_not(&url, what)]);
        assert!(!log[0].contains("a-key"), "{log:?}");
    }
}

#[test]
fn i8_a_server_that_comes_back_is_told_of() {
    let is_back = Arc::new(AtomicBool::new(false));
    let back = is_back.clone();
    let url = server(move || match back.load(Ordering::Acquire) {
        true => (
            200,
            r#"{"choices": [{"message": {"role": "assistant", "content": "Well met."}, "finish_reason": "stop"}]}"#,
        ),
        false => (401, "no"),
    });
    let mut app = game(&url, "assets");
    ask(&mut app);
    assert_eq!(log(&mut app, 1).len(), 1);
    is_back.store(true, Ordering::Release);
    // Its breaker may be open: then the next question is answered with an authored line.
    for _ in 0..20 {
        ask(&mut app);
        for _ in 0..100 {
            std::thread::sleep(Duration::from_millis(5));
            app.update();
        }
        if app.world().resource::<Talk>().log.len() > 1 {
            break;
        }
    }
    let again = format!("The server at {url} answers again.");
    assert_eq!(log(&mut app, 2)[1..], [again]);
}

#[test]
fn i8_a_file_that_is_broken_and_one_that_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("broken.npc.ron"),
        "(id: \"broken\",\n mood: \"bad\")",
    )
    .unwrap();
    let mut app = game(&refused_url(), &folder.path().display().to_string());
    for (file, begins, says) in [
        (
            "broken.npc.ron",
            "broken.npc.ron, line 2, column ",
            "no field \"mood\"",
        ),
        ("missing.npc.ron", "missing.npc.ron: ", "not found"),
    ] {
        let files = app.world().resource::<AssetServer>().clone();
        app.world_mut().spawn(Npc(files.load(file)));
        let before = app.world().resource::<Talk>().log.len();
        let log = log(&mut app, before + 1);
        let said = &log[before];
        assert!(said.starts_with(begins) && said.contains(says), "{said}");
        assert!(said.ends_with('.') && !said.contains(",."), "{said}");
        assert!(said.chars().count() < 300 && !said.contains('\n'), "{said}");
    }
}
