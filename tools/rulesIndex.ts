/**
 * `npm run rules`: runs every rule of domain/test/rules, prints the index and writes it to docs/rules.md; with `--check` it compares instead of
 * writing. It fails on a rule that does not hold, is written twice, makes no claim or exercises nothing that a host reaches, and on a code of the
 * error catalogue or a row of the specification that is proven nowhere and not listed as open. With other settings (OVERA_RULES_SEED,
 * OVERA_RULES_CASES) the result is only printed. `--seeds 50` tries fifty new seeds and prints whether all held.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ErrorCode } from "../domain/src/errorCatalogue.ts"
import { openCodes } from "./openCodes.ts"
import { codesProvenByContractTests } from "./provenCodes.ts"
import { indexFaults } from "./ruleFaults.ts"
import { builtMeanwhile, ruleReach } from "./ruleReach.ts"
import { type CodeProof, type RuleFile, rulesMarkdown, summary } from "./rulesMarkdown.ts"
import { tablesSection } from "./ruleTables.ts"

const root = join(import.meta.dirname, "..")
const indexPath = join(root, "docs", "rules.md")

const runRules = (settings: Readonly<Record<string, string>>, ...flags: ReadonlyArray<string>): { readonly held: boolean; readonly files: ReadonlyArray<RuleFile> } => {
  const folder = mkdtempSync(join(tmpdir(), "overa-rules-"))
  try {
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs")
    const done = spawnSync(process.execPath, [vitest, "run", "domain/test/rules", "--isolate", "--reporter=dot", ...flags], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, ...settings, OVERA_RULES_REPORT: folder }
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

/** Compares the index with the committed one, or writes it; answers the fault, if any. */
const settle = (text: string, held: boolean): ReadonlyArray<string> => {
  if (process.argv.includes("--check")) {
    const committed = existsSync(indexPath) ? readFileSync(indexPath, "utf8") : ""
    return committed === text ? [] : ["docs/rules.md is out of date: run `npm run rules` and commit it"]
  }
  if (held && !hasOwnSettings()) writeFileSync(indexPath, text)
  return []
}

const writeIndex = async (): Promise<number> => {
  const { held, files } = runRules({})
  const index = { files, proofs: proofsOf(files), reach: ruleReach(), tables: await tablesSection() }
  const text = rulesMarkdown(index)
  process.stdout.write(`${text}\n${summary(index)}\n`)
  const faults = [
    ...(held ? [] : ["a rule does not hold; see the run above"]),
    ...indexFaults(index, root),
    ...settle(text, held)
  ]
  for (const fault of faults) process.stderr.write(`rules: ${fault}\n`)
  for (const operation of builtMeanwhile()) process.stderr.write(`rules: note: ${operation} is built, take it out of tools/openOperations.ts\n`)
  return faults.length === 0 ? 0 : 1
}

/** Runs every rule with the given number of seeds, one after the other, from one that changes with each run. */
const trySeeds = (count: string | undefined): number => {
  const first = process.env["OVERA_RULES_SEED"] ?? String(Math.trunc(performance.timeOrigin) % 2 ** 31)
  const { held, files } = runRules({ OVERA_RULES_SEEDS: count ?? "", OVERA_RULES_SEED: first }, "--testTimeout=3600000")
  const claims = files.flatMap(({ records }) => records).flatMap((record) => record.claims)
  const tried = claims.reduce((sum, claim) => sum + claim.run, 0)
  process.stdout.write(`rules: ${count} seeds from ${first}: ${claims.length} claims held, ${tried} cases${held ? "" : "; not all held, see above"}\n`)
  return held ? 0 : 1
}

const seedsAt = process.argv.indexOf("--seeds")
process.exitCode = seedsAt < 0 ? await writeIndex() : trySeeds(process.argv[seedsAt + 1])
