// Shows the facts of a report. Texts of the program are put into the page as text, never as markup.
"use strict";
(() => {
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const steps = facts.steps;
  const find = (id) => document.getElementById(id);

  /** An element with attributes and children; functions are listeners. */
  function el(tag, attributes, ...children) {
    const svg = ["svg", "g", "path", "circle", "text", "title", "defs", "marker"].includes(tag) && attributes && attributes.svg;
    const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name === "svg" || value === null || value === undefined || value === false) continue;
      if (typeof value === "function") made.addEventListener(name, value);
      else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  }

  // ---- Text of the program -------------------------------------------------------------------------------------

  const ODD = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

  /** A text whose invisible letters, which could change how it reads, are shown by their numbers. */
  function shown(text) {
    const parts = [];
    let last = 0;
    for (const match of text.matchAll(ODD)) {
      if (match.index > last) parts.push(text.slice(last, match.index));
      const code = match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      parts.push(el("span", { class: "odd", title: "an invisible letter" }, "U+" + code));
      last = match.index + match[0].length;
    }
    if (last < text.length) parts.push(text.slice(last));
    return parts;
  }
  const plain = (text) => text.replace(ODD, (letter) => "U+" + letter.codePointAt(0).toString(16).toUpperCase());

  const KEYWORDS = new Set(("procedure implementation var const axiom function returns requires ensures modifies invariant assert assume call "
    + "if else while for do switch case default goto return break havoc type forall exists old true false where free unique int bool real "
    + "void char short long unsigned signed struct union enum static extern typedef sizeof float double fork join atomic volatile inline "
    + "_Bool").split(" "));
  const TOKEN = /\/\/.*|\/\*[^]*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_$][\w$#.]*|\d[\w.]*|[^]/g;

  /** The pieces of a line, each with a class; `inside` says whether it begins in a comment. */
  function pieces(line, inside) {
    const found = [];
    let rest = line;
    if (inside) {
      const end = rest.indexOf("*/");
      if (end < 0) return [[["c", rest]], true];
      found.push(["c", rest.slice(0, end + 2)]);
      rest = rest.slice(end + 2);
    }
    let open = false;
    let last = null;
    for (const [token] of rest.matchAll(TOKEN)) {
      let kind = "";
      if (token.startsWith("//")) kind = "c";
      else if (token.startsWith("/*")) { kind = "c"; open = !(token.length > 3 && token.endsWith("*/")); }
      else if (token[0] === '"' || (token[0] === "'" && token.length > 1)) kind = "q";
      else if (/^\d/.test(token)) kind = "n";
      else if (KEYWORDS.has(token)) kind = "k";
      if (last && last[0] === kind) last[1] += token;
      else found.push(last = [kind, token]);
    }
    return [found, open];
  }

  // ---- Values --------------------------------------------------------------------------------------------------

  // Calls that are open, by thread. A step belongs to the innermost of its thread.
  const frames = [];
  const everywhere = { title: "Everywhere", parent: null, names: new Map() };
  (() => {
    const open = new Map();
    // The steps of all threads are in one procedure, so that a thread is called by its own name.
    const titleOf = (step) => step.thread || step.procedure || "";
    const enter = (stack, step, depth) => {
      const title = titleOf(step);
      const frame = { title, parent: depth > 0 ? stack[depth - 1] : null, names: new Map() };
      stack[depth] = frame;
      return frame;
    };
    const inputs = facts.inputs && !Array.isArray(facts.inputs) ? facts.inputs : {};
    const first = new Set((steps[0] ? steps[0].values : []).map((value) => value[0]));
    for (const [name, value] of Object.entries(inputs)) {
      if (!first.has(name)) everywhere.names.set(name, [[-1, value]]);
    }
    steps.forEach((step, index) => {
      const key = step.thread || "";
      if (!open.has(key)) open.set(key, []);
      const stack = open.get(key);
      const depth = step.kind === "gap" ? Math.max(stack.length - 1, 0) : step.depth;
      stack.length = Math.min(stack.length, depth + 1);
      if (step.kind === "enters") stack.length = Math.min(stack.length, depth);
      for (let level = stack.length; level <= depth; level++) enter(stack, step, level);
      const frame = stack[depth];
      if (step.procedure && frame.names.size === 0) frame.title = titleOf(step);
      frames[index] = frame;
      for (const [name, value, local] of step.values) {
        const names = (local ? frame : everywhere).names;
        if (!names.has(name)) names.set(name, []);
        names.get(name).push([index, value]);
      }
    });
  })();

  /** The position of the last change up to a step; -1 if there is none. */
  function lastChange(changes, step) {
    let low = 0, high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (changes[middle][0] <= step) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  function valuesOf(frame, step) {
    const body = el("tbody");
    for (const [name, changes] of frame.names) {
      const at = lastChange(changes, step);
      if (at < 0) continue;
      const [when, value] = changes[at];
      const now = when === step && step >= 0;
      const back = now ? (at > 0 ? changes[at - 1][0] : -1) : when;
      const was = now && at > 0 && changes[at - 1][1] !== value ? changes[at - 1][1] : null;
      const jump = back >= 0
        ? el("button", { click: () => select({ step: back }), title: "Go to the last change of " + plain(name), "data-jump": back + 1 }, "↶ " + (back + 1))
        : null;
      body.append(el("tr", { class: now ? "changed" : null, "data-name": name },
        el("td", { class: "code" }, ...shown(name)),
        el("td", { class: "code" }, was === null ? null : el("span", { class: "was" }, ...shown(was)), was === null ? null : " ", ...shown(value)),
        el("td", { class: "jump" }, jump)));
    }
    return body.childElementCount ? body : null;
  }

  const MOST_FRAMES = 20;
  function showValues() {
    const pane = find("values");
    const parts = [];
    const add = (title, frame) => {
      const body = valuesOf(frame, chosen.step);
      if (!body && frame !== frames[chosen.step]) return;
      parts.push(el("h2", {}, ...shown(title)));
      parts.push(body
        ? el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, "name"), el("th", {}, "value"), el("th", {}, ""))), body)
        : el("p", { class: "quiet" }, "no values yet"));
    };
    const said = chosen.step >= 0 ? steps[chosen.step].note : "";
    // In the list of steps there is one line for it, which may be too short.
    if (said) parts.push(el("p", { class: "said code" }, ...shown(said)));
    let frame = frames[chosen.step];
    for (let count = 0; frame && count < MOST_FRAMES; count++, frame = frame.parent) {
      add(count > 0 ? "Called from " + frame.title : frame.title ? "In " + frame.title : "Values", frame);
    }
    if (frame) parts.push(el("p", { class: "quiet" }, "… and more calls"));
    add("Everywhere", everywhere);
    pane.replaceChildren(...parts);
  }

  // ---- Source --------------------------------------------------------------------------------------------------

  const CHUNK = 100;
  const files = facts.files.map((file) => ({ name: file.name, lines: file.text.replace(/\r?\n$/, "").split(/\r\n|\n/), inside: [], rows: new Map(), root: null }));
  const key = (place) => place[0] + ":" + place[1];
  const visits = new Map();
  steps.forEach((step, index) => {
    if (!step.place) return;
    const at = key(step.place);
    if (!visits.has(at)) visits.set(at, []);
    visits.get(at).push(index);
  });
  const marks = new Map();
  for (const check of facts.checks) {
    if (!check.place) continue;
    const at = key(check.place);
    if (!marks.has(at)) marks.set(at, []);
    marks.get(at).push(check);
  }
  const said = new Map();
  for (const invariant of facts.invariants) {
    if (!invariant.place) continue;
    const at = key(invariant.place);
    if (!said.has(at)) said.set(at, []);
    said.get(at).push(invariant);
  }
  const reasons = facts.reasons || {};
  const triples = reasons.triples || [];
  const lineSet = (places) => new Set((places || []).map(key));
  const needed = lineSet(reasons.lines && reasons.lines.needed);
  const unneeded = lineSet(reasons.lines && reasons.lines.unneeded);
  for (const at of needed) unneeded.delete(at);
  const SIGNS = { proven: "✓", fails: "✗", open: "?", "not reached": "–" };
  const statusOf = (check) => (check.vacuous ? "vacuous, no execution comes here" : check.status);
  const WORST = ["fails", "open", "not reached", "proven"];

  function code(file, number, range) {
    const line = file.lines[number - 1];
    const [found] = pieces(line, file.inside[number - 1]);
    const out = el("bdi", {});
    let column = 1;
    for (const [kind, text] of found) {
      const letters = Array.from(text);
      const cuts = range ? [range[0] - column, range[1] - column] : [letters.length, letters.length];
      const clamp = (cut) => Math.max(0, Math.min(letters.length, cut));
      const [from, to] = cuts.map(clamp);
      for (const [start, end, inside] of [[0, from, false], [from, to, true], [to, letters.length, false]]) {
        if (start >= end) continue;
        const parts = shown(letters.slice(start, end).join(""));
        const piece = kind ? el("span", { class: kind }, ...parts) : null;
        const content = piece ? [piece] : parts;
        if (inside) out.append(el("mark", {}, ...content)); else out.append(...content);
      }
      column += letters.length;
    }
    return out;
  }

  function row(index, file, number) {
    const at = index + ":" + number;
    const checks = marks.get(at) || [];
    const worst = WORST.find((status) => checks.some((check) => check.status === status));
    const title = checks.map((check) => statusOf(check) + ": " + plain(check.what)).join("\n");
    const vacuous = worst === "proven" && checks.every((check) => check.vacuous);
    const use = needed.has(at) ? " needed" : unneeded.has(at) ? " unneeded" : "";
    const why = needed.has(at) ? "The proof needs this line" : unneeded.has(at) ? "The proof would hold whatever this line did" : null;
    const made = el("div", { class: "row code" + (visits.has(at) ? " ran" : "") + use, "data-at": at, title: why },
      el("a", { class: "number", href: "#line=" + at, "aria-label": "line " + number }, String(number)),
      el("span", { class: "mark" + (vacuous ? " vacuous" : worst ? " " + worst : ""), title: title || null }, vacuous ? "∅" : worst ? SIGNS[worst] : ""),
      code(file, number, null));
    file.rows.set(number, made);
    return made;
  }

  function build(index) {
    const file = files[index];
    let inside = false;
    file.lines.forEach((line, number) => {
      file.inside[number] = inside;
      inside = pieces(line, inside)[1];
    });
    file.root = el("div", {});
    for (let start = 0; start < file.lines.length; start += CHUNK) {
      const chunk = el("div", { class: "chunk" });
      for (let number = start + 1; number <= Math.min(start + CHUNK, file.lines.length); number++) {
        for (const invariant of said.get(index + ":" + number) || []) {
          const what = (invariant.of ? invariant.of + " " : "") + invariant.kind;
          const why = whyOfInvariant(invariant);
          chunk.append(el("div", { class: "says code" }, el("b", {}, ...shown(what)), el("span", {}, ...shown(invariant.formula)), why));
        }
        chunk.append(row(index, file, number));
      }
      file.root.append(chunk);
    }
    file.root.addEventListener("click", (event) => {
      const line = event.target.closest(".row");
      if (!line || event.target.closest("a") || String(window.getSelection())) return;
      chooseLine(line.dataset.at);
    });
  }

  /** A line that was run leads to its next step; any other line is chosen as such. */
  function chooseLine(at) {
    const all = visits.get(at);
    const next = all && (all.find((index) => index > chosen.step) ?? all[0]);
    if (next !== undefined) select({ step: next });
    else select({ place: at.split(":").map(Number) });
  }

  let fileShown = -1;
  function showFile(index) {
    if (index === fileShown || !files[index]) return;
    fileShown = index;
    if (!files[index].root) build(index);
    const pane = find("source");
    const tabs = files.length < 2 ? null : el("div", { class: "tabs" }, ...files.map((file, number) =>
      el("button", { "aria-pressed": number === index ? "true" : "false", click: () => showFile(number) }, ...shown(file.name))));
    pane.replaceChildren(...[tabs, files[index].root].filter(Boolean));
  }

  let painted = null;
  function showPlace(place, note) {
    if (painted) {
      const { file, number, row } = painted;
      row.classList.remove("now", "chosen");
      row.querySelectorAll(".beside").forEach((beside) => beside.remove());
      row.querySelector("bdi").replaceWith(code(file, number, null));
      painted = null;
    }
    if (!place || !files[place[0]]) return;
    showFile(place[0]);
    const file = files[place[0]];
    const number = place[1];
    const row = file.rows.get(number);
    if (!row) return;
    const [, , from, lastLine, to] = place;
    const range = from === undefined ? null : [from, lastLine === number ? to : Infinity];
    row.querySelector("bdi").replaceWith(code(file, number, range));
    row.classList.add(note === null ? "chosen" : "now");
    if (note) row.append(el("span", { class: "beside" }, "← ", ...shown(note)));
    painted = { file, number, row };
    into(find("source"), row);
  }

  /** Scrolls a pane so that an element in it is seen; the page itself stays where it is. */
  function into(pane, element) {
    if (pane.scrollHeight <= pane.clientHeight) return;
    const outer = pane.getBoundingClientRect(), inner = element.getBoundingClientRect();
    if (inner.top < outer.top + 40 || inner.bottom > outer.bottom - 40) {
      pane.scrollTop += inner.top - outer.top - pane.clientHeight / 3;
    }
  }

  // ---- Why a proof is one --------------------------------------------------------------------------------------

  const samePlace = (a, b) => Boolean(a && b && a.every((part, index) => part === b[index]));

  /** Numbers of lines as ranges, each a link. */
  function linesOf(places) {
    const numbers = [...new Set(places.map(key))].map((at) => at.split(":").map(Number)).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const ranges = [];
    for (const [file, number] of numbers) {
      const last = ranges[ranges.length - 1];
      if (last && last[0] === file && last[2] + 1 === number) last[2] = number; else ranges.push([file, number, number]);
    }
    const parts = ranges.flatMap(([file, from, to], index) => [index ? ", " : "",
      el("a", { href: "#line=" + file + ":" + from }, from === to ? String(from) : from + "–" + to)]);
    return parts.length ? [ranges.length === 1 && ranges[0][1] === ranges[0][2] ? "line " : "lines ", ...parts] : ["no statement"];
  }

  const SPOTS = { begin: "the beginning", loop: "the loop", end: "the end of", error: "the check", "": "the place" };
  function spotName(spot) {
    const line = spot.place ? " in line " + lineOf(spot.place) : "";
    return spot.kind === "end" ? "the end of " + plain(spot.procedure) : SPOTS[spot.kind] + line;
  }

  /** A Hoare triple: what is known before, the statements, what holds afterwards. */
  function tripleRow(triple) {
    const formula = (text) => el("span", { class: "formula" }, ...(text === null ? ["…"] : shown(text)));
    const ends = "From " + spotName(triple.from) + " to " + spotName(triple.to);
    const after = triple.to.kind === "error" ? el("span", { class: "formula" }, "false: it cannot fail") : formula(triple.after);
    return el("div", { class: "triple code", title: ends }, "{ ", formula(triple.before), " } ", ...linesOf(triple.lines), " { ", after, " }");
  }

  function whyPart(title, some) {
    return some.length ? [el("div", { class: "because" }, title), ...some.map(tripleRow)] : [];
  }

  const isAt = (spot, invariant) => samePlace(spot.place, invariant.place)
    && (invariant.kind === "ensures" ? spot.kind === "end" && spot.procedure === invariant.of : spot.kind === "loop");

  /** Why an invariant holds, and what it is good for. */
  function whyOfInvariant(invariant) {
    const into = triples.filter((triple) => isAt(triple.to, invariant));
    const out = triples.filter((triple) => isAt(triple.from, invariant) && !isAt(triple.to, invariant) && triple.before !== "true");
    if (!into.length && !out.length) return null;
    return el("details", { class: "why" }, el("summary", {}, "why this holds"),
      ...whyPart("It holds because, each time control comes here,", into), ...whyPart("It is used for", out));
  }

  /** Why a check cannot fail. */
  function whyOfCheck(check) {
    const into = triples.filter((triple) => triple.to.kind === "error" && samePlace(triple.to.place, check.condition));
    return into.length ? el("details", { class: "why" }, el("summary", {}, "why"), ...into.map(tripleRow)) : null;
  }

  // ---- Steps ---------------------------------------------------------------------------------------------------

  const HEIGHT = 24;
  const MOST_LANES = 8;
  const threads = [...new Set(steps.map((step) => step.thread).filter(Boolean))];
  const all = el("div", { class: "all" });

  function stepRow(index) {
    const step = steps[index];
    const source = step.place && files[step.place[0]] ? files[step.place[0]].lines[step.place[1] - 1] || "" : "";
    const what = "  ".repeat(Math.min(step.depth, 12)) + source.trim();
    const lanes = threads.length > 1 && threads.length <= MOST_LANES
      ? el("span", { class: "lanes", "aria-hidden": "true" }, ...threads.map((name) => el("span", { class: "lane", title: plain(name) }, step.thread === name ? "●" : "")))
      : null;
    return el("a", {
      class: "step code " + (step.kind || ""), href: "#step=" + (index + 1), style: "top:" + index * HEIGHT + "px",
      "aria-current": index === chosen.step ? "step" : null, title: plain(step.note),
    },
      el("span", { class: "at" }, step.place ? String(step.place[1]) : "…"), lanes,
      step.thread ? el("span", { class: "who" }, ...shown("[" + step.thread + "]")) : null,
      el("span", { class: "what" }, ...shown(what)), el("span", { class: "note" }, ...shown(step.note)));
  }

  let listed = null;
  function listSteps(force) {
    const pane = find("steps");
    const first = Math.max(0, Math.floor(pane.scrollTop / HEIGHT) - 10);
    const last = Math.min(steps.length, Math.ceil((pane.scrollTop + pane.clientHeight) / HEIGHT) + 10);
    const now = first + "-" + last + "-" + chosen.step;
    if (now === listed && !force) return;
    listed = now;
    const rows = [];
    for (let index = first; index < last; index++) rows.push(stepRow(index));
    all.replaceChildren(...rows);
  }

  function showStep() {
    const pane = find("steps");
    const top = chosen.step * HEIGHT;
    if (top < pane.scrollTop + HEIGHT || top > pane.scrollTop + pane.clientHeight - 2 * HEIGHT) {
      pane.scrollTop = Math.max(0, top - pane.clientHeight / 2);
    }
    listSteps(true);
  }

  /** The next step that is not deeper in calls; in a thread of its own, of the same thread. */
  function over(direction) {
    const here = steps[chosen.step];
    for (let index = chosen.step + direction; index >= 0 && index < steps.length; index += direction) {
      if (steps[index].depth <= here.depth && (!here.thread || steps[index].thread === here.thread)) return index;
    }
    return direction > 0 ? steps.length - 1 : 0;
  }
  function out() {
    const here = steps[chosen.step];
    for (let index = chosen.step + 1; index < steps.length; index++) if (steps[index].depth < here.depth) return index;
    return steps.length - 1;
  }

  const moves = {
    first: () => 0,
    back: () => chosen.step - 1,
    forward: () => chosen.step + 1,
    last: () => steps.length - 1,
    over: () => over(1),
    out,
  };
  function move(name) {
    select({ step: Math.max(0, Math.min(steps.length - 1, moves[name]())) });
  }

  function buildControls() {
    const button = (name, sign, title) => el("button", { id: "go-" + name, title, "aria-label": title, click: () => move(name) }, sign);
    find("controls").append(
      button("first", "|◀", "First step (Home)"), button("back", "◀", "Step back (left arrow)"),
      button("forward", "▶", "Step forward (right arrow)"), button("last", "▶|", "Last step (End)"),
      button("over", "over", "Step over calls (o)"), button("out", "out", "Step out of the call (u)"),
      el("input", { type: "range", id: "slider", min: 1, max: steps.length, value: 1, "aria-label": "Step", input: (event) => select({ step: Number(event.target.value) - 1 }) }),
      el("output", { id: "position" }));
    find("controls").hidden = false;
    find("steps").hidden = false;
    find("values").hidden = false;
    all.style.height = steps.length * HEIGHT + "px";
    find("steps").append(all);
    find("steps").addEventListener("scroll", () => listSteps(false), { passive: true });
  }

  // ---- Automaton -----------------------------------------------------------------------------------------------

  const graphs = [];
  const RADIUS = 13;
  const svg = (tag, attributes, ...children) => el(tag, { svg: true, ...attributes }, ...children);

  /** A path through points that begins and ends at the rims of nodes. */
  function path(way) {
    const rim = (from, to) => {
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const length = Math.hypot(dx, dy) || 1;
      return [from[0] + (dx / length) * RADIUS, from[1] + (dy / length) * RADIUS];
    };
    const points = way.slice();
    points[0] = rim(way[0], way[1] || way[0]);
    points[points.length - 1] = rim(way[way.length - 1], way[way.length - 2] || way[0]);
    let text = "M" + points[0].map(Math.round);
    for (let index = 1; index < points.length; index++) {
      const [a, b] = [points[index - 1], points[index]];
      const middle = (a[1] + b[1]) / 2;
      text += "C" + [a[0], middle, b[0], middle, b[0], b[1]].map(Math.round);
    }
    return text;
  }

  const short = (text, most) => (Array.from(text).length > most ? Array.from(text).slice(0, most - 1).join("") + "…" : text);

  function draw(graph, inside) {
    const parts = { edges: [], nodes: [], name: graph.name, anywhere: graph.anywhere };
    const arrow = "arrow" + graphs.length;
    const picture = svg("svg", { viewBox: "0 0 " + graph.width + " " + graph.height, width: graph.width, height: graph.height, role: "img", "aria-label": "The automaton of " + plain(graph.name) },
      svg("defs", {}, svg("marker", { id: arrow, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0,0L8,4L0,8z", fill: "currentColor" }))));
    const seen = new Map();
    for (const edge of graph.edges) {
      const pair = edge.from + ">" + edge.to;
      const twin = seen.get(pair) || 0;
      seen.set(pair, twin + 1);
      const way = edge.way.map(([x, y], index) => (twin && index > 0 && index < edge.way.length - 1 ? [x + 14 * twin, y] : [x, y]));
      if (twin && way.length === 2) way.splice(1, 0, [(way[0][0] + way[1][0]) / 2 + 24 * twin, (way[0][1] + way[1][1]) / 2]);
      const middle = way.length === 2
        ? [(way[0][0] + way[1][0]) / 2, (way[0][1] + way[1][1]) / 2]
        : [(way[0][0] + way[1][0] * 3) / 4, (way[0][1] + way[1][1] * 3) / 4];
      const made = svg("g", { class: "edge" + (edge.call ? " call" : ""), click: () => edge.places.length && select({ place: edge.places[0].slice(0, 2) }) },
        svg("title", {}, plain(edge.title || edge.label)),
        svg("path", { d: path(way), "marker-end": "url(#" + arrow + ")" }),
        svg("text", { x: middle[0] + 5, y: middle[1] + 3 }, plain(short(edge.label, 24))));
      parts.edges.push([edge, made]);
      picture.append(made);
    }
    for (const node of graph.nodes) {
      const line = node.place ? node.place[1] : "";
      const name = node.title || node.id + (line ? ", line " + line : "") + (node.kind ? ", " + node.kind : "");
      const made = svg("g", { class: "node " + node.kind, tabindex: node.place ? 0 : null, "aria-label": name,
        click: () => node.place && chooseLine(key(node.place)),
        keydown: (event) => { if (event.key === "Enter" && node.place) chooseLine(key(node.place)); } },
        svg("title", {}, name),
        svg("circle", { cx: node.x, cy: node.y, r: RADIUS }),
        svg("text", { x: node.x, y: node.y + 4, "text-anchor": "middle" }, String(line || node.id)),
        node.caption ? svg("text", { class: "caption", x: node.x - RADIUS - 6, y: node.y + 4, "text-anchor": "end" }, plain(short(node.caption, 26))) : null);
      parts.nodes.push([node, made]);
      picture.append(made);
    }
    inside.append(picture);
    graphs.push(parts);
    showGraph();
  }

  function showGraph() {
    const step = steps[chosen.step];
    const place = chosen.place;
    const procedure = step && step.place === place ? step.procedure : null;
    const same = (other) => place && other && other[0] === place[0] && other[1] === place[1];
    for (const graph of graphs) {
      const here = !procedure || graph.anywhere || procedure === graph.name;
      for (const [edge, made] of graph.edges) made.classList.toggle("now", Boolean(here && edge.places.some(same)));
      for (const [node, made] of graph.nodes) made.classList.toggle("now", Boolean(here && same(node.place)));
    }
  }

  function buildAutomaton() {
    const automaton = facts.automaton;
    if (!automaton) return null;
    if (automaton.why) return section("Program automaton", el("p", { class: "quiet" }, automaton.why));
    if (!automaton.locations) return section("Program automaton", el("p", { class: "quiet" }, "It is empty: no way through the program leads to a check."));
    const parts = automaton.procedures.map((graph) => {
      const title = plain(graph.name) + ", " + graph.size + " locations";
      if (!graph.nodes) return el("p", { class: "quiet" }, title + ": too large to be drawn");
      const inside = el("div", { class: "inside" });
      const made = el("details", {}, el("summary", {}, title), inside);
      made.addEventListener("toggle", () => { if (made.open && !inside.firstChild) draw(graph, inside); });
      // Large graphs are drawn when somebody asks for them.
      if (graph.size <= 40 && automaton.locations <= 80) made.open = true;
      return made;
    });
    const hint = el("p", { class: "quiet" }, "Numbers are lines; loops are blue, errors red, calls dashed. The current step is highlighted.");
    return section("Program automaton (" + automaton.locations + " locations)", hint, ...parts);
  }

  /** A Floyd-Hoare automaton as a graph to be drawn. */
  function proofGraph(automaton, number) {
    const words = (label) => (label === null ? "…" : label);
    // There has to be room for what stands beside states and arrows.
    const wide = (x) => x * 2 + 90;
    const nodes = automaton.nodes.map((node, state) => {
      const label = words(automaton.labels[state]);
      return { ...node, x: wide(node.x), id: "q" + state, kind: label === "false" ? "error" : node.initial ? "start" : "", caption: label, title: "q" + state + ": " + label, place: null };
    });
    const edges = automaton.edges.map((edge) => ({
      ...edge, way: edge.way.map(([x, y]) => [wide(x), y]), label: edge.count > 1 ? edge.count + " letters" : edge.letters[0] || "", title: edge.letters.join("\n") + (edge.count > edge.letters.length ? "\n…" : ""),
    }));
    return { name: "automaton " + number, anywhere: true, nodes, edges, width: wide(automaton.width) + 60, height: automaton.height };
  }

  function buildProofAutomata() {
    const all = reasons.automata || [];
    if (!all.length) return null;
    const parts = all.map((automaton, index) => {
      const title = "Automaton " + (index + 1) + ": " + automaton.states + " states, " + automaton.transitions.toLocaleString("en") + " transitions";
      const inside = el("div", { class: "inside" });
      const made = el("details", { class: "proof-automaton" }, el("summary", {}, title), inside);
      made.addEventListener("toggle", () => {
        if (!made.open || inside.firstChild) return;
        const rows = automaton.labels.map((label, state) => el("tr", {}, el("td", { class: "code" }, "q" + state), el("td", { class: "code" }, ...(label === null ? ["…"] : shown(label)))));
        const labels = table(["state", "what holds there"], rows);
        if (automaton.nodes) draw(proofGraph(automaton, index + 1), inside);
        else inside.append(el("p", { class: "quiet" }, "Too large to be drawn; these are labels of its states."));
        inside.append(labels);
      });
      if (all.length === 1 && automaton.nodes && automaton.states <= 12) made.open = true;
      return made;
    });
    const hint = el("p", { class: "quiet" }, "Every state is labelled with what holds there, every transition is a Hoare triple, and every error trace runs into false. "
      + "The letters of the chosen line are highlighted; … is what the source has no words for.");
    return section("Floyd-Hoare automata of the proof (" + all.length + ")", hint, ...parts);
  }

  // ---- The rest ------------------------------------------------------------------------------------------------

  function section(title, ...inside) {
    return el("details", {}, el("summary", {}, title), el("div", { class: "inside" }, ...inside));
  }

  const lineOf = (place) => (place ? (files.length > 1 ? files[place[0]].name + ":" : "") + place[1] : "");

  function table(head, rows) {
    return el("table", {}, el("thead", {}, el("tr", {}, ...head.map((name) => el("th", {}, name)))), el("tbody", {}, ...rows));
  }

  function factRow(place, ...cells) {
    const go = (event) => { if (place && !event.target.closest("details, a")) select({ place }); };
    return el("tr", { class: "fact", tabindex: 0, click: go, keydown: (event) => { if (event.key === "Enter") go(event); } },
      el("td", { class: "code" }, lineOf(place)), ...cells);
  }

  function buildBelow() {
    const parts = [];
    if (facts.invariants.length) {
      const rows = facts.invariants.map((one) => factRow(one.place,
        el("td", {}, ...shown((one.of ? one.of + " " : "") + one.kind)), el("td", { class: "code" }, ...shown(one.formula), whyOfInvariant(one))));
      const made = section((facts.kind === "true" ? "What the proof says (" : "What holds all the same (") + rows.length + ")", table(["line", "what", "formula"], rows));
      made.open = true;
      parts.push(made);
    }
    if (facts.checks.length) {
      const count = (status) => facts.checks.filter((check) => check.status === status).length;
      const counts = WORST.filter(count).map((status) => count(status) + " " + status).join(", ");
      const rows = facts.checks.slice(0, 2000).map((check) => factRow(check.place,
        el("td", { class: "status " + (check.vacuous ? "vacuous" : check.status) }, (check.vacuous ? "∅ " : SIGNS[check.status] + " ") + statusOf(check)),
        el("td", { class: "code" }, ...shown(check.what), whyOfCheck(check)), el("td", {}, ...shown(check.procedure || ""))));
      const made = section("Assertions (" + counts + ")", table(["line", "status", "assertion", "in"], rows));
      made.open = facts.checks.length <= 12;
      parts.push(made);
    }
    parts.push(buildAutomaton());
    parts.push(buildProofAutomata());
    const rows = facts.counted.flatMap((part) => [
      el("tr", {}, el("th", { colspan: 2 }, part.engine)),
      ...part.entries.map(([meaning, value]) => el("tr", {}, el("td", {}, meaning), el("td", {}, value.toLocaleString("en")))),
    ]);
    parts.push(section("Statistics", facts.seconds === null ? null : el("p", {}, "Time: " + facts.seconds + " s"), el("table", {}, el("tbody", {}, ...rows))));
    const links = facts.downloads.map((file) => el("li", {},
      file.text === null ? plain(file.name) + " is too large to be in this page"
        : el("a", { download: file.name, href: "data:" + file.media + ";charset=utf-8," + encodeURIComponent(file.text) }, file.name),
      " ", el("span", { class: "quiet" }, file.size.toLocaleString("en") + " bytes")));
    parts.push(section("Downloads", el("ul", {}, ...links)));
    parts.push(section("Keys",
      el("p", {}, el("kbd", {}, "←"), " ", el("kbd", {}, "→"), " step, ", el("kbd", {}, "Home"), " ", el("kbd", {}, "End"), " first and last step, ",
        el("kbd", {}, "o"), " over calls, ", el("kbd", {}, "u"), " out of a call. A click on a line leads to its next step. ",
        "Every step and every line has a link.")));
    find("below").append(...parts.filter(Boolean));
  }

  /** What there is to know about a proof besides what it says. */
  function proofNotes() {
    const notes = [];
    const vacuous = facts.checks.filter((check) => check.vacuous).length;
    if (vacuous) notes.push((vacuous === 1 ? "One check is" : vacuous + " checks are") + " vacuous (∅): no execution comes there, so that the proof says nothing about it.");
    if (reasons.lines) {
      const of = needed.size + unneeded.size;
      notes.push(unneeded.size === 0
        ? "The proof needs all " + of + " lines before its checks."
        : "The proof needs " + needed.size + " of the " + of + " lines before its checks, marked on the left; it would hold whatever the pale ones did to the variables that they change.");
    }
    if (reasons.by === "unwinding") notes.push("All executions were followed to their ends, so there are no invariants; which lines that needed is not known.");
    if (reasons.by === "parts") notes.push("The checks were proven in parts, each while the others were assumed.");
    return notes;
  }

  function buildHead() {
    const theme = () => {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    };
    const inputs = Array.isArray(facts.inputs)
      ? facts.inputs.map((input) => input.call + " = " + input.value + (input.line ? " (line " + input.line + ")" : ""))
      : Object.entries(facts.inputs || {}).map(([name, value]) => name + " = " + value);
    const more = inputs.length > 30 ? ", … and " + (inputs.length - 30) + " more" : "";
    const engine = facts.engine ? "engine " + facts.engine.name + ", " : "";
    find("head").append(...[
      el("h1", {}, el("span", { class: "badge " + facts.kind }, facts.verdict.replace(/^UNKNOWN.*/s, "UNKNOWN")), el("span", { class: "name" }, ...shown(facts.name)),
        el("span", { class: "spacer" }), el("button", { id: "theme", title: "Light or dark", "aria-label": "Light or dark", click: theme }, "◐")),
      el("p", {}, ...shown(facts.kind === "unknown" ? facts.verdict : facts.summary)),
      inputs.length ? el("p", {}, el("b", {}, "Inputs: "), el("span", { class: "code" }, ...shown(inputs.slice(0, 30).join(", ") + more))) : null,
      ...proofNotes().map((text) => el("p", { class: "proof-note" }, text)),
      facts.advice.length ? el("ul", {}, ...facts.advice.map((text) => el("li", {}, ...shown(text)))) : null,
      el("p", { class: "quiet" }, "property " + facts.property + ", " + engine + (facts.seconds === null ? "" : facts.seconds + " s, ") + "Unreach " + facts.version),
    ].filter(Boolean));
  }

  // ---- One selection for all panes -----------------------------------------------------------------------------

  const chosen = { step: 0, place: null };

  function select(wanted, keepLink) {
    if (wanted.step !== undefined) {
      if (!(wanted.step >= 0 && wanted.step < steps.length)) return;
      chosen.step = wanted.step;
      const step = steps[chosen.step];
      chosen.place = step.place;
      showPlace(step.place, step.note);
      showStep();
      showValues();
      find("slider").value = chosen.step + 1;
      find("position").textContent = "step " + (chosen.step + 1) + " of " + steps.length;
      const line = step.place ? "line " + step.place[1] + ", " : "";
      find("spoken").textContent = "Step " + (chosen.step + 1) + ", " + line + plain(step.note);
      for (const name of ["first", "back"]) find("go-" + name).disabled = chosen.step === 0;
      for (const name of ["forward", "last", "over", "out"]) find("go-" + name).disabled = chosen.step === steps.length - 1;
      if (!keepLink) link("step=" + (chosen.step + 1));
    } else {
      chosen.place = wanted.place;
      showPlace(wanted.place, null);
      if (!keepLink) link("line=" + key(wanted.place));
    }
    showGraph();
  }

  function link(text) {
    // Some browsers let a page of a file not change its address; the step is shown all the same.
    try { history.replaceState(null, "", "#" + text); } catch { /* The link stays as it was. */ }
  }

  function follow() {
    const step = /^#step=(\d+)$/.exec(location.hash);
    const line = /^#line=(\d+):(\d+)$/.exec(location.hash);
    if (step && steps.length) select({ step: Math.max(1, Math.min(steps.length, Number(step[1]))) - 1 }, true);
    else if (line && files[Number(line[1])]) select({ place: [Number(line[1]), Number(line[2])] }, true);
    else if (steps.length) select({ step: steps.length - 1 }, true);
  }

  const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", o: "over", u: "out" };
  document.addEventListener("keydown", (event) => {
    const name = KEYS[event.key];
    if (!name || !steps.length || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    event.preventDefault();
    move(name);
  });

  buildHead();
  if (steps.length) buildControls(); else find("panes").classList.add("alone");
  buildBelow();
  showFile(0);
  window.addEventListener("hashchange", follow);
  window.addEventListener("resize", () => { if (steps.length) listSteps(true); });
  follow();
})();
