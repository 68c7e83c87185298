// The page: it shows what the game says with `page.show`, and asks the game with `ask`. What is said is text, for everyone.
const by = id => document.getElementById(id);
const LINES = 200;
const name = new URLSearchParams(location.search).get('game') === 'tavern' ? 'tavern' : 'tower';
const SLOT = `bevy_dramatis.${name}`;
let ask = () => {};

const make = (tag, text, kind) => {
  const element = document.createElement(tag);
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
};

const button = (words, press) => {
  const element = make('button', words);
  element.type = 'button';
  element.onclick = press;
  return element;
};

const line = (kind, text, who) => {
  const log = by('log');
  log.append(make('p', who ? `${who}: ${text}` : kind === 'player' ? `You: ${text}` : text, kind));
  if (log.childElementCount > LINES) log.firstElementChild.remove();
  log.scrollTop = log.scrollHeight;
};

// Other programs, such as tests, may look at what was shown last, and at the frames that were drawn.
const page = (globalThis.page = {
  shown: {},
  game: () => name,
  problem(text) {
    by('problem').textContent = text;
    by('problem').hidden = false;
    by('loading').hidden = true;
  },
  show(what, json) {
    const data = JSON.parse(json);
    page.shown[what] = data;
    shows[what]?.(data);
  },
});

const shows = {
  ready() { by('loading').hidden = true; },
  line: data => line(data.kind, data.text, data.who),
  offers(offers) {
    by('offers').replaceChildren(...offers.map((words, index) =>
      button(index < 9 ? `${index + 1} ${words}` : words, () => ask('do', words))));
  },
  question(question) {
    by('question').hidden = !question;
    if (!question) return;
    const options = question.options.map(({ id, name }) => button(name, () => ask('answer', id)));
    by('question').replaceChildren(`${question.words}: which one? `, ...options);
  },
  bubbles(bubbles) {
    by('bubbles').replaceChildren(...Object.values(bubbles).map(({ words, x, y }) => {
      const bubble = make('div', words, 'bubble');
      bubble.style.left = `${Math.min(Math.max(x / 10, 19), 81)}%`;
      bubble.style.top = `${Math.max(y / 10, 14)}%`;
      return bubble;
    }));
  },
  why(runs) {
    by('runs').replaceChildren(...runs.flatMap(({ title, lines }) => {
      const list = make('ul', '');
      list.append(...lines.map(text => make('li', text)));
      return [make('h3', title), list];
    }));
  },
  save(text) {
    try {
      localStorage.setItem(SLOT, text);
      line('note', 'The game is saved in this browser.');
    } catch (error) {
      line('problem', `The browser does not keep the save: ${error.message}`);
    }
  },
  record(text) {
    const link = make('a', '');
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/jsonl' }));
    link.download = 'record.jsonl';
    link.click();
  },
  model(text) { by('model').textContent = text; },
};

const listen = () => {
  by('say').onsubmit = event => {
    event.preventDefault();
    const words = by('words').value.trim();
    if (words) ask('say', words);
    by('words').value = '';
  };
  by('room').onpointerdown = event => {
    const { left, top, width, height } = by('room').getBoundingClientRect();
    const part = (at, from, size) => Math.round((at - from) / size * 1000);
    ask('point', `${part(event.clientX, left, width)} ${part(event.clientY, top, height)}`);
  };
  by('save').onclick = () => ask('save', '');
  by('load').onclick = () => {
    try {
      const text = localStorage.getItem(SLOT);
      if (text) ask('load', text);
      else line('problem', 'There is no save in this browser yet.');
    } catch (error) {
      line('problem', `The browser does not give the save: ${error.message}`);
    }
  };
  by('record').onclick = () => ask('record', '');
  by('server').onsubmit = event => {
    event.preventDefault();
    const { url, model } = event.target.elements;
    ask('server', JSON.stringify([url.value, model.value || 'default']));
  };
  document.onkeydown = event => {
    const types = event.target.matches('input');
    if (event.key === 'F4') {
      by('why').open = !by('why').open;
      event.preventDefault();
    } else if (!types && /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.altKey && !event.metaKey) {
      by('offers').children[event.key - 1]?.click();
    } else if (event.target === by('room') && /^Arrow(Left|Right)$/.test(event.key)) {
      ask('point', event.key.slice(5).toLowerCase());
      event.preventDefault();
    }
  };
};

document.body.classList.add(name);
// Where the processor draws, it gets fewer pixels to draw.
const gl = document.createElement('canvas').getContext('webgl2');
const details = gl?.getExtension('WEBGL_debug_renderer_info');
const renderer = gl?.getParameter(details ? details.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
document.body.classList.toggle('slow', /swiftshader|llvmpipe|software|basic render/i.test(renderer));
if (name === 'tower' && !gl) {
  page.problem('The tower is drawn with WebGL 2, which this browser does not have or has switched off; the tavern needs none of it.');
} else {
  try {
    const game = await import('./game.js');
    ask = page.ask = game.ask;
    listen();
    await game.default();
  } catch (error) {
    page.problem(`The game cannot be started here: ${error.message}`);
    throw error;
  }
}
