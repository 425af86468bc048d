// Before `npm pack` of a package with a command, after its build: the command begins with the check of the Node it runs on.
import { readFileSync, writeFileSync } from "node:fs"
import { commandGuard } from "./needsNode.mjs"

const manifest = JSON.parse(readFileSync("package.json", "utf8"))
for (const file of Object.values(manifest.bin)) {
  const [hashbang, ...code] = readFileSync(file, "utf8").split("\n")
  if (!hashbang.startsWith("#!")) throw new Error(`${file} does not begin with a hashbang`)
  writeFileSync(file, `${hashbang}\n${commandGuard(manifest)}${code.join("\n")}`)
}
