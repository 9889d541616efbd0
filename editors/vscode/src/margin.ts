// The margin: which lines get which icon. No editor is needed for it, so tests can call it.

/** What is known about a check. */
export type MarkState = "proven" | "fails" | "open" | "running" | "stale";

/** All states, the worst last: a line with several checks shows the worst. */
export const STATES: MarkState[] = ["proven", "stale", "running", "open", "fails"];

/** What the server says about a check. */
export interface Mark {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  state: MarkState | "not reached";
  what?: string;
}

/** A line with an icon. */
export interface MarkedLine {
  line: number;
  what: string;
}

/** For every state the lines that show its icon. A check that nobody comes to is not known. */
export function margin(marks: Mark[]): Map<MarkState, MarkedLine[]> {
  const worst = new Map<number, { state: MarkState; what: string[] }>();
  for (const mark of marks) {
    const state = mark.state === "not reached" ? "open" : mark.state;
    const line = mark.range.start.line;
    const known = worst.get(line) ?? { state, what: [] };
    if (STATES.indexOf(state) > STATES.indexOf(known.state)) known.state = state;
    if (mark.what) known.what.push(...mark.what.split("\n").map((what) => `${mark.state}: ${what}`));
    worst.set(line, known);
  }
  const lines = new Map<MarkState, MarkedLine[]>(STATES.map((state) => [state, []]));
  for (const [line, { state, what }] of [...worst].sort((a, b) => a[0] - b[0])) {
    lines.get(state)!.push({ line, what: what.join("\n") });
  }
  return lines;
}
