// What the status bar says, and what the server is told: no editor is needed for either, so tests can call it.

import { Mark } from "./margin";

/** What the server says about a file. */
export interface Status {
  uri: string;
  version: number;
  state: "new" | "running" | "stale" | "proven" | "fails" | "open";
  verdict: string;
  marks?: Mark[];
}

/** The text of the status bar. */
export function statusText(status: Status | undefined): string {
  switch (status?.state) {
    case "running":
      return "$(sync~spin) Unreach";
    case "proven":
      return "$(pass) Unreach: proven";
    case "fails":
      return "$(error) Unreach: can fail";
    case "open":
      return "$(question) Unreach: not known";
    case "stale":
      return "$(edit) Unreach: changed";
    default:
      return "Unreach";
  }
}

/** What the settings of the user mean to the server. */
export function wishes(setting: <T>(name: string) => T | undefined): object {
  return {
    status: true,
    verify: setting<string>("verify") ?? "save",
    timeout: setting<number>("timeout") ?? 20,
    include: setting<string[]>("include") ?? [],
    define: setting<string[]>("define") ?? [],
  };
}
