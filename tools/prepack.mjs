// Before `npm pack` of a package: builds its `dist` from `src`, with effect imported module by module, and lays the licence beside it. What runs in Node alone
// says which Node it needs.
import { execFileSync } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import "./layLicence.mjs"
import { importByModule } from "./moduleImports.mjs"
import { libraryGuard } from "./needsNode.mjs"

const root = join(import.meta.dirname, "..")
rmSync("dist", { recursive: true, force: true })
execFileSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.build.json"], { stdio: ["ignore", process.stderr, process.stderr] })
importByModule("dist")

const manifest = JSON.parse(readFileSync("package.json", "utf8"))
// The domain runs in browsers too, and says where it reads a body what it needs for that.
if (manifest.name !== "@overa/domain") {
  writeFileSync("dist/needsNode.js", libraryGuard(manifest))
  for (const { default: entry } of Object.values(manifest.exports)) {
    const up = "../".repeat(entry.split("/").length - 3) || "./"
    writeFileSync(entry, `import "${up}needsNode.js";\n${readFileSync(entry, "utf8")}`)
  }
}
