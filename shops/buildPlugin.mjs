// Builds the plugin of an engine from its sources and from what all plugins share: node shops/buildPlugin.mjs vendure
import { globSync, rmSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

const root = join(import.meta.dirname, "..")
const ours = /^@overa\//

/** Each source of a folder as an entry of its own, named as its place in it. */
const entriesOf = (folder, pattern) =>
  Object.fromEntries(globSync(pattern, { cwd: join(root, folder) }).map((file) => [file.replace(/\.ts$/, ""), join(root, folder, file)]))

/** What to build: where from, where to, and in which kind of module. */
const engines = {
  vendure: [{ into: "dist", entries: { index: "src/index.ts", mail: "src/mail.ts" }, external: [ours, /^@vendure\//, /^@nestjs\//, "typeorm"], format: "esm", extension: "js" }],
  medusa: [
    { into: ".medusa/server/src", entries: entriesOf("shops/medusa/src", "{api,jobs,modules,subscribers}/**/*.ts"), external: [ours, /^@medusajs\//], format: "cjs", extension: "js" },
    { into: ".medusa/server/src/admin", entries: { index: "src/admin/index.ts" }, external: [/^@medusajs\//, "react"], format: "esm", extension: "mjs" }
  ]
}

const [name = ""] = process.argv.slice(2)
const builds = engines[name]
if (builds === undefined) throw new Error(`The engines are: ${Object.keys(engines).join(", ")}`)
for (const { into } of builds) rmSync(join(root, "shops", name, into), { recursive: true, force: true })
for (const { entries, extension, external, format, into } of builds) {
  const build = await rolldown({
    cwd: join(root, "shops", name), input: entries, platform: "node",
    external: (id) => external.some((one) => typeof one === "string" ? one === id : one.test(id)) || id.startsWith("node:")
  })
  await build.write({ dir: join(root, "shops", name, into), format, exports: "named", sanitizeFileName: false, entryFileNames: `[name].${extension}`, chunkFileNames: `parts/[name].${extension}` })
  await build.close()
}
