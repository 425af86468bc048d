// Before `npm pack` of a package: copies the project's only licence file into the package's folder, which is the current one.
import { copyFileSync } from "node:fs"
import { join } from "node:path"

copyFileSync(join(import.meta.dirname, "..", "LICENCE"), "LICENCE")
