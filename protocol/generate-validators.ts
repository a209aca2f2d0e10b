/**
 * Compiles the schemas of every protocol into plain functions, so that no daemon compiles code at run time.
 * Without arguments it writes protocol/generated/; with `--check` it exits 1 when a file there is not what it would write.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv";
import standalone from "ajv/dist/standalone/index.js";

const folder = path.join(import.meta.dirname, "generated");
const protocols = { "terminal-broker": "terminalBroker", control: "control" } as const;

const PLACEHOLDER = "export const validators = {};\n";

mkdirSync(folder, { recursive: true });
for (const name of Object.keys(protocols)) {
  // A protocol imports its validators, so there must be a file before the first generation.
  if (!existsSync(fileOf(name))) writeFileSync(fileOf(name), PLACEHOLDER);
}

let stale = false;
for (const [name, exported] of Object.entries(protocols)) {
  const module = (await import(`./${name}.ts`)) as Record<string, { messages: Record<string, object> }>;
  const code = validatorsOf(module[exported]?.messages ?? {});
  if (readFileSync(fileOf(name), "utf8") === code) continue;
  if (process.argv.includes("--check")) {
    process.stderr.write(`protocol/generated/${name}.ts is stale: run node protocol/generate-validators.ts\n`);
    stale = true;
  } else {
    writeFileSync(fileOf(name), code);
  }
}
process.exitCode = stale ? 1 : 0;

function fileOf(name: string): string {
  return path.join(folder, `${name}.ts`);
}

function validatorsOf(messages: Record<string, object>): string {
  const ajv = new Ajv.default({ strict: true, allErrors: false, code: { source: true, esm: true, lines: true } });
  const exports: Record<string, string> = {};
  for (const [name, schema] of Object.entries(messages)) {
    ajv.addSchema(schema, name);
    exports[identifier(name)] = name;
  }
  const body = standalone.default(ajv, exports);
  const table = Object.keys(messages).map((name) => `  ${JSON.stringify(name)}: ${identifier(name)},\n`);
  return `// @ts-nocheck\n// Written by protocol/generate-validators.ts from the schemas; do not edit.\n${body}\nimport type { Validate } from "../definition.ts";\nexport const validators: Readonly<Record<string, Validate>> = {\n${table.join("")}};\n`;
}

function identifier(name: string): string {
  return `is_${name.replaceAll("-", "_")}`;
}
