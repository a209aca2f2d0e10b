/** The import rules of the house: a program of lower trust cannot import one of higher trust. */
const ours = "^(native|abi|protocol|services|tools|cli)/";

const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
const mayImport = (room, allowed, comment) =>
  rule(
    `${room.replaceAll("/", "-")}-imports`,
    comment,
    { path: `^${room}/` },
    { path: ours, pathNot: `^(${[room, ...allowed].join("|")})/` },
  );

export default {
  forbidden: [
    mayImport("native", [], "native is one system call per function: it knows nothing of what it is used for."),
    mayImport("abi", [], "abi is pure rules without I/O, so that every rule can be tested by properties alone."),
    mayImport(
      "protocol",
      ["abi", "native"],
      "protocol is what crosses a boundary; both ends import it, so it imports neither end.",
    ),
    mayImport(
      "services/frame",
      ["abi", "native", "protocol"],
      "the frame is under every daemon and knows none of them.",
    ),
    rule(
      "service-imports",
      "a daemon stands alone: it shares the frame with the others, and never another daemon's code or a client's.",
      { path: "^services/([^/]+)/", pathNot: "^services/frame/" },
      { path: ours, pathNot: "^(native|abi|protocol|services/frame|services/$1)/" },
    ),
    mayImport(
      "cli",
      ["abi", "protocol", "native", "tools"],
      "a client runs as an ordinary user and never holds a daemon's code.",
    ),
    rule(
      "only-the-runner-imports-tools",
      "tools run through the object runner; no other client carries them.",
      { path: "^cli/", pathNot: "^cli/object-runner/" },
      { path: "^tools/" },
    ),
    mayImport("tools", ["abi", "native"], "a tool runs inside the sandbox: it has no protocol of its own."),
    rule(
      "native-by-its-door",
      "native/index.ts is the only door to the addon: its types are what keeps a uid from being a descriptor.",
      { path: ".", pathNot: "^(native|test/native)/" },
      { path: "^native/", pathNot: "^native/index\\.ts$" },
    ),
    rule(
      "product-without-tests",
      "nothing that ships imports a test or a development dependency (types excepted: they are gone at run time).",
      { path: ours, pathNot: "^protocol/generate-validators\\.ts$" },
      { path: "^test/", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "product-without-development-packages",
      "what ships needs what package.json lists under dependencies and nothing else.",
      { path: ours, pathNot: "^protocol/generate-validators\\.ts$" },
      { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "no-cycles",
      "two files that need each other are one idea in the wrong two places.",
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    ),
    rule(
      "no-orphans",
      "an import that resolves to nothing fails at run time, on somebody's machine.",
      {},
      { couldNotResolve: true, pathNot: "^#native-addon$" },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(build|native/build)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
