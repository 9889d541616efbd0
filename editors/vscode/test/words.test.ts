import assert from "node:assert";
import { test } from "node:test";
import { Status, statusText, wishes } from "../src/words";

test("every state has a text of its own", () => {
  const states: Status["state"][] = ["running", "proven", "fails", "open", "stale", "new"];
  const texts = states.map((state) => statusText({ uri: "", version: 1, state, verdict: "" }));
  assert.equal(new Set(texts).size, states.length);
  assert.equal(statusText(undefined), "Unreach");
});

test("settings reach the server", () => {
  const settings: Record<string, unknown> = { verify: "type", define: ["A=1"] };
  assert.deepEqual(wishes((name) => settings[name] as never), {
    status: true, verify: "type", timeout: 20, include: [], define: ["A=1"],
  });
});
