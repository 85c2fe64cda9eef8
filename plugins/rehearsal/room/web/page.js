// The rehearsal room's page: a QQ client for everybody who takes part.
// It holds the messages of one account at a time: the one that is spoken as.

const $ = (id) => document.getElementById(id);
const KEEP = "room"; // where a reload finds which rehearsal it was, as whom, and what was typed

let socket = null;
let texts = {};
let hello = null;
let state = null;
let messages = [];
let place = "";
let drafts = {};
let seen = {};
let answer = null; // where in the panel the bot's next private answer is shown
let atEnd = true; // whether the newest message is looked at
let toasting = 0;

// --- small things --------------------------------------------------------------------------------

function say(key, values = {}) {
  return texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function ask(what, values = {}) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ do: what, ...values }));
}

function toast(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  clearTimeout(toasting);
  toasting = setTimeout(() => ($("toast").hidden = true), 5000);
}

// The clock's own zone is in what it says: it is read as it stands, not turned into ours.
const parts = (iso) => iso.match(/^\d+-(\d+)-(\d+)T(\d+:\d+)/).slice(1);
const day = (iso) => `${+parts(iso)[0]}月${+parts(iso)[1]}日`;
const hour = (iso) => parts(iso)[2];

function person(account) {
  return state.people.find((one) => one.account === account);
}

function called(account) {
  const one = person(account);
  if (!one) return texts["name.bot"];
  return one.seat ? `${say("page.seat", { seat: one.seat })} ${one.name}` : one.name;
}

function placeName(one) {
  if (one.kind === "private") return texts["page.private"];
  return one.kind === "channel" ? one.name : texts["page.group"];
}

function avatar(account) {
  const one = person(account);
  if (!one) return make("span", { class: "avatar bot", "aria-hidden": "true" });
  const shown = make("span", { class: "avatar", "aria-hidden": "true" }, one.seat ? `${one.seat}` : one.name[0]);
  shown.style.setProperty("--hue", one.seat ? (one.seat * 47) % 360 : 0);
  shown.classList.toggle("plain", !one.seat);
  return shown;
}

// --- the connection ------------------------------------------------------------------------------

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/room/ws`);
  socket.onmessage = (event) => {
    const told = JSON.parse(event.data);
    HEARD[told.kind](told);
  };
  socket.onclose = () => {
    $("lost").hidden = false;
    setTimeout(askedFor, 1500);
  };
}

// A bot that has restarted may want its password again: then its page is another one.
async function askedFor() {
  const page = await fetch("/").then((answer) => answer.text(), () => "");
  if (page.includes('id="password"')) location.reload();
  else connect();
}

const HEARD = {
  hello(told) {
    hello = told;
    texts = told.texts;
    $("lost").hidden = true;
    const kept = JSON.parse(sessionStorage.getItem(KEEP) || "null");
    if (kept?.room === told.room && told.tables.some((one) => one.table === kept.table)) {
      if (!state) ({ place, drafts } = kept);
      ask("join", { table: kept.table, as: kept.as });
    } else if (kept) showStart(texts[kept.room === told.room ? "page.gone" : "page.restarted"]);
    else showStart();
  },
  gone() {
    toast(texts["page.gone"]);
    forget();
    ask("go_out");
  },
  wrong(told) {
    toast(told.text);
    busy(false);
  },
  owing(told) {
    toast(told.text);
  },
  inbox(told) {
    messages = told.messages;
    seen = {};
    if (place.startsWith("private:")) place = `private:${told.as}`;
    else if (!messages.some((one) => one.place === place)) place = "group:1";
  },
  said(told) {
    messages.push(told.message);
    if (told.message.place === place) {
      add(told.message, messages.filter((one) => one.place === place).at(-2));
      stick();
    }
    if (answer && told.message.place.startsWith("private:") && !person(told.message.sender)) {
      answer.textContent = told.message.segments.map(plain).join("");
    }
    if (state) showPlaces();
  },
  recalled(told) {
    for (const one of messages) if (one.id === told.id) Object.assign(one, { recalled: true, segments: [] });
    showMessages();
  },
  state(told) {
    const first = state === null || state.table !== told.table;
    const other = state?.as !== told.as;
    state = told;
    if (first || other) {
      if (!told.places.some((one) => one.key === place)) place = told.places[0].key;
      keep();
      $("start").hidden = true;
      $("room").hidden = false;
      $("line").value = drafts[`${told.as} ${place}`] || "";
      showMessages();
      if (first) $("line").focus();
    }
    busy(false);
    showState();
  },
  seats(told) {
    const column = (title, ...told) => make("article", {}, make("h3", {}, title), ...told.map((text) => make("pre", {}, text)));
    const columns = told.seats.map((one) => column(`${say("page.seat", { seat: one.seat })} ${one.name}`, one.card, one.told));
    openPanel("views", "views_note", make("div", { class: "columns", tabindex: "0" }, column(texts["page.everybody"], told.status), ...columns));
  },
  log(told) {
    const lines = told.lines.map((one) =>
      make(
        "li",
        {},
        make("b", {}, `${one.number}`),
        make(one.undone ? "s" : "span", {}, one.line),
        ...(hello.back ? [make("button", { onclick: () => goBack(one.number) }, texts["page.log_back"])] : []),
      ),
    );
    openPanel("log", hello.back && "log_note", make("ol", { class: "log" }, ...lines));
    const list = $("panel_body").firstChild;
    list.scrollTop = list.scrollHeight;
  },
  file(told) {
    const url = URL.createObjectURL(new Blob([told.text], { type: "application/toml" }));
    make("a", { href: url, download: told.name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
    const values = { file: told.name, game: told.game };
    toast(told.game > 1 ? say("page.saved_one", values) : say("page.saved", values));
  },
};

function keep() {
  sessionStorage.setItem(KEEP, JSON.stringify({ room: hello.room, table: state.table, as: state.as, place, drafts }));
}

function forget() {
  sessionStorage.removeItem(KEEP);
  state = null;
  messages = [];
  drafts = {};
  place = "";
}

// --- the start -----------------------------------------------------------------------------------

function showStart(why = "") {
  forget();
  $("why").textContent = why;
  $("why").hidden = !why;
  $("room").hidden = true;
  $("start").hidden = false;
  busy(false);
  $("running").hidden = hello.tables.length === 0;
  $("running")
    .querySelector("ul")
    .replaceChildren(
      ...hello.tables.map((one) =>
        make(
          "li",
          {},
          make("span", {}, `${one.title} · ${say("page.players", { count: one.players })} · ${one.phase}`),
          make("button", { onclick: () => ask("join", { table: one.table }) }, texts["page.resume"]),
        ),
      ),
    );
  $("boards").replaceChildren(
    ...hello.boards.map((one, number) => {
      const range = one.least === one.most ? say("page.players", { count: one.least }) : say("page.range", one);
      return make(
        "label",
        { class: "board" },
        make("input", { type: "radio", name: "board", value: one.key, checked: number === 0, onchange: chosen }),
        make("span", {}, one.title),
        make("small", {}, range),
      );
    }),
  );
  chosen();
}

function board() {
  const key = document.querySelector("input[name=board]:checked").value;
  return hello.boards.find((one) => one.key === key);
}

function chosen() {
  const { least, most } = board();
  Object.assign($("players"), { min: least, max: most });
  $("players").value = Math.min(Math.max(8, least), most);
  $("players").readOnly = least === most;
}

function busy(on) {
  document.body.classList.toggle("busy", on);
  $("open").querySelector("button").disabled = on;
  if (texts["page.start"]) $("open").querySelector("button").textContent = texts[on ? "page.starting" : "page.start"];
}

$("open").addEventListener("submit", (event) => {
  event.preventDefault();
  busy(true);
  ask("open", { board: board().key, players: +$("players").value });
});

// --- how things stand ----------------------------------------------------------------------------

function showState() {
  $("title").textContent = state.title;
  $("phase").textContent = state.over ? texts["page.over"] : state.phase;
  $("phase").title = state.times;
  $("clock").querySelector(".date").textContent = day(state.clock);
  $("clock").querySelector(".time").textContent = hour(state.clock);
  const next = state.next ? say("page.next", { time: when(state.next) }) : texts["page.next_any"];
  const none = texts[state.paused ? "page.paused" : "page.next_none"];
  $("step").textContent = state.stands ? none : next;
  for (const id of ["step", "plus", "act"]) $(id).disabled = state.running || (id !== "plus" && state.stands);
  $("run").disabled = state.stands && !state.running;
  $("run").textContent = texts[state.running ? "page.stop" : "page.run"];
  if (state.failed) toast(texts["page.failed"]);
  showPeople();
  showPlaces();
  const here = state.places.find((one) => one.key === place);
  $("place").textContent = here ? placeName(here) : "";
  $("as").textContent = called(state.as);
  const out = !here?.here;
  $("line").disabled = out;
  $("line").placeholder = texts[out ? "page.not_member" : "page.type_here"];
  showAsks(here);
  for (const strip of STRIPS) hint(strip);
}

function when(iso) {
  return day(iso) === day(state.clock) ? hour(iso) : `${day(iso)} ${hour(iso)}`;
}

function showPeople() {
  const focused = document.activeElement?.parentElement === $("people");
  $("people").replaceChildren(
    ...state.people.map((one) => {
      const chosen = one.account === state.as;
      return make(
        "button",
        {
          role: "tab",
          "aria-selected": `${chosen}`,
          tabindex: chosen ? 0 : -1,
          class: one.out ? "out" : null,
          title: one.out ? texts["page.out"] : null,
          onclick: () => lookAs(one.account),
        },
        avatar(one.account),
        make("span", { class: "name" }, one.name),
        ...(one.unread ? [make("span", { class: "unread", title: say("page.unread", { count: one.unread }) }, `${one.unread > 99 ? "99+" : one.unread}`)] : []),
      );
    }),
  );
  const chosen = $("people").querySelector("[aria-selected=true]");
  if (focused) chosen.focus();
  chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function showPlaces() {
  $("places")
    .querySelector("ul")
    .replaceChildren(
      ...state.places.map((one) => {
        const here = messages.filter((said) => said.place === one.key);
        if (one.key === place) seen[one.key] = here.length;
        const fresh = here.slice(seen[one.key] ?? here.length).filter((said) => said.sender !== state.as).length;
        seen[one.key] ??= here.length;
        return make(
          "li",
          {},
          make(
            "button",
            { "aria-current": one.key === place ? "true" : null, class: one.here ? null : "out", onclick: () => goTo(one.key) },
            make("span", { class: `mark ${one.kind}`, "aria-hidden": "true" }),
            make("strong", {}, placeName(one)),
            make("span", { class: "last" }, here.length ? inShort(here.at(-1)) : texts["page.empty"]),
            ...(fresh ? [make("span", { class: "unread" }, `${fresh}`)] : []),
          ),
        );
      }),
    );
}

function showAsks(here) {
  $("asks").replaceChildren(
    ...(here?.here ? state.asks[here.kind] : []).map(([text, more]) =>
      make("button", { type: "button", onclick: () => (more ? begin(text) : send(text)) }, more ? `${text.trim()} …` : text),
    ),
  );
}

// --- messages ------------------------------------------------------------------------------------

function inShort(said) {
  const who = said.sender === state.as ? "" : `${called(said.sender)}：`;
  if (said.recalled) return `${called(said.sender)} ${texts["page.recalled"]}`;
  if (said.kind === "notice") return notice(said);
  return who + said.segments.map(plain).join("").split("\n")[0];
}

function plain(segment) {
  if (segment.type === "text") return segment.data.text;
  if (segment.type === "at") return segment.data.name || `@${segment.data.qq}`;
  if (segment.type === "node") return `[${texts["page.forward"]}]`;
  return `[${texts[segment.type === "image" ? "page.image" : "page.unknown"]}]`;
}

function notice(said) {
  return say("page.muted", { name: called(said.about.account), until: hour(said.about.until) });
}

function showMessages() {
  if (!state) return;
  const here = messages.filter((one) => one.place === place);
  $("messages").replaceChildren();
  here.forEach((one, number) => add(one, here[number - 1]));
  if (!here.length) $("messages").append(make("li", { class: "notice" }, texts["page.empty"]));
  atEnd = true;
  stick();
}

function stick() {
  const log = $("messages");
  if (atEnd) log.scrollTop = log.scrollHeight;
}

function add(said, before) {
  const log = $("messages");
  if (!before) log.replaceChildren();
  const at = said.at;
  if (!before || hour(before.at) !== hour(at) || day(before.at) !== day(at)) {
    log.append(make("li", { class: "notice time" }, `${day(at)} ${hour(at)}`));
  }
  if (said.recalled) {
    log.append(make("li", { class: "notice" }, `${called(said.sender)} ${texts["page.recalled"]}`));
  } else if (said.kind === "notice") {
    log.append(make("li", { class: "notice" }, notice(said)));
  } else {
    const own = said.sender === state.as;
    const sender = make("span", { class: "sender" }, called(said.sender));
    const bubble = make("div", { class: "bubble" }, ...body(said.segments));
    log.append(make("li", { class: own ? "own" : person(said.sender) ? null : "bots" }, avatar(said.sender), sender, bubble));
  }
}

function body(segments) {
  const shown = [];
  const nodes = segments.filter((one) => one.type === "node");
  const beside = segments.filter((one) => one.type === "text").map(plain).join("").trim().split("\n")[0];
  for (const segment of segments) {
    const { type, data } = segment;
    if (type === "text") shown.push(make("span", {}, data.text));
    else if (type === "at") shown.push(make("span", { class: "at" }, plain(segment)));
    else if (type === "image") shown.push(picture(data.file, beside));
    else if (type !== "node") shown.push(make("em", {}, plain(segment)));
  }
  if (nodes.length) {
    const inside = nodes.map((one) => {
      const content = typeof one.data.content === "string" ? [{ type: "text", data: { text: one.data.content } }] : one.data.content;
      return make("li", {}, make("b", {}, one.data.nickname || one.data.name || ""), ...body(content));
    });
    shown.push(make("details", { class: "forward" }, make("summary", {}, `${texts["page.forward"]} · ${nodes.length}`), make("ol", {}, ...inside)));
  }
  return shown;
}

// What a picture is of is said beside it.
function picture(file, about) {
  const data = /^base64:\/\/([A-Za-z0-9+/=]+)$/.exec(file || "")?.[1];
  if (!data) return make("em", {}, `[${texts["page.image"]}]`);
  const type = data.startsWith("/9j/") ? "jpeg" : data.startsWith("R0lG") ? "gif" : data.startsWith("UklG") ? "webp" : "png";
  const alt = about ? say("page.picture", { about }) : texts["page.image"];
  return make("img", { src: `data:image/${type};base64,${data}`, alt, onload: stick });
}

// --- what is done --------------------------------------------------------------------------------

function keepDraft() {
  if (!state) return;
  drafts[`${state.as} ${place}`] = $("line").value;
  keep();
}

function lookAs(account) {
  keepDraft();
  ask("look", { as: account });
}

function goTo(key) {
  keepDraft();
  place = key;
  document.body.classList.add("reading");
  $("line").value = drafts[`${state.as} ${place}`] || "";
  keep();
  showMessages();
  showState();
  if (matchMedia("(min-width: 720px)").matches) $("line").focus();
}

// A word that wants something more: it is put into the line, before what was typed there.
function begin(text) {
  if (!$("line").value.startsWith(text)) $("line").value = text + $("line").value;
  keepDraft();
  $("line").focus();
}

function send(text) {
  if (!text.trim()) return;
  atEnd = true;
  ask("say", { as: state.as, place, text });
}

function director() {
  return state.people[0].account;
}

function goBack(number) {
  const as = director();
  const [word, confirm] = hello.back;
  const there = `private:${as}`;
  const type = (text) => ask("say", { as, place: there, text });
  ask("look", { as });
  place = there;
  // A game that is over must be named.
  type(`${state.over ? `#${state.game} ` : ""}${word} ${number}`);
  const said = make("pre", { role: "status" });
  const sure = make("button", { class: "primary", onclick: () => (type(confirm), $("panel").close()) }, texts["page.confirm"]);
  const no = make("button", { onclick: () => $("panel").close() }, texts["page.no"]);
  openPanel("log", null, make("div", { class: "sure" }, said, sure, no));
  answer = said;
}

function openPanel(title, note, ...content) {
  $("panel_title").textContent = texts[`page.${title}`];
  $("panel_note").textContent = note ? texts[`page.${note}`] : "";
  $("panel_body").replaceChildren(...content);
  answer = null;
  $("panel").className = title;
  if (!$("panel").open) $("panel").showModal();
}

function showSeats() {
  const seats = state.people.filter((one) => one.seat);
  const change = () => {
    const chosen = [...$("panel_body").querySelectorAll("input:checked")].map((box) => +box.value);
    ask("by_hand", { seats: chosen });
  };
  const boxes = seats.map((one) =>
    make(
      "label",
      {},
      make("input", { type: "checkbox", value: one.seat, checked: state.by_hand.includes(one.seat), onchange: change }),
      avatar(one.account),
      make("span", {}, called(one.account)),
    ),
  );
  openPanel("seats", "hand_note", make("div", { class: "boxes" }, ...boxes));
}

function showLeaving() {
  openPanel(
    "leave",
    "leave_note",
    make(
      "div",
      { class: "sure" },
      make("button", { class: "primary", onclick: () => ($("panel").close(), forget(), ask("go_out")) }, texts["page.keep"]),
      make("button", { class: "danger", onclick: () => ($("panel").close(), forget(), ask("leave")) }, texts["page.yes"]),
    ),
  );
}

$("say").addEventListener("submit", (event) => {
  event.preventDefault();
  send($("line").value);
  $("line").value = "";
  keepDraft();
});

$("line").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    $("say").requestSubmit();
  }
});

$("line").addEventListener("input", keepDraft);

$("step").addEventListener("click", () => ask("step"));
$("plus").addEventListener("click", () => ask("plus"));
$("act").addEventListener("click", () => ask("act"));
$("run").addEventListener("click", () => ask(state.running ? "halt" : "run"));
$("views").addEventListener("click", () => ask("seats"));
$("seats").addEventListener("click", showSeats);
$("log").addEventListener("click", () => ask("log"));
$("save").addEventListener("click", () => ask("save"));
$("go_out").addEventListener("click", showLeaving);
$("to_list").addEventListener("click", () => document.body.classList.remove("reading"));
$("panel_close").addEventListener("click", () => $("panel").close());
$("panel").addEventListener("click", (event) => event.target === $("panel") && $("panel").close());

// Only who scrolls up leaves the end: what is said meanwhile makes the list longer, not older.
let top = 0;
$("messages").addEventListener("scroll", (event) => {
  const log = event.target;
  const near = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  if (near || log.scrollTop < top) atEnd = near;
  top = log.scrollTop;
});
new ResizeObserver(stick).observe($("messages"));

// What is wider than the page fades where it goes on.
const STRIPS = document.querySelectorAll(".tools, #people, #asks");

function hint(strip) {
  const left = strip.scrollWidth - strip.clientWidth - strip.scrollLeft;
  strip.classList.toggle("before", strip.scrollLeft > 1);
  strip.classList.toggle("after", left > 1);
}

const wide = new ResizeObserver((seen) => seen.forEach((one) => hint(one.target)));
for (const strip of STRIPS) {
  strip.addEventListener("scroll", () => hint(strip), { passive: true });
  wide.observe(strip);
}

function turn(list, from, step) {
  return list[(list.indexOf(from) + step + list.length) % list.length];
}

$("people").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step) {
    event.preventDefault();
    lookAs(turn(state.people.map((one) => one.account), state.as, step));
  }
});

document.addEventListener("keydown", (event) => {
  if (!state || !event.altKey || $("panel").open) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step && event.shiftKey) lookAs(turn(state.people.map((one) => one.account), state.as, step));
  else if (step) goTo(turn(state.places.map((one) => one.key), place, step));
  else if (event.code === "KeyN" && !$("step").disabled) ask("step");
  else return;
  event.preventDefault();
});

connect();
