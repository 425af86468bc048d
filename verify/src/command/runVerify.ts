import { type NoteKey, readWitnessKey } from "@overa/domain"
import { parseArgs } from "node:util"
import { checkEach } from "../check/checkFiles.ts"
import type { Report, Verdict } from "../check/Finding.ts"
import { nothingKnown } from "../check/Knowledge.ts"
import { type Outcome, outcomeOf } from "../check/outcome.ts"
import { kindWord, type Language, languages, sentence, verdictWord } from "../words/sentences.ts"
import { givenFiles } from "./givenFiles.ts"
import { qrCodeOfFile } from "./qrCodeOfFile.ts"

export interface Output {
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
}

const usage = `Usage: overa-verify [--tin TIN] [--language ${languages.join("|")}] [--json] [--summary] [--require-proven]
       [--witness KEY]… FILE|FOLDER|ARCHIVE|LINK …

Checks offline what a receipt's PDF, the picture of its QR code, a verification link, a proof, an export
or a checkpoint proves, and what it only claims. A folder or a tar archive is checked with everything in
it; of everything that an organization has taken along, also whether it is whole. Public keys among the files (a signer's PEM, a log's
verifier key) are what makes a signature proof.

--witness demands that the witness with this key (name+id+key) has cosigned each checkpoint, alone and in a
proof; it may be given several times, and it implies --require-proven.

--summary shows only what is contradicted, what is said of the whole, and how many files are proven.

Ends with 0 where nothing is contradicted, 1 where something is, 2 where it was called wrongly, and with
--require-proven 3 where nothing is contradicted and one of the files is not proven: a receipt whose
signature was not checked under a key of yours, a proof or checkpoint whose log's key you did not give
or that a demanded witness has not cosigned,
an export with a receipt that has no such link, or a file that is none of these.
`

const marks: Readonly<Record<Verdict, string>> = { PROVEN: "✓", CLAIMED: "?", NOT_COVERED: "–", CONTRADICTED: "✗" }

/** Characters that could move the cursor or hide others are shown as one sign: the content of a file is not trusted. */
const shown = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "�").slice(0, 2_000)

const textOf = ({ findings, kind, name }: Report, language: Language): string => {
  const lines = findings.map((finding) => `  ${marks[finding.verdict]} ${verdictWord(finding.verdict, language)}: ${shown(sentence(finding, language))}`)
  return [`${shown(name)} (${kindWord(kind, language)})`, ...lines, ""].join("\n")
}

const readArguments = (args: ReadonlyArray<string>) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { tin: { type: "string" }, language: { type: "string", default: "en" }, json: { type: "boolean", default: false }, summary: { type: "boolean", default: false }, "require-proven": { type: "boolean", default: false }, witness: { type: "string", multiple: true, default: [] }, help: { type: "boolean", short: "h", default: false } }
    })
  } catch {
    return null // parseArgs has no other way to say that the arguments are wrong
  }
}

/** What counts over all reports. */
interface Tally {
  readonly outcomes: Record<Outcome, number>
  /** Keys alone prove nothing. */
  hasMore: boolean
}

/** What a summary leaves out: a file of which nothing is contradicted. What is said of the whole stays. */
const isQuiet = (report: Report, outcome: Outcome): boolean => outcome !== "CONTRADICTED" && report.kind !== "LEAVING"

const summaryOf = ({ outcomes }: Tally, language: Language): string =>
  `${(["PROVEN", "CLAIMED", "CONTRADICTED"] as const).map((outcome) => `${marks[outcome]} ${verdictWord(outcome, language)}: ${outcomes[outcome]}`).join("  ")}\n`

/** Runs one command line; answers the exit code. */
export const runVerify = async (args: ReadonlyArray<string>, { write, writeError }: Output): Promise<number> => {
  const read = readArguments(args)
  if (read?.values.help === true) {
    write(usage)
    return 0
  }
  const language = languages.find((one) => one === read?.values.language)
  if (read === null || language === undefined || read.positionals.length === 0) {
    writeError(usage)
    return 2
  }
  const witnesses = read.values.witness.map(readWitnessKey)
  const wrong = read.values.witness.filter((_text, at) => witnesses[at] === null)
  if (wrong.length > 0) {
    writeError(wrong.map((text) => `${shown(text)}: no key of a witness\n`).join(""))
    return 2
  }
  const { files, missing } = await givenFiles(read.positionals)
  if (missing.length > 0) {
    writeError(missing.map((path) => `${shown(path)}: not there\n`).join(""))
    return 2
  }
  const { json, summary } = read.values
  const requireProven = read.values["require-proven"] || witnesses.length > 0
  const tally: Tally = { outcomes: { PROVEN: 0, CLAIMED: 0, CONTRADICTED: 0 }, hasMore: false }
  let before = json ? "[\n" : ""
  for await (const report of checkEach(files, { ...nothingKnown, tin: read.values.tin ?? null, witnesses: witnesses as ReadonlyArray<NoteKey> }, qrCodeOfFile)) {
    const outcome = outcomeOf(report)
    tally.outcomes[outcome] += 1
    tally.hasMore ||= report.kind !== "KEY" && report.kind !== "LEAVING"
    if (summary && isQuiet(report, outcome)) continue
    const { findings, kind, name } = report
    write(before + (json ? JSON.stringify({ name, kind, findings }, null, 1) : textOf(report, language)))
    before = json ? ",\n" : "\n"
  }
  if (json) write(before === "[\n" ? "[]\n" : "\n]\n")
  else if (summary) write(`${before}${summaryOf(tally, language)}`)
  if (tally.outcomes.CONTRADICTED > 0) return 1
  return requireProven && (!tally.hasMore || tally.outcomes.CLAIMED > 0) ? 3 : 0
}
