// The extension starts the server, shows what it says in the status bar, and opens its report.

import * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { Status, statusText, wishes } from "./words";

let client: LanguageClient | undefined;
let bar: vscode.StatusBarItem;
const known = new Map<string, Status>();

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

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("unreach");
  const run = { command: settings.get<string>("path") ?? "unreach", args: ["lsp"], transport: TransportKind.stdio };
  client = new LanguageClient("unreach", "Unreach", { run, debug: run }, {
    documentSelector: [{ language: "boogie" }, { language: "c" }],
    initializationOptions: wishes((name) => settings.get(name)),
  });
  client.onNotification("unreach/status", (status: Status) => {
    known.set(vscode.Uri.parse(status.uri).toString(), status);
    show();
  });
  await client.start();
}

/** Sends a command of the server about the file that is being edited. */
async function ask(command: string): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document && client) {
    await client.sendRequest("workspace/executeCommand", { command, arguments: [document.uri.toString()] });
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  bar = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  bar.command = "unreach.showReport";
  context.subscriptions.push(
    bar,
    vscode.window.onDidChangeActiveTextEditor(show),
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
