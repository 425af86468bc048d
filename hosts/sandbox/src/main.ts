import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// Node's compile cache of the last start is kept beside the packages, for the simulator's process too: a later start is then ready about half a
// second sooner. Where the folder cannot be written, nothing is cached.
const cache = fileURLToPath(new URL("../../../node_modules/.cache/overa", import.meta.url))
enableCompileCache(cache)
process.env["NODE_COMPILE_CACHE"] ??= cache

await import("./start.ts")
