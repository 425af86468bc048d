import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

const run = (cwd: string, command: string, ...args: ReadonlyArray<string>): string => execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** The engine's tree is large: it is downloaded once for each set of versions. */
const download = (folder: string, manifest: string): void => {
  const installed = join(folder, "installed.json")
  if (existsSync(installed) && readFileSync(installed, "utf8") === manifest) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), manifest)
  run(folder, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--prefer-offline")
  writeFileSync(installed, manifest)
}

const pack = (folder: string, workspace: string): string =>
  `./${run(join(root, workspace), "npm", "pack", "--silent", "--pack-destination", folder).trim().split("\n").at(-1) ?? ""}`

/** The engine in a folder of its own; answers the folder. */
export const installEngine = (name: string, manifest: object): string => {
  const folder = join(tmpdir(), `overa-shops-${name}`)
  download(folder, JSON.stringify({ name: `${name}-shop`, private: true, ...manifest }))
  return folder
}

/** Our packages as they are published, beside the engine, by the first line of the plugin's README. Building and packing them is not the shop's work; answers the milliseconds of the rest. */
export const installPlugin = (name: string, folder: string): number => {
  run(root, process.execPath, "shops/buildPlugin.mjs", name)
  const tarballs = ["client", "orders", `shops/${name}`].map((workspace) => pack(folder, workspace))
  const started = Date.now()
  run(folder, "npm", "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--prefer-offline", ...tarballs)
  return Date.now() - started
}
