/** A package's lowest Node, as its manifest says it: `>=22` or `>=22.19`. */
const lowest = ({ engines, name }) => {
  const [, major, minor = "0"] = /^>=(\d+)(?:\.(\d+))?$/.exec(engines?.node ?? "") ?? []
  if (major === undefined) throw new Error(`${name} does not say in engines.node which Node it needs`)
  return { major, minor, told: engines.node.slice(2) }
}

/** Code that compares the Node it runs on, without syntax or functions of a newer one; an engine that is no Node passes. */
const guard = (manifest, stop) => {
  const { major, minor, told } = lowest(manifest)
  return [
    "{",
    '  const version = typeof process === "object" && process.versions && process.versions.node;',
    '  const parts = String(version).split(".").map(Number);',
    `  if (version && (parts[0] < ${major} || (parts[0] === ${major} && parts[1] < ${minor}))) {`,
    `    const sentence = ${JSON.stringify(`${manifest.name} needs Node ${told} or later; this is Node `)} + version + ".";`,
    ...stop.map((line) => `    ${line}`),
    "  }",
    "}",
    ""
  ].join("\n")
}

/** For a library's first module: importing it fails with one sentence, before anything else of the package runs. */
export const libraryGuard = (manifest) =>
  guard(manifest, ["const error = new Error(sentence);", "error.stack = sentence;", "throw error;"])

/** For the beginning of a command: one line on stderr, and status 1. */
export const commandGuard = (manifest) => guard(manifest, ['process.stderr.write(sentence + "\\n");', "process.exit(1);"])
