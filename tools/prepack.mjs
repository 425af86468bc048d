// Before `npm pack` of a package: builds its `dist` from `src`, with effect imported module by module, and lays the licence beside it.
import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import "./layLicence.mjs"
import { importByModule } from "./moduleImports.mjs"

const root = join(import.meta.dirname, "..")
rmSync("dist", { recursive: true, force: true })
execFileSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.build.json"], { stdio: ["ignore", process.stderr, process.stderr] })
importByModule("dist")
