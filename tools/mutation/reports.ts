/** The reports of Stryker's runs, as far as the table needs them. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs"

/** A place in a source: lines and columns count from 1. */
interface Place {
  readonly line: number
  readonly column: number
}

export interface Mutant {
  readonly replacement?: string
  readonly status: "Killed" | "Survived" | "NoCoverage" | "Timeout" | "Ignored" | "RuntimeError" | "CompileError"
  readonly statusReason?: string
  readonly location: { readonly start: Place; readonly end: Place }
}

interface MutatedFile {
  readonly source: string
  readonly mutants: ReadonlyArray<Mutant>
}

/** A file as a report has it. */
export interface MeasuredFile extends MutatedFile {
  /** Below `domain/src`. */
  readonly file: string
  /** When the run ended, in milliseconds since 1970. */
  readonly measuredAt: number
}

const sources = "domain/src/"

const readReport = (path: string): ReadonlyArray<MeasuredFile> => {
  const { files } = JSON.parse(readFileSync(path, "utf8")) as { readonly files: Readonly<Record<string, MutatedFile>> }
  const measuredAt = statSync(path).mtimeMs
  return Object.entries(files).map(([file, { mutants, source }]) => ({ file: file.slice(sources.length), source, mutants, measuredAt }))
}

const isCurrent = ({ file, source }: MeasuredFile): boolean => readFileSync(sources + file, "utf8") === source

/** The newest report of each file as it is now, and the files that have changed since they were measured. */
export const readReports = (): { readonly files: ReadonlyArray<MeasuredFile>; readonly changed: ReadonlyArray<string> } => {
  const measured = globSync(".overa/mutation/*.json").flatMap(readReport).filter(({ file }) => existsSync(sources + file))
  const byTime = measured.toSorted((one, other) => one.measuredAt - other.measuredAt)
  const current = new Map(byTime.filter(isCurrent).map((report) => [report.file, report]))
  const changed = new Set(byTime.map(({ file }) => file).filter((file) => !current.has(file)))
  return { files: [...current.values()], changed: [...changed] }
}

/** A change of a value that a module computes when it is loaded; the run leaves it out. */
export const isStatic = ({ statusReason = "" }: Mutant): boolean => statusReason.startsWith("Static mutant")
/** A change that a comment in the source marks as equivalent. */
export const isEquivalent = (mutant: Mutant): boolean =>
  mutant.status === "Ignored" && !isStatic(mutant) && !(mutant.statusReason ?? "").includes("excluded mutation")
export const isMissed = ({ status }: Mutant): boolean => status === "Survived" || status === "NoCoverage"
export const isNoticed = ({ status }: Mutant): boolean => status === "Killed" || status === "Timeout"

/** The line in which a mutant begins, without the blanks around it. */
export const lineOf = ({ source }: MutatedFile, { location: { start } }: Mutant): string => (source.split("\n")[start.line - 1] ?? "").trim()

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

const partOf = ({ source }: MutatedFile, { location: { end, start } }: Mutant): string => {
  const lines = source.split("\n").slice(start.line - 1, end.line)
  const whole = lines.join("\n")
  const behind = (lines.at(-1) ?? "").length - (end.column - 1)
  return whole.slice(start.column - 1, whole.length - behind)
}

/** A change that no test noticed. */
export interface Missed {
  readonly file: string
  readonly code: string
  /** `<part of the line> → <what stands there instead>`. */
  readonly change: string
}

/** The changes of a file that no test noticed. */
export const missedOf = (report: MeasuredFile): ReadonlyArray<Missed> =>
  report.mutants.filter(isMissed).map((mutant) => ({
    file: report.file,
    code: lineOf(report, mutant),
    change: `${oneLine(partOf(report, mutant))} → ${oneLine(mutant.replacement ?? "")}`
  }))
