// The extension in an editor that is a stub: what it draws, and what it sends to a server that is a stub, too.

import assert from "node:assert";
import Module from "node:module";
import { test } from "node:test";

interface Drawn {
  icon: string;
  lines: number[];
}

const sent: unknown[] = [];
const told: string[] = [];
const commands = new Map<string, () => Promise<void>>();
let notified: ((status: unknown) => void) | undefined;
let refuses = false;
let drawn: Drawn[] = [];

const uri = { toString: () => "file:///a.bpl" };
const document = { languageId: "boogie", version: 3, uri };
const editor = {
  document,
  setDecorations: (icon: string, ranges: { range: { line: number } }[]) => {
    drawn.push({ icon, lines: ranges.map(({ range }) => range.line) });
  },
};
const bar = { text: "", tooltip: "", command: "", show() {}, hide() {}, dispose() {} };

const stubs: Record<string, unknown> = {
  vscode: {
    window: {
      activeTextEditor: editor,
      visibleTextEditors: [editor],
      createStatusBarItem: () => bar,
      createTextEditorDecorationType: ({ gutterIconPath }: { gutterIconPath: string }) => gutterIconPath,
      onDidChangeActiveTextEditor: () => ({ dispose() {} }),
      onDidChangeVisibleTextEditors: () => ({ dispose() {} }),
      showInformationMessage: (text: string) => told.push(text),
    },
    workspace: { getConfiguration: () => ({ get: (name: string) => (name === "path" ? "/opt/unreach" : undefined) }) },
    commands: {
      registerCommand: (name: string, run: () => Promise<void>) => {
        commands.set(name, run);
        return { dispose() {} };
      },
    },
    Uri: { parse: (text: string) => ({ toString: () => text }), joinPath: (...parts: string[]) => parts.join("/") },
    Range: class { constructor(public line: number) {} },
    MarkdownString: class { value = ""; appendText(text: string) { this.value += text; return this; } },
    StatusBarAlignment: { Left: 1 },
  },
  "vscode-languageclient/node": {
    LanguageClient: class {
      constructor(_id: string, _name: string, server: unknown, options: unknown) { sent.push({ server, options }); }
      onNotification(name: string, heard: (status: unknown) => void) { assert.equal(name, "unreach/status"); notified = heard; }
      async start() {}
      async stop() {}
      async sendRequest(method: string, parameters: unknown) {
        if (refuses) throw new Error("nothing is known about the text");
        sent.push({ method, parameters });
      }
    },
  },
};

const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown };
const load = loader._load;
loader._load = (name, ...rest) => stubs[name] ?? load(name, ...rest);

const mark = (line: number, state: string) => ({ range: { start: { line, character: 0 }, end: { line, character: 1 } }, state });
const icon = (state: string) => `/extension/icons/${state}.svg`;

test("the margin follows what the server says", async () => {
  const { activate } = await import("../src/extension.js");
  await activate({ subscriptions: [], extensionUri: "/extension" } as never);
  const first = sent[0] as { server: { run: { command: string; args: string[] } } };
  assert.deepEqual([first.server.run.command, first.server.run.args], ["/opt/unreach", ["lsp"]]);

  notified!({ uri: "file:///a.bpl", version: 3, state: "fails", verdict: "FALSE(assert)", marks: [mark(4, "fails"), mark(6, "proven")] });
  assert.equal(bar.text, "$(error) Unreach: can fail");
  const at = (state: string) => drawn.find((one) => one.icon === icon(state))?.lines;
  assert.deepEqual([at("fails"), at("proven"), at("running")], [[4], [6], []]);

  // What is said about an older text is not drawn.
  drawn = [];
  notified!({ uri: "file:///a.bpl", version: 2, state: "proven", verdict: "TRUE", marks: [mark(1, "proven")] });
  assert.deepEqual(drawn, []);
  document.version = 4;
  notified!({ uri: "file:///a.bpl", version: 4, state: "stale", verdict: "", marks: [mark(5, "stale")] });
  assert.deepEqual([at("stale"), at("fails")], [[5], []]);
});

test("the report is asked for, and a refusal is told", async () => {
  await commands.get("unreach.showReport")!();
  assert.deepEqual(sent.at(-1), {
    method: "workspace/executeCommand", parameters: { command: "unreach.report", arguments: ["file:///a.bpl"] },
  });
  refuses = true;
  await commands.get("unreach.showReport")!();
  assert.deepEqual(told, ["Unreach: nothing is known about the text"]);
});
