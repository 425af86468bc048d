#!/usr/bin/env node
// Starts one of the installation's programs: node overa.mjs api | worker | portal | admin …
// Plain JavaScript, so that an older Node reads it and can say what is missing.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const programs = { api: "rest-api", worker: "worker", portal: "portal", admin: "admin" }
/** Without these limits Node takes more memory than the programs need, and collects garbage on every core (docs/scaling.md). */
const memory = [
  "--max-old-space-size=384",
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  "--heap-growing-percent=100",
  "--concurrent-marking-max-worker-num=1"
]

/** The C library's pools of memory, which keep what was freed in them. */
const arenas = { MALLOC_ARENA_MAX: "2" }

const refuse = (line) => {
  process.stderr.write(`overa: ${line}\n`)
  process.exit(1)
}

const [name = "", ...rest] = process.argv.slice(2)
const [major = 0] = process.versions.node.split(".").map(Number)
if (major < 24) refuse(`Node.js 24 is needed, this is ${process.versions.node} (${process.execPath}).`)
if (!Object.hasOwn(programs, name)) refuse(`"${name}" is none of ${Object.keys(programs).join(", ")}.`)
const bundle = fileURLToPath(new URL(`../hosts/dist/${programs[name]}.js`, import.meta.url))
// A checkout has no bundles.
const source = fileURLToPath(new URL(`../hosts/${programs[name]}/src/main.ts`, import.meta.url))
const program = existsSync(bundle) ? [bundle] : ["--conditions=@overa/source", source]
const modules = fileURLToPath(new URL("../node_modules/effect", import.meta.url))
if (!existsSync(modules)) refuse("the packages are not installed: run the command of docs/operations/install.md in the folder of the release first.")

/** Secrets that the service manager hands over as files (systemd's LoadCredential), each named as its variable; a variable that is set goes first. */
const credentials = () => {
  const folder = process.env.CREDENTIALS_DIRECTORY
  if (folder === undefined) return {}
  const names = readdirSync(folder).filter((file) => file === "DATABASE_URL" || file.startsWith("OVERA_"))
  return Object.fromEntries(names.map((file) => [file, readFileSync(join(folder, file), "utf8").trimEnd()]))
}

// The program takes this process's place, so that signals reach it and nothing stays between it and the system.
const limits = name === "admin" ? [] : memory
process.execve(process.execPath, [process.execPath, ...limits, ...program, ...rest], { ...arenas, ...credentials(), ...process.env })
