/**
 * `npm run mutation:table`: writes docs/mutation.md from the reports of Stryker's runs (`.overa/mutation/*.json`; of a file that several of them hold, the
 * newest counts). It fails on a survivor without a reason in survivors.ts, on a reason whose mutant is gone, on a folder below 95 %, and on a file that has
 * changed since it was measured.
 */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { survivors } from "./survivors.ts"

interface Mutant {
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: "Killed" | "Survived" | "NoCoverage" | "Timeout" | "Ignored" | "RuntimeError" | "CompileError"
  readonly statusReason?: string
  readonly location: { readonly start: { readonly line: number } }
}

interface MutatedFile {
  readonly source: string
  readonly mutants: ReadonlyArray<Mutant>
}

/** The smallest share of mutants, in percent, that the tests of a folder must notice. */
const leastScore = 95

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** What the reports say of the files as they are now, and the files that have changed since. */
const readReports = (): { readonly files: ReadonlyMap<string, MutatedFile>; readonly changed: ReadonlyArray<string> } => {
  const reports = globSync(".overa/mutation/*.json").toSorted((one, other) => statSync(one).mtimeMs - statSync(other).mtimeMs)
  const files = reports.flatMap((path) => Object.entries((JSON.parse(readFileSync(path, "utf8")) as { readonly files: Record<string, MutatedFile> }).files))
  const current = new Map(files.filter(([path, { source }]) => existsSync(path) && readFileSync(path, "utf8") === source))
  const paths = [...new Set(files.map(([path]) => path))]
  return { files: current, changed: paths.filter((path) => existsSync(path) && !current.has(path)) }
}

const isStatic = ({ statusReason = "" }: Mutant): boolean => statusReason.startsWith("Static mutant")
const isString = ({ statusReason = "" }: Mutant): boolean => statusReason.includes("excluded mutation")
const isMissed = ({ status }: Mutant): boolean => status === "Survived" || status === "NoCoverage"
const isNoticed = ({ status }: Mutant): boolean => status === "Killed" || status === "Timeout"

interface Missed {
  readonly file: string
  readonly code: string
  readonly mutant: string
}

const missedOf = (file: string, { mutants, source }: MutatedFile): ReadonlyArray<Missed> => {
  const lines = source.split("\n")
  return mutants.filter(isMissed).map(({ location, mutatorName, replacement = "" }) => ({
    file,
    code: (lines[location.start.line - 1] ?? "").trim(),
    mutant: `${mutatorName}: ${oneLine(replacement)}`
  }))
}

const isSame = (one: Missed, other: Missed): boolean => one.file === other.file && one.code === other.code && one.mutant === other.mutant

const folderOf = (path: string): string => path.split("/")[2] ?? path

const rowOf = (folder: string, mutants: ReadonlyArray<Mutant>) => {
  const [noticed, missed] = [mutants.filter(isNoticed).length, mutants.filter(isMissed).length]
  const excused = mutants.filter((mutant) => mutant.status === "Ignored" && !isStatic(mutant) && !isString(mutant)).length
  const score = noticed + missed === 0 ? null : 100 * noticed / (noticed + missed)
  const cells = [folder, noticed + missed, noticed, missed, excused, mutants.filter(isStatic).length, score === null ? "–" : `${score.toFixed(1)} %`]
  return { folder, score, line: `| ${cells.join(" | ")} |` }
}

const writeTable = (): ReadonlyArray<string> => {
  const { changed, files } = readReports()
  const missed = [...files].flatMap(([path, file]) => missedOf(path, file))
  const byFolder = Map.groupBy(files, ([path]) => folderOf(path))
  const rows = [...byFolder].sort().map(([folder, entries]) => rowOf(folder, entries.flatMap(([, { mutants }]) => mutants)))
  const commit = execFileSync("git", ["log", "-1", "--format=%h of %cs", "--", "domain/src", "domain/test"], { encoding: "utf8" }).trim()
  const excuses = [...files].flatMap(([path, { mutants, source }]) => mutants
    .filter((mutant) => mutant.status === "Ignored" && !isStatic(mutant) && !isString(mutant))
    .map(({ location, statusReason }) => `| \`${path.slice(11)}\` | \`${(source.split("\n")[location.start.line - 1] ?? "").trim().replaceAll("|", "\\|")}\` | ${statusReason} |`))
  const reasons = survivors.filter((known) => missed.some((one) => isSame(known, one)))
    .map(({ code, file, mutant, reason }) => `| \`${file.slice(11)}\` | \`${code.replaceAll("|", "\\|")}\` | \`${mutant.replaceAll("|", "\\|")}\` | ${reason} |`)
  const unjudged = missed.filter((one) => !survivors.some((known) => isSame(known, one)))
  const begin = readFileSync("docs/mutation.md", "utf8").split("<!-- table -->")[0] ?? ""
  const text = [
    `${begin}<!-- table -->`,
    "",
    `Sources and tests as of ${commit}.`,
    "",
    "| Folder | Mutants | Noticed | Not noticed | Marked as equivalent | At load, not tried | Score |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map(({ line }) => line),
    "",
    "## Not noticed, and why",
    "",
    "| File | Line | Change | Why no test can see it |",
    "| --- | --- | --- | --- |",
    ...reasons,
    "",
    `Not judged yet: ${unjudged.length} changes${unjudged.length === 0 ? "" : `, in ${[...new Set(unjudged.map(({ file }) => folderOf(file)))].join(", ")}`}.`,
    "",
    "## Marked as equivalent in the code",
    "",
    "| File | Line | Why no test can see it |",
    "| --- | --- | --- |",
    ...new Set(excuses),
    ""
  ].join("\n")
  writeFileSync("docs/mutation.md", text)
  return [
    ...changed.map((path) => `${path} has changed since it was measured`),
    ...unjudged.map(({ code, file, mutant }) => `${file}: nothing notices ${mutant} in: ${code}`),
    ...survivors.filter((known) => files.has(known.file) && !missed.some((one) => isSame(known, one))).map(({ code, file }) => `${file}: the reason is out of date: ${code}`),
    ...rows.filter(({ score }) => score !== null && score < leastScore).map(({ folder, line }) => `${folder} is below ${leastScore} %: ${line}`)
  ]
}

const faults = writeTable()
for (const fault of faults) process.stderr.write(`mutation: ${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
