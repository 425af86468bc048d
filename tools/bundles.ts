import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

/** Bundles one entry file for a browser, minified. */
export type Bundler = (entry: string) => Promise<string>

const withRolldown: Bundler = async (entry) => {
  const bundle = await rolldown({ input: entry, platform: "browser", logLevel: "silent" })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  const [chunk, ...others] = output.filter((one) => one.type === "chunk")
  if (chunk === undefined || others.length > 0 || chunk.imports.length > 0) throw new Error("A bundle is one file that imports nothing.")
  return chunk.code
}

/** By its command, as a project calls it. */
const withEsbuild: Bundler = (entry) =>
  Promise.resolve(execFileSync(process.execPath, [join(process.cwd(), "node_modules/esbuild/bin/esbuild"), entry, "--bundle", "--minify", "--format=esm", "--platform=browser", "--log-level=error"], {
    encoding: "utf8", maxBuffer: 64 * 1_024 * 1_024
  }))

export const bundlers = { esbuild: withEsbuild, rolldown: withRolldown } as const

/** The bundle of a line of code in a project's folder. */
export const bundled = async (bundler: keyof typeof bundlers, folder: string, code: string): Promise<string> => {
  const entry = join(folder, "entry.mjs")
  writeFileSync(entry, code)
  return bundlers[bundler](entry)
}

/** What a browser loads, in thousands of bytes. */
export const kilobytes = (code: string): number => gzipSync(code).length / 1_000
