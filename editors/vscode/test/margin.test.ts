import assert from "node:assert";
import { test } from "node:test";
import { Mark, margin } from "../src/margin";

function mark(line: number, state: Mark["state"], what?: string): Mark {
  return { range: { start: { line, character: 2 }, end: { line, character: 9 } }, state, what };
}

test("a line shows the worst of its checks", () => {
  const lines = margin([mark(4, "proven", "a"), mark(4, "fails", "b"), mark(2, "proven"), mark(7, "not reached")]);
  assert.deepEqual(lines.get("fails"), [{ line: 4, what: "proven: a\nfails: b" }]);
  assert.deepEqual(lines.get("proven"), [{ line: 2, what: "" }]);
  assert.deepEqual(lines.get("open"), [{ line: 7, what: "" }]);
});

test("a state without checks shows nothing, so that old icons go away", () => {
  const lines = margin([]);
  assert.equal(lines.size, 5);
  assert.ok([...lines.values()].every((some) => some.length === 0));
});
