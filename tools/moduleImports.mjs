import { globSync, readFileSync, writeFileSync } from "node:fs"

const fromEffect = /^import \{ ([^}]+) \} from "effect";?$/gm

/** `effect`'s own functions, which are in no module of that name. */
const functions = new Set(["absurd", "cast", "flow", "hole", "identity", "pipe"])

const importOf = (name) => {
  const [exported, local = exported] = name.trim().split(" as ")
  return functions.has(exported) ? `import { ${name.trim()} } from "effect/Function";` : `import * as ${local} from "effect/${exported}";`
}

/**
 * `import { Schema } from "effect"` becomes `import * as Schema from "effect/Schema"`: the same module under its own address. Several bundlers include
 * the whole of a namespace that comes out of another module, and only what is used of one that is imported by its own address.
 */
export const byModule = (code) => code.replaceAll(fromEffect, (_, names) => names.split(",").map(importOf).join("\n"))

/** Rewrites every module that the compiler wrote into the folder. */
export const importByModule = (folder) => {
  for (const file of globSync(`${folder}/**/*.js`)) {
    const code = readFileSync(file, "utf8")
    const rewritten = byModule(code)
    if (rewritten !== code) writeFileSync(file, rewritten)
  }
}
