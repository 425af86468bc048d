import { mkdir, writeFile } from "node:fs/promises"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { type Plugin, rolldown } from "rolldown"
import { noticesOf } from "./notices.ts"

/** The hosts of the image and of a release. */
export const bundledHosts = ["rest-api", "worker", "portal", "admin"] as const

/** Where the image and a release have the bundles. */
const placed = fileURLToPath(new URL("../hosts/dist", import.meta.url))

/** A program that a module starts, and a file that it reads, stay where the module's source is. */
const addressesOfSources = (folder: string): Plugin => ({
  name: "addresses-of-sources",
  transform: {
    filter: { code: "import.meta.url" },
    handler: (code, id) => code.replaceAll("import.meta.url", `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`)
  }
})

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Where an escape would say something else than the character: behind a backslash, and in a template that is read raw. */
const notEscapable = /(?<!\\)(?:\\\\)*\\[^\0-\x7F].{0,30}|String\.raw`[^`]*[^\0-\x7F]/

/**
 * The same program in ASCII. The engine keeps a file's whole text in memory, in two bytes a character where one of them is not Latin. Throws where an escape would
 * change what the program says.
 */
export const inAscii = (code: string): string => {
  const [unsafe] = notEscapable.exec(code) ?? []
  if (unsafe !== undefined) throw new Error(`This cannot be written in ASCII: ${unsafe}`)
  return code.replaceAll(/[^\0-\x7F]/g, escaped)
}

/**
 * Writes a host's main file with all that it imports as one file, `<folder>/<host>.js`, without types, comments and spaces (docs/adr/0411). All names are kept, so that stack
 * traces can be read. What builds the page at /verify is left out: an installation has the built page. Answers the file, and the files of the modules in it.
 *
 * @param runsIn The folder from which the file is run: its modules find their sources from there.
 */
export const bundleHost = async (host: (typeof bundledHosts)[number], folder: string, runsIn = folder): Promise<{ readonly file: string; readonly modules: ReadonlyArray<string> }> => {
  const file = `${folder}/${host}.js`
  const made = await rolldown({
    input: fileURLToPath(new URL(`../hosts/${host}/src/main.ts`, import.meta.url)),
    platform: "node",
    logLevel: "silent",
    external: [/\/buildPage\.ts$/],
    resolve: { conditionNames: ["@overa/source", "node", "import", "default"] },
    plugins: [addressesOfSources(runsIn)]
  })
  const { output: [{ code, moduleIds }] } = await made.generate({ format: "esm", codeSplitting: false, comments: false, minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } } })
  await made.close()
  await mkdir(folder, { recursive: true })
  await writeFile(file, inAscii(code))
  return { file, modules: moduleIds }
}

/** Writes the bundles of all hosts into a folder, as they run in `hosts/dist`, and the licences of what they contain. */
export const bundleHosts = async (folder: string): Promise<void> => {
  const all = []
  for (const host of bundledHosts) all.push(...(await bundleHost(host, folder, placed)).modules)
  await writeFile(`${folder}/THIRD-PARTY-NOTICES.txt`, noticesOf(all))
}
