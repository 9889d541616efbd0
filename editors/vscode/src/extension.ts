// The extension starts the server, shows what it says in the margin and in the status bar, and opens its report.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { MarkState, STATES, margin } from "./margin";
import { Status, statusText, wishes } from "./words";

let client: LanguageClient | undefined;
let bar: vscode.StatusBarItem;
const known = new Map<string, Status>();
const icons = new Map<MarkState, vscode.TextEditorDecorationType>();

function show(): void {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !["boogie", "c"].includes(document.languageId)) {
    bar.hide();
    return;
  }
  const status = known.get(document.uri.toString());
  bar.text = statusText(status);
  bar.tooltip = status?.verdict || "Unreach verifies this file";
  bar.show();
}

/** Draws the icons in the margin of every editor that shows a file of which something is known. */
function showMargins(): void {
  for (const editor of vscode.window.visibleTextEditors) {
    const status = known.get(editor.document.uri.toString());
    // What is said about an older text would stand at the wrong lines.
    if (!status || status.version !== editor.document.version) continue;
    for (const [state, lines] of margin(status.marks ?? [])) {
      const ranges = lines.map(({ line, what }) => ({
        range: new vscode.Range(line, 0, line, 0),
        hoverMessage: what === "" ? undefined : new vscode.MarkdownString().appendText(what),
      }));
      editor.setDecorations(icons.get(state)!, ranges);
    }
  }
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("unreach");
  const run = { command: settings.get<string>("path") ?? "unreach", args: ["lsp"] };
  client = new LanguageClient("unreach", "Unreach", { run, debug: run }, {
    documentSelector: [{ language: "boogie" }, { language: "c" }],
    initializationOptions: wishes((name) => settings.get(name)),
  });
  client.onNotification("unreach/status", (status: Status) => {
    known.set(vscode.Uri.parse(status.uri).toString(), status);
    show();
    showMargins();
  });
  await client.start();
}

/** Sends a command of the server about the file that is being edited. */
async function ask(command: string): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !client) return;
  try {
    await client.sendRequest("workspace/executeCommand", { command, arguments: [document.uri.toString()] });
  } catch (error) {
    void vscode.window.showInformationMessage(`Unreach: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  bar = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  bar.command = "unreach.showReport";
  for (const state of STATES) {
    const gutterIconPath = vscode.Uri.joinPath(context.extensionUri, "icons", `${state}.svg`);
    const icon = vscode.window.createTextEditorDecorationType({ gutterIconPath, gutterIconSize: "80%" });
    icons.set(state, icon);
    context.subscriptions.push(icon);
  }
  context.subscriptions.push(
    bar,
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.window.onDidChangeVisibleTextEditors(showMargins),
    vscode.commands.registerCommand("unreach.verifyThis", () => ask("unreach.verify")),
    vscode.commands.registerCommand("unreach.showReport", () => ask("unreach.report")),
    vscode.commands.registerCommand("unreach.restart", async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
  show();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
