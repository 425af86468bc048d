import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"

/** Folders of contract tests; each test declares the codes it proves in its title, e.g. `[proves:STORE_UNAVAILABLE]`. */
const testFolders = ["contract-tests", "hosts", "adapters"]

const testFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist") return []
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return testFiles(path)
    return /\.(test|contract)\.ts$/.test(entry.name) ? [path] : []
  })

/** The tagged codes of one test file's text. Several may share a tag: `[proves:A,B]`. */
export const taggedCodes = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\[proves:([A-Z0-9_, ]+)\]/g)].flatMap((tag) => (tag[1] ?? "").split(",").map((code) => code.trim()))

/** Code → the contract test files that claim to prove it. */
export const codesProvenByContractTests = (root: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const proven = new Map<string, Array<string>>()
  for (const file of testFolders.flatMap((folder) => testFiles(join(root, folder))).sort()) {
    for (const code of new Set(taggedCodes(readFileSync(file, "utf8")))) {
      proven.set(code, [...(proven.get(code) ?? []), relative(root, file)])
    }
  }
  return proven
}
