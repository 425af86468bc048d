import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// One file with all its dependencies: another party installs nothing else.
const made = await rolldown({ input: at("../src/main.ts"), platform: "node", logLevel: "silent", resolve: { conditionNames: ["@overa/source", "import", "node", "default"] } })
await made.write({ file: at("../dist/overa-witness.js"), format: "esm", codeSplitting: false })
await made.close()
