import { copyFile, mkdir, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { buildPage } from "./buildPage.ts"
import { declareTypes } from "./declareTypes.ts"

const dist = new URL("../dist/", import.meta.url)
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The published command and the functions: each one file with all its dependencies. The functions run in browsers too and name nothing of Node. */
const bundle = async (input: string, file: string, platform: "node" | "browser", minify: boolean): Promise<void> => {
  const made = await rolldown({ input: at(input), platform, logLevel: "silent", external: ["rolldown"], resolve: { conditionNames: ["@overa/source", "import", platform, "default"] } })
  await made.write({ file: fileURLToPath(new URL(file, dist)), format: "esm", codeSplitting: false, minify: minify ? true : "dce-only" })
  await made.close()
}

await mkdir(dist, { recursive: true })
await writeFile(new URL("verify.html", dist), await buildPage())
await copyFile(fileURLToPath(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm")), fileURLToPath(new URL("zxing_reader.wasm", dist)))
await bundle("../src/command/main.ts", "overa-verify.js", "node", false)
await bundle("../src/index.ts", "index.js", "browser", true)
declareTypes()
