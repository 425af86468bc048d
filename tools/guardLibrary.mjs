// Before `npm pack` of a library that is one file, after its build: the file begins with the check of the Node it runs on. An argument names an older
// Node than the manifest's where a command beside the library needs a newer one.
import { readFileSync, writeFileSync } from "node:fs"
import { libraryGuard } from "./needsNode.mjs"

const manifest = JSON.parse(readFileSync("package.json", "utf8"))
const node = process.argv[2] === undefined ? manifest.engines?.node : `>=${process.argv[2]}`
const file = manifest.exports["."].default
const code = readFileSync(file, "utf8")
if (/^import\b/m.test(code)) throw new Error(`${file} imports another file, which would run before the check`)
writeFileSync(file, `${libraryGuard({ ...manifest, engines: { node } })}${code}`)
