// Loads the packaged extension in a real VS Code (code-server, in headless Chromium) and waits until the editor shows what it is there for.
//
//   node host/try.mjs CODE_SERVER UNREACH EXTENSION.vsix [PICTURES]
//
// CODE_SERVER is the folder of the npm package `code-server`, which has to be installed (see README.md), UNREACH the program. A proof and a failing program are opened;
// the lenses, the hints, the marks in the margin, the errors and the status bar are read from the page. Exit code 1 and what is missing otherwise.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [codeServer, unreach, extension, pictures] = process.argv.slice(2).map((path) => resolve(path));
if (!extension) {
  console.error("usage: node host/try.mjs CODE_SERVER UNREACH EXTENSION.vsix [PICTURES]");
  process.exit(2);
}
const WebSocket = createRequire(join(codeServer, "package.json"))("ws");
const PATIENCE = 90_000;
const folder = mkdtempSync(join(tmpdir(), "unreach-host-"));
const port = 18_000 + (process.pid % 2_000);
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

const PROVEN = `extern int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 0 || n > 1000)
        return 0;
    while (i < n)
        i = i + 1;
    assert(i == n);
    return 0;
}
`;
const LOOP = `procedure main(n: int) {
  var x, y: int;
  assume n > 0;
  x := 0; y := 0;
  while (x < n) {
    x := x + 1; y := y + 2;
  }
  assert y == 2 * n;
}
`;
const FAILS = `procedure main(n: int) {
  var x: int;
  x := n;
  assume n > 3;
  assert x != 12;
}
`;

function prepare() {
  // The program is a setting of the machine, and the machine is that of the server.
  const [user, machine] = ["User", "Machine"].map((name) => join(folder, "user", name));
  for (const place of [user, machine]) mkdirSync(place, { recursive: true });
  writeFileSync(join(machine, "settings.json"), JSON.stringify({ "unreach.path": unreach }));
  mkdirSync(join(folder, "work"));
  writeFileSync(join(folder, "work", "proven.c"), PROVEN);
  writeFileSync(join(folder, "work", "loop.bpl"), LOOP);
  writeFileSync(join(folder, "work", "fails.bpl"), FAILS);
  writeFileSync(join(user, "settings.json"), JSON.stringify({
    "editor.inlayHints.enabled": "on", "workbench.startupEditor": "none",
    "security.workspace.trust.enabled": false, "telemetry.telemetryLevel": "off", "update.mode": "none",
    "extensions.ignoreRecommendations": true,
  }));
}

const entry = join(codeServer, "out", "node", "entry.js");
const places = ["--user-data-dir", join(folder, "user"), "--extensions-dir", join(folder, "extensions"), "--config", join(folder, "config.yaml")];

/** A page of the browser, driven by the protocol of its developer tools. */
class Page {
  static async open(address, debugging) {
    const target = await (await fetch(`http://127.0.0.1:${debugging}/json/new?${encodeURIComponent(address)}`, { method: "PUT" })).json();
    const page = new Page();
    page.socket = new WebSocket(target.webSocketDebuggerUrl, { perMessageDeflate: false });
    page.waiting = new Map();
    page.count = 0;
    await new Promise((done, failed) => { page.socket.on("open", done); page.socket.on("error", failed); });
    page.socket.on("message", (data) => {
      const { id, result } = JSON.parse(data);
      page.waiting.get(id)?.(result);
      page.waiting.delete(id);
    });
    return page;
  }
  send(method, params = {}) {
    const id = ++this.count;
    return new Promise((done) => { this.waiting.set(id, done); this.socket.send(JSON.stringify({ id, method, params })); });
  }
  async evaluate(expression) {
    return (await this.send("Runtime.evaluate", { expression, returnByValue: true }))?.result?.value;
  }
  async until(what, expression) {
    const end = Date.now() + PATIENCE;
    let last;
    while (Date.now() < end) {
      last = await this.evaluate(expression);
      if (last) { console.log(`${what}: ${last}`); return; }
      await sleep(300);
    }
    await this.picture("missing");
    throw new Error(`not shown: ${what}`);
  }
  async picture(name) {
    if (!pictures) return;
    mkdirSync(pictures, { recursive: true });
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    writeFileSync(join(pictures, `${name}.png`), Buffer.from(data, "base64"));
  }
}

/** The texts of elements that contain a word, as the editor writes them (with spaces that do not break). */
const texts = (selector, word) => `[...document.querySelectorAll(${JSON.stringify(selector)})].map((it) => it.textContent.replaceAll("\\u00a0", " ")).filter((it) => it.includes(${JSON.stringify(word)})).join(" | ")`;

/** The icons in the margin are those of the extension. */
const MARK = `[...document.querySelectorAll(".glyph-margin-widgets .cgmr, .margin .cgmr")].some((it) => getComputedStyle(it).backgroundImage.includes("unreach")) && "drawn"`;

async function look(debugging) {
  const address = (file) => `http://127.0.0.1:${port}/?folder=${join(folder, "work")}&payload=${encodeURIComponent(JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${port}${join(folder, "work", file)}`]]))}`;
  const proven = await Page.open(address("proven.c"), debugging);
  await proven.until("the workbench", `document.querySelector(".monaco-workbench .statusbar") && "drawn"`);
  await proven.until("a lens", texts(".codelens-decoration", "proven"));
  await proven.until("a word in the status bar", texts(".statusbar-item", "Unreach: proven"));
  await proven.until("a mark in the margin", MARK);
  await proven.picture("proven");
  proven.socket.close();
  const loop = await Page.open(address("loop.bpl"), debugging);
  await loop.until("a lens", texts(".codelens-decoration", "proven"));
  await loop.until("a hint with an invariant", texts(".view-line", "invariant"));
  await loop.until("a mark in the margin", MARK);
  await loop.picture("loop");
  loop.socket.close();
  const fails = await Page.open(address("fails.bpl"), debugging);
  await fails.until("a lens", texts(".codelens-decoration", "fail"));
  await fails.until("an error under the assertion", `document.querySelectorAll(".squiggly-error").length && "drawn"`);
  await fails.picture("fails");
  fails.socket.close();
}

const children = [];
const start = (program, options, environment = {}) => {
  const child = spawn(program, options, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment } });
  children.push(child);
  return child;
};

async function main() {
  prepare();
  const installed = spawnSync(process.execPath, [entry, ...places, "--install-extension", extension], { encoding: "utf8" });
  if (installed.status !== 0) throw new Error(`the extension cannot be installed: ${installed.stdout}${installed.stderr}`);
  console.log(spawnSync(process.execPath, [entry, ...places, "--version"], { encoding: "utf8" }).stdout.trim());
  start(process.execPath, [entry, ...places, "--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-telemetry", "--disable-update-check", join(folder, "work")]);
  const browser = start("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1300,800", "--remote-debugging-port=0", `--user-data-dir=${join(folder, "browser")}`, "about:blank"]);
  const debugging = await new Promise((done, failed) => {
    let said = "";
    browser.stderr.on("data", (data) => { said += data; const found = said.match(/ws:\/\/127\.0\.0\.1:(\d+)\//); if (found) done(Number(found[1])); });
    browser.on("error", () => failed(new Error("there is no chromium")));
    browser.on("exit", () => failed(new Error(`chromium has ended: ${said}`)));
  });
  const end = Date.now() + PATIENCE;
  while (Date.now() < end && !(await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok) await sleep(300);
  await look(debugging);
}

try {
  await main();
  console.log("everything is shown");
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  for (const child of children) child.kill();
  await sleep(500);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit();
}
