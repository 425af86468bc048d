// Before `npm pack` of a package: builds its `dist` from `src`, and copies the project's only licence file beside it.
import { execFileSync } from "node:child_process"
import { copyFileSync, rmSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
rmSync("dist", { recursive: true, force: true })
execFileSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.build.json"], { stdio: ["ignore", process.stderr, process.stderr] })
copyFileSync(join(root, "LICENCE"), "LICENCE")
