import { readdirSync, readFileSync, writeFileSync } from "node:fs"

// The compiler leaves the file extensions of the sources in the declarations; not every reader of declarations accepts these.
const folder = new URL("../dist/", import.meta.url)
for (const name of readdirSync(folder).filter((entry) => entry.endsWith(".d.ts"))) {
  const file = new URL(name, folder)
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/(from "\.\/\w+)\.ts"/g, "$1.js\""))
}
