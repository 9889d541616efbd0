// The page of the playground: sends a program, follows the run, and shows its report. What comes from the server is put into
// the page as text, never as markup; the report is a document of its own in a frame without rights.
"use strict";

const at = (id) => document.getElementById(id);
const CHECKS = ["memory", "leaks", "overflow", "unsigned-overflow", "conversion", "division", "shift", "pointer-overflow", "uninitialised", "data-race"];
const FIRST = `#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, sum = 0;
    if (n < 0 || n > 1000) return 0;
    while (i < n) {
        sum += 2;
        i++;
    }
    assert(sum == 2 * n);
    return 0;
}
`;
let examples = [];
let run = null;

function numberLines() {
  const count = at("text").value.split("\n").length;
  if (at("lines").dataset.count !== String(count)) {
    at("lines").dataset.count = String(count);
    at("lines").textContent = Array.from({ length: count }, (_, line) => line + 1).join("\n");
  }
  at("lines").scrollTop = at("text").scrollTop;
}

function showLanguage() {
  at("of-c").hidden = at("language").value !== "c";
}

function setText(text, language) {
  at("text").value = text;
  at("language").value = language;
  showLanguage();
  numberLines();
}

function option(value, text) {
  const made = document.createElement("option");
  made.value = value;
  made.textContent = text;
  return made;
}

async function ask(method, path, body) {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  const response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error || response.statusText);
  return answer;
}

async function load() {
  for (const check of CHECKS) {
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.value = check;
    label.append(box, " " + check);
    at("checks").append(label);
  }
  const known = await ask("GET", "/examples");
  examples = known.examples;
  at("seconds").max = known.seconds;
  at("seconds").value = Math.min(20, known.seconds);
  for (const name of known.engines) at("engine").append(option(name, name));
  const groups = new Map();
  examples.forEach((example, index) => {
    if (!groups.has(example.group)) {
      const group = document.createElement("optgroup");
      group.label = example.group;
      groups.set(example.group, group);
      at("example").append(group);
    }
    groups.get(example.group).append(option(String(index), example.name));
  });
}

function say(text, kind) {
  at("verdict").textContent = text;
  at("verdict").dataset.kind = kind;
}

function kindOf(answer) {
  if (answer.code === 0) return "true";
  if (answer.code === 1) return "false";
  return answer.code === 2 ? "unknown" : "error";
}

function question() {
  const checks = [...at("checks").querySelectorAll("input:checked")].map((box) => box.value);
  const asked = {
    language: at("language").value,
    text: at("text").value,
    property: at("property").value,
    seconds: Number(at("seconds").value) || 20,
    engine: at("engine").value,
    all: at("all").checked,
  };
  if (asked.language === "c") {
    asked.checks = checks;
    asked.data_model = at("data-model").value;
    asked.function = at("function").value.trim();
  }
  return asked;
}

async function verify() {
  if (run !== null) return;
  at("run").disabled = true;
  at("report").hidden = true;
  at("words").hidden = true;
  at("progress").textContent = "";
  say("Running …", "running");
  try {
    run = (await ask("POST", "/runs", question())).run;
    at("stop").disabled = false;
    for (;;) {
      const state = await ask("GET", "/runs/" + run);
      at("progress").textContent = state.progress.slice(-12).join("\n");
      at("progress").scrollTop = at("progress").scrollHeight;
      if (state.state === "ended") {
        show(state);
        break;
      }
      say("Running … " + state.seconds.toFixed(1) + " s", "running");
      await new Promise((resume) => setTimeout(resume, state.seconds < 1 ? 60 : 250));
    }
  } catch (error) {
    say(error.message, "error");
  }
  run = null;
  at("run").disabled = false;
  at("stop").disabled = true;
}

function show(state) {
  const verdict = state.verdict || (state.code === null ? "stopped" : "no answer: see the messages below");
  say(verdict + "  (" + state.seconds.toFixed(2) + " s)", kindOf(state));
  at("output").textContent = state.output;
  at("words").hidden = state.output === "";
  if (state.report) {
    at("report").src = "/runs/" + run + "/report";
    at("report").hidden = false;
  }
}

at("text").addEventListener("input", numberLines);
at("text").addEventListener("scroll", numberLines);
at("text").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    verify();
  }
});
at("language").addEventListener("change", showLanguage);
at("example").addEventListener("change", () => {
  const example = examples[Number(at("example").value)];
  if (at("example").value !== "" && example) setText(example.text, example.language);
});
at("run").addEventListener("click", verify);
at("stop").addEventListener("click", () => {
  if (run !== null) ask("POST", "/runs/" + run + "/stop", {}).catch((error) => say(error.message, "error"));
});
setText(FIRST, "c");
load().catch((error) => say(error.message, "error"));
