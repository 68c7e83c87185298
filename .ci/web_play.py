#!/usr/bin/env python3
"""Plays the page of `web/dist` in a headless Chromium, as a player does, and writes its records into a folder.

    .ci/web_play.py CHROMIUM DIST FOLDER [URL MODEL]

It fails if the browser has no WebGL 2, if the page logs an error, if the picture is flat, if a typed line does not open the door, if
the picture of the door stays as it was, or if a save does not come back. With a URL and a model, that server must answer once, too.
Then it plays where things are missing or break: no WebGL 2, no storage, a damaged save, a server that goes away. `page.webp` in the
folder is a moving picture of the visit.
"""
import base64
import functools
import http.server
import io
import pathlib
import sys
import threading
import time

from PIL import Image
from playwright.sync_api import sync_playwright

CHROMIUM, DIST, FOLDER, *SERVER = sys.argv[1:]
FLAGS = [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
]
# Seconds in which a machine with two busy cores draws the first picture.
PATIENCE = 120
# The pixels of a picture, as the browser itself reads them.
PIXELS = """async picture => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const brush = canvas.getContext('2d');
    brush.drawImage(image, 0, 0);
    return [image.width, image.height, Array.from(brush.getImageData(0, 0, image.width, image.height).data)];
}"""
FRAMES = """seconds => new Promise(done => {
    let frames = 0;
    const end = performance.now() + seconds * 1000;
    const count = () => { frames += 1; performance.now() < end ? requestAnimationFrame(count) : done(frames / seconds); };
    requestAnimationFrame(count);
})"""


class Files(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".js": "text/javascript"}

    def log_message(self, *_):
        pass

    def do_POST(self):
        """A model's server that goes away in the middle of a word."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'data: {"choices": [{"index": 0, "delta": {"content": "Well, trav"}}]}\n\n')


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=DIST))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


def wait(what, holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"waited in vain for {what}")
        time.sleep(0.1)
    print(f"{what}: yes")


class Player:
    def __init__(self, page, errors):
        self.page, self.errors = page, errors
        self.frames = []

    def open(self, address):
        began = time.monotonic()
        self.page.goto(address)
        wait("the game is ready", lambda: self.errors or self.page.evaluate("'ready' in page.shown"))
        self.check()
        print(f"it took {time.monotonic() - began:.1f} s")

    def check(self):
        if self.errors:
            raise SystemExit("the page has logged: " + "\n".join(self.errors))

    def say(self, words):
        self.page.fill("#words", words)
        self.page.press("#words", "Enter")

    def log(self):
        return self.page.inner_text("#log")

    def offers(self):
        return self.page.inner_text("#offers")

    def told(self, words):
        wait(f"the page tells \"{words}\"", lambda: words in self.log())
        self.check()

    def record(self, name):
        """What the page would hand to the player as a file."""
        self.page.evaluate("page.shown.record = null")
        with self.page.expect_download() as download:
            self.page.evaluate("document.getElementById('record').click()")
        path = pathlib.Path(FOLDER) / name
        download.value.save_as(path)
        return path

    def film(self, seconds):
        """Adds what is seen for so long to the moving picture, five frames a second."""
        for _ in range(seconds * 5):
            began = time.monotonic()
            frame = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
            self.frames.append(frame.resize((800, 500), Image.Resampling.LANCZOS))
            time.sleep(max(0, began + 0.2 - time.monotonic()))

    def look(self, name):
        """The stage: its width, its height, its pixels as rows of colours."""
        picture = self.page.locator("#room").screenshot()
        (pathlib.Path(FOLDER) / name).write_bytes(picture)
        wide, high, data = self.page.evaluate(PIXELS, base64.b64encode(picture).decode())
        colours = [tuple(data[at:at + 3]) for at in range(0, len(data), 4)]
        return wide, high, colours


def tower(player, address):
    player.open(address)
    page = player.page
    renderer = page.evaluate("""() => {
        const gl = document.createElement('canvas').getContext('webgl2');
        return gl && gl.getParameter(gl.VERSION) + ', ' + gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL);
    }""")
    if not renderer:
        raise SystemExit("there is no WebGL 2")
    print(renderer)
    player.told("Eldrin: Who knocks at this hour?")
    # The bubble goes, and everybody is in place.
    player.film(2)
    wide, high, before = player.look("shut.png")
    kinds = len(set(before))
    print(f"a picture of {wide} x {high} with {kinds} colours, {page.evaluate(FRAMES, 3):.0f} frames a second")
    if kinds < 40 or max(before.count(colour) for colour in set(before)) > 0.6 * len(before):
        raise SystemExit("the picture is flat")

    # What a screen reader is given: the log as text, and a name for all that can be used.
    given = page.locator("body").aria_snapshot()
    (pathlib.Path(FOLDER) / "aloud.yaml").write_text(given)
    for part in ['img "The tower: a hall', 'log "What was said"', "Eldrin: Who knocks at this hour?", 'textbox "You say"', 'button "Say it"', 'group "What you can do now"']:
        if part not in given:
            raise SystemExit(f"a screen reader is not given {part}: {given}")
    if "- button\n" in given or "- textbox\n" in given:
        raise SystemExit(f"a part of the page has no name: {given}")

    player.say("> go to the tower")
    player.told("the oak door is shut")
    player.film(1)
    player.say("Would you let me in?")
    player.told("Eldrin: open oak door")
    wait("there is a way into the tower", lambda: "go to the tower" in player.offers())
    player.film(3)
    _, _, after = player.look("open.png")
    # Where the door is: around the wall between the hall and the yard.
    door = [row * wide + column for row in range(int(high * 0.48), int(high * 0.78)) for column in range(int(wide * 0.49), int(wide * 0.60))]
    changed = sum(before[at] != after[at] for at in door) / len(door)
    print(f"{changed:.0%} of the door's pixels have changed")
    if changed < 0.2:
        raise SystemExit("the door looks as before")

    page.evaluate("document.getElementById('save').click()")
    player.told("The game is saved in this browser.")
    page.get_by_role("button", name="go to the tower").click()
    player.told("go to the tower's hall: done")
    player.film(2)
    page.keyboard.press("F4")
    if "The gate let it pass." not in page.inner_text("#runs"):
        raise SystemExit("the page does not say why")
    player.film(2)
    first, *rest = player.frames
    first.save(pathlib.Path(FOLDER) / "page.webp", save_all=True, append_images=rest, duration=200, loop=0, quality=60, method=6)
    page.keyboard.press("F4")
    player.record("tower.jsonl")
    player.open(address)
    player.told("Eldrin: Who knocks at this hour?")
    page.evaluate("document.getElementById('load').click()")
    player.told("Everything is as it was saved.")
    wait("the way into the tower is open again", lambda: "go to the tower" in player.offers())
    if SERVER:
        answer = ask_server(player, *SERVER)
        if "Attempt 1 (a prompt of" not in answer:
            raise SystemExit(f"the server has not answered: {answer}")
    player.check()
    player.record("again.jsonl")


def tavern(player, address):
    player.open(address + "?game=tavern")
    player.say("I take the iron key.")
    player.told("Something of iron passes from the table into a pocket")
    # What is told counts when the whole turn is over.
    wait("the turn is in the record", lambda: '"kind":"adventure_turn"' in player.record("tavern.jsonl").read_text())


def ask_server(player, url, model):
    page = player.page
    page.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)")
    page.fill("#server [name=url]", url)
    page.fill("#server [name=model]", model)
    page.click("#server button")
    heard = 'Heard: “What do you see in the stars?”'
    before = page.inner_text("#runs").count(heard)
    player.say("What do you see in the stars?")
    wait("the turn is over", lambda: page.inner_text("#runs").count(heard) > before)
    return page.inner_text("#runs").split("Eldrin, run")[1]


def broken(browser, address):
    """What a player is told where something is missing or breaks. The browser logs a failed request itself."""
    def fresh(script=""):
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.add_init_script(script)
        return Player(page, [])

    def visit(player):
        player.open(address)
        player.told("Eldrin: Who knocks at this hour?")

    blind = fresh("HTMLCanvasElement.prototype.getContext = () => null")
    blind.page.goto(address)
    wait("without WebGL 2 the page says so", lambda: "WebGL 2" in blind.page.inner_text("#problem"))
    blind.page.context.close()

    closed = fresh("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } })")
    visit(closed)
    closed.page.evaluate("document.getElementById('save').click()")
    closed.told("The browser does not keep the save: denied")
    closed.page.evaluate("document.getElementById('load').click()")
    closed.told("The browser does not give the save: denied")
    for url in [address, "http://127.0.0.1:9"]:
        answer = ask_server(closed, url, "default")
        if "authored" not in answer.lower():
            raise SystemExit(f"no authored line is said where the server {url} goes away: {answer}")
        print("\n".join(answer.splitlines()[1:5]))
    closed.page.context.close()

    full = fresh("Storage.prototype.setItem = () => { throw new DOMException('no room is left', 'QuotaExceededError'); }")
    visit(full)
    full.page.evaluate("document.getElementById('save').click()")
    full.told("The browser does not keep the save: no room is left")
    full.page.context.close()

    # A tab that was in the background, where a browser draws no frames, for an hour; and another tab with the same save.
    late = fresh()
    late.page.clock.install()
    visit(late)
    late.page.clock.fast_forward("01:00:00")
    late.say("Would you let me in?")
    late.told("Eldrin: open oak door")
    late.page.evaluate("document.getElementById('save').click()")
    late.told("The game is saved in this browser.")
    other = Player(late.page.context.new_page(), [])
    visit(other)
    other.page.evaluate("document.getElementById('load').click()")
    wait("the other tab has the game of the first", lambda: "go to the tower" in other.offers())
    late.page.context.close()

    damaged = fresh("localStorage.setItem('bevy_dramatis.tower', '{\"no\": \"save\"}')")
    visit(damaged)
    damaged.page.evaluate("document.getElementById('load').click()")
    damaged.told("The game goes on as it was, since the save cannot be loaded")
    damaged.say("> go to the tower")
    damaged.told("the oak door is shut")
    damaged.page.context.close()


def main():
    address = serve()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page, errors = browser.new_page(viewport={"width": 1280, "height": 800}), []
        page.set_default_timeout(PATIENCE * 1000)
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        player = Player(page, errors)
        tower(player, address)
        tavern(player, address)
        broken(browser, address)
        browser.close()


main()
