// Before `npm pack` of a package: builds its `dist` from `src`, and lays the licence beside it.
import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import "./layLicence.mjs"

const root = join(import.meta.dirname, "..")
rmSync("dist", { recursive: true, force: true })
execFileSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.build.json"], { stdio: ["ignore", process.stderr, process.stderr] })
