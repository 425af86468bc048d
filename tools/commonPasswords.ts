/**
 * `node tools/commonPasswords.ts FOLDER`: writes adapters/identity/src/commonPasswordDigests.ts from the list of common passwords of the unpacked npm package
 * @zxcvbn-ts/language-common (MIT), which is ordered by how often each was found in leaks; with `--check` it compares instead of writing. Why digests: docs/adr/0322.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { commonPasswordDigest, wordsToRefuse } from "../adapters/identity/src/commonPasswords.ts"

const [folder = "", flag = ""] = process.argv.slice(2)
const target = join(import.meta.dirname, "..", "adapters", "identity", "src", "commonPasswordDigests.ts")

const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly version: string }
const list = JSON.parse(readFileSync(join(folder, "src", "passwords.json"), "utf8")) as ReadonlyArray<string>
const words = wordsToRefuse(list)
const numbers = Uint32Array.from([...new Set(words.map(commonPasswordDigest))].toSorted((one, other) => one - other))
const text = Buffer.from(new Uint8Array(numbers.buffer)).toString("base64")
const lines = text.match(/.{1,300}/g) ?? []
const source = [
  `// Written by tools/commonPasswords.ts from @zxcvbn-ts/language-common ${version}: ${numbers.length} digests of four bytes, ascending.`,
  "export const commonPasswordDigests = [",
  ...lines.map((line, at) => `  "${line}"${at === lines.length - 1 ? "" : ","}`),
  "].join(\"\")",
  ""
].join("\n")

if (flag === "--check") {
  const isSame = readFileSync(target, "utf8") === source
  process.stdout.write(isSame ? `The list is the one of ${version}.\n` : `The list is not the one of ${version}: run this command without --check.\n`)
  process.exitCode = isSame ? 0 : 1
} else {
  writeFileSync(target, source)
  process.stdout.write(`${numbers.length} of ${list.length} words, ${source.length} bytes\n`)
}
