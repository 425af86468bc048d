/**
 * `npm run rules`: runs every rule of domain/test/rules, prints the index and writes it to docs/rules.md; with `--check` it compares
 * instead of writing. It fails on a rule that does not hold, is written twice or makes no claim, and on a code of the error catalogue
 * or a row of the specification that is proven nowhere and not listed as open. With settings of its own (OVERA_RULES_SEED,
 * OVERA_RULES_CASES) a run is only printed.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ErrorCode } from "../domain/src/ErrorCode.ts"
import { openCodes } from "./openCodes.ts"
import { codesProvenByContractTests } from "./provenCodes.ts"
import { indexFaults } from "./ruleFaults.ts"
import { type CodeProof, type RuleFile, rulesMarkdown } from "./rulesMarkdown.ts"

const root = join(import.meta.dirname, "..")
const indexPath = join(root, "docs", "rules.md")

const runRules = (): { readonly held: boolean; readonly files: ReadonlyArray<RuleFile> } => {
  const folder = mkdtempSync(join(tmpdir(), "overa-rules-"))
  try {
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
    const done = spawnSync(process.execPath, [vitest, "run", "domain/test/rules", "--reporter=dot"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, OVERA_RULES_REPORT: folder }
    })
    if (done.status !== 0) process.stderr.write(`${done.stdout}${done.stderr}`)
    const files = readdirSync(folder).sort().map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as RuleFile)
    return { held: done.status === 0, files }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const proofsOf = (files: ReadonlyArray<RuleFile>): ReadonlyArray<CodeProof> => {
  const contractTests = codesProvenByContractTests(root)
  return [...ErrorCode.literals].sort().map((code) => {
    const rules = files.flatMap((file) => file.records).filter((record) => record.proves.includes(code)).map((record) => record.id)
    const tests = contractTests.get(code) ?? []
    return { code, rules, contractTests: tests, open: rules.length + tests.length === 0 ? openCodes.get(code) ?? null : null }
  })
}

const hasOwnSettings = (): boolean =>
  ["OVERA_RULES_SEED", "OVERA_RULES_CASES"].some((name) => (process.env[name] ?? "") !== "")

/** Compares the index with what is committed, or writes it; the fault, if any. */
const settle = (text: string, held: boolean): ReadonlyArray<string> => {
  if (process.argv.includes("--check")) {
    const committed = existsSync(indexPath) ? readFileSync(indexPath, "utf8") : ""
    return committed === text ? [] : ["docs/rules.md is out of date: run `npm run rules` and commit it"]
  }
  if (held && !hasOwnSettings()) writeFileSync(indexPath, text)
  return []
}

const main = (): number => {
  const { held, files } = runRules()
  const proofs = proofsOf(files)
  const text = rulesMarkdown(files, proofs)
  process.stdout.write(text)
  const faults = [
    ...(held ? [] : ["a rule does not hold; see the run above"]),
    ...indexFaults(files, proofs, root),
    ...settle(text, held)
  ]
  for (const fault of faults) process.stderr.write(`rules: ${fault}\n`)
  return faults.length === 0 ? 0 : 1
}

process.exitCode = main()
