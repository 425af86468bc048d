import { readFileSync, writeFileSync } from "node:fs"
import { bundled, bundlers, kilobytes } from "./bundles.ts"
import { EmptyFolder } from "./EmptyFolder.ts"

/** What a page uses of the domain, and how many kB of it may be loaded, where there is a limit. */
export interface BundledPart {
  readonly code: string
  readonly limit?: number
}

export const bundledParts: ReadonlyArray<BundledPart> = [
  { code: 'import { totalAmount, taxByLabel } from "@overa/domain/money"', limit: 3 },
  { code: 'import { decodeVerificationLink, verifyLinkDigest } from "@overa/domain/verification"', limit: 15 },
  { code: 'import { checkReceipt } from "@overa/domain/verification"', limit: 40 },
  { code: 'import { previewReceipt } from "@overa/domain/documents"' },
  { code: 'import { bodyOf, decodeFiscalDocumentRequest } from "@overa/domain/requests"', limit: 60 },
  { code: 'import { openCheckpoint, verifyConsistency, verifyInclusion } from "@overa/domain/journal-log"' },
  { code: 'export * from "@overa/domain/rules"' }
]

const page = "domain/README.md"
const row = /^\| `((?:import|export) [^`]+)` \| ([\d.]+) kB \| ([\d.]+) kB \|$/gm

/** The table's rows as the README tells them: the code, and the kB by each bundler. */
export const toldSizes = () =>
  [...readFileSync(page, "utf8").matchAll(row)].map(([, code = "", esbuild, rolldown]) => ({ code, told: { esbuild: Number(esbuild), rolldown: Number(rolldown) } }))

export const sizeOf = async (bundler: keyof typeof bundlers, folder: string, { code }: BundledPart): Promise<number> =>
  kilobytes(await bundled(bundler, folder, code.replace(/^import/, "export")))

/** Rounded up, so that the figure is an upper limit: to a tenth below ten kB, to a half below twenty, else to a whole one. */
const toldOf = (size: number): number => {
  const step = size < 10 ? 10 : size < 20 ? 2 : 1
  return Math.ceil(size * step) / step
}

// `node --conditions=@overa/source tools/bundleTable.ts` measures the packed domain and writes the README's table.
if (process.argv[1] === import.meta.filename) {
  const folder = EmptyFolder.with(["domain"])
  try {
    const rows: Array<string> = []
    for (const part of bundledParts) {
      const [esbuild, rolldown] = [await sizeOf("esbuild", folder.path, part), await sizeOf("rolldown", folder.path, part)]
      rows.push(`| \`${part.code}\` | ${toldOf(esbuild)} kB | ${toldOf(rolldown)} kB |`)
      process.stdout.write(`${part.code} ${esbuild} ${rolldown}\n`)
    }
    const text = readFileSync(page, "utf8")
    const [first = "no row of sizes"] = text.match(row) ?? []
    const [before = "", rest] = text.split(first)
    if (rest === undefined) throw new Error(`${page} has no row of sizes`)
    writeFileSync(page, before + rows.join("\n") + `${first}${rest}`.replace(row, "").trimStart().replace(/^/, "\n\n"))
  } finally {
    folder.remove()
  }
}
