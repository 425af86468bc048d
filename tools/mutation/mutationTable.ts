/**
 * `npm run mutation:table`: writes docs/mutation.md from the reports of Stryker's runs (`.overa/mutation/*.json`; of a file that several of them hold, the
 * newest counts). It fails on a survivor without a reason in survivors.ts, on a reason whose mutant is gone, on a folder below 95 %, and on a file that was
 * never measured or has changed since.
 */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { isEquivalent, isMissed, isNoticed, isStatic, lineOf, type MeasuredFile, type Missed, missedOf, readReports } from "./reports.ts"
import { type Survivor, survivors } from "./survivors.ts"
import { unmeasured } from "./unmeasured.ts"

/** The smallest share of mutants, in percent, that the tests of a folder must notice. */
const leastScore = 95
const page = "docs/mutation.md"

const folderOf = ({ file }: { readonly file: string }): string => file.split("/")[0] ?? file

const isJudgedBy = (missed: Missed, { changes, code, file }: Survivor): boolean =>
  file === missed.file && code === missed.code && changes.includes(missed.change)

const rowOf = (folder: string, reports: ReadonlyArray<MeasuredFile>) => {
  const mutants = reports.flatMap((report) => report.mutants)
  const [noticed, missed] = [mutants.filter(isNoticed).length, mutants.filter(isMissed).length]
  const score = noticed + missed === 0 ? null : 100 * noticed / (noticed + missed)
  const cells = [
    folder,
    noticed + missed,
    noticed,
    missed,
    mutants.filter(isEquivalent).length,
    mutants.filter(isStatic).length,
    score === null ? "–" : `${score.toFixed(1)} %`,
    new Date(Math.min(...reports.map(({ measuredAt }) => measuredAt))).toISOString().slice(0, 16).replace("T", " ")
  ]
  return { folder, score, line: `| ${cells.join(" | ")} |` }
}

const codeCell = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``

const survivorLine = ({ changes, code, file, reason }: Survivor): string =>
  `| \`${file}\` | ${codeCell(code)} | ${changes.map(codeCell).join("<br>")} | ${reason} |`

const markedLines = (report: MeasuredFile): ReadonlyArray<string> =>
  report.mutants.filter(isEquivalent).map((mutant) => `| \`${report.file}\` | ${codeCell(lineOf(report, mutant))} | ${mutant.statusReason ?? ""} |`)

/** The part of the page below its marker. */
const tables = (files: ReadonlyArray<MeasuredFile>, rows: ReadonlyArray<{ readonly line: string }>, unjudged: ReadonlyArray<Missed>): ReadonlyArray<string> => {
  const commit = execFileSync("git", ["log", "-1", "--format=%h of %cs", "--", "domain/src"], { encoding: "utf8" }).trim()
  const folders = [...new Set(unjudged.map(folderOf))].join(", ")
  return [
    `Sources as of ${commit}; tests as they were when the folder's earliest run ended (UTC).`,
    "",
    "| Folder | Mutants | Noticed | Not noticed | Marked as equivalent | At load, not tried | Score | Measured |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows.map(({ line }) => line),
    "",
    "## Not noticed, and why",
    "",
    "| File | Line | Changes | Why no test can see them |",
    "| --- | --- | --- | --- |",
    ...survivors.filter(({ file }) => files.some((report) => report.file === file)).map(survivorLine),
    "",
    `Not judged yet: ${unjudged.length} changes${unjudged.length === 0 ? "" : `, in ${folders}`}.`,
    "",
    "## Marked as equivalent in the code",
    "",
    "| File | Line | Why no test can see it |",
    "| --- | --- | --- |",
    ...new Set(files.flatMap(markedLines))
  ]
}

const writeTable = (): ReadonlyArray<string> => {
  const { changed, files } = readReports()
  const missed = files.flatMap(missedOf)
  const rows = [...Map.groupBy(files, folderOf)].sort().map(([folder, reports]) => rowOf(folder, reports))
  const unjudged = missed.filter((one) => !survivors.some((known) => isJudgedBy(one, known)))
  const outdated = survivors.filter(({ file }) => files.some((report) => report.file === file)).flatMap(({ changes, code, file }) =>
    changes.map((change) => ({ file, code, change })).filter((one) => !missed.some((other) => isSame(one, other))))
  const begin = readFileSync(page, "utf8").split("<!-- table -->")[0] ?? ""
  writeFileSync(page, [`${begin}<!-- table -->`, "", ...tables(files, rows, unjudged), ""].join("\n"))
  return [
    ...unmeasured(new Set([...files.map(({ file }) => file), ...changed])).map((file) => `${file} was never measured`),
    ...changed.map((file) => `${file} has changed since it was measured`),
    ...unjudged.map(({ change, code, file }) => `${file}: nothing notices ${change} in: ${code}`),
    ...outdated.map(({ change, code, file }) => `${file}: the reason is out of date for ${change} in: ${code}`),
    ...rows.filter(({ score }) => score !== null && score < leastScore).map(({ folder, line }) => `${folder} is below ${leastScore} %: ${line}`)
  ]
}

const isSame = (one: Missed, other: Missed): boolean => one.file === other.file && one.code === other.code && one.change === other.change

const faults = writeTable()
for (const fault of faults) process.stderr.write(`mutation: ${fault}\n`)
process.exitCode = faults.length === 0 ? 0 : 1
