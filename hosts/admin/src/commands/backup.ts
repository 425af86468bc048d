import { Environment, JournalAudit, JournalStore, type LogReport, noFilter, type Operation, type PresentLog, TenancyOversight } from "@overa/domain"
import { Command } from "commander"
import { DateTime, Effect } from "effect"
import { type KeptFile, judge, keepCheckpoint, keptFiles, logKeys, logNow } from "../backup/keptCheckpoints.ts"
import type { Desk } from "../Desk.ts"
import type { Input } from "../input/Input.ts"
import { isoOrNull, shownTime, table } from "../output/Outcome.ts"
import { withExamples } from "./describe.ts"

/** There are findings: another code than that of a command that failed. */
const foundSomething = 3
const minuteMillis = 60_000
const longestMinutes = 100_000

/** A folder with no file at all must not look like a folder whose files all agree. */
const nothingKept = { file: "-", verdict: "NONE_KEPT", missing: 0, isFine: false }

interface Compared {
  readonly file: string
  readonly verdict: string
  readonly missing: number
  readonly isFine: boolean
}

interface Given {
  readonly files: ReadonlyArray<KeptFile>
  readonly keys: PresentLog["keys"]
  /** Checkpoints kept since then, in milliseconds, may be ahead. */
  readonly lacksSince: number
}

const compare = Effect.fnUntraced(function*(report: LogReport, { files, keys, lacksSince }: Given) {
  const log = yield* logNow(report, keys)
  const compared: Array<Compared> = []
  for (const { file, keptAt, note } of files.filter(({ origin }) => origin === report.origin)) {
    const { missing, verdict } = log === null ? { missing: 0, verdict: "UNSIGNED" } : yield* judge(note, log)
    const isFine = verdict === "CONTAINED" || (verdict === "AHEAD" && keptAt.getTime() >= lacksSince)
    compared.push({ file, verdict, missing, isFine })
  }
  // A log that nobody has kept a checkpoint of is no fault: its shop may be new.
  return compared.length === 0 ? [{ file: `- (${report.origin})`, verdict: "NOT_KEPT", missing: 0, isFine: true }] : compared
})

/** The latest receipt of a tenant. */
const newestReceipt = Effect.fnUntraced(function*({ environment, organizationId }: LogReport) {
  const page = yield* (yield* JournalStore).page({ organizationId, environment }, { ...noFilter, status: ["FISCALIZED"] }, { cursor: null, pageSize: 1 })
  return page.items[0] ?? null
})

const latest = (receipts: ReadonlyArray<Operation | null>): Operation | null =>
  receipts.filter((receipt) => receipt !== null).toSorted((one, other) => DateTime.toEpochMillis(other.createdAt) - DateTime.toEpochMillis(one.createdAt))[0] ?? null

/** Checkpoints of logs that the database does not have at all. */
const ofNoLog = (files: ReadonlyArray<KeptFile>, reports: ReadonlyArray<LogReport>): ReadonlyArray<Compared> =>
  files.filter(({ origin }) => !reports.some((report) => report.origin === origin))
    .map(({ file, origin }) => ({ file, verdict: origin === null ? "NO_CHECKPOINT" : "NO_SUCH_LOG", missing: 0, isFine: false }))

const verifyBackup = Effect.fnUntraced(function*(input: Input) {
  const now = yield* DateTime.now
  const minutes = yield* input.wholeNumber("mayLack", 60, longestMinutes)
  const files = yield* keptFiles(input.argument(0))
  const reports = yield* (yield* JournalAudit).verify
  const given = { files, keys: yield* logKeys, lacksSince: DateTime.toEpochMillis(now) - minutes * minuteMillis }
  const compared = files.length === 0 ? [nothingKept] : [...ofNoLog(files, reports), ...(yield* Effect.forEach(reports, (report) => compare(report, given))).flat()]
  const newest = latest(yield* Effect.forEach(reports, newestReceipt))
  const findings = reports.reduce((sum, { findingCount }) => sum + findingCount, 0)
  const leaves = reports.reduce((sum, report) => sum + report.leaves, 0)
  const isFine = findings === 0 && compared.every((it) => it.isFine)
  const ageMinutes = newest === null ? null : Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(newest.createdAt)) / minuteMillis)
  const text = [
    `${leaves} transitions in ${reports.length} logs compared with their rows: ${findings === 0 ? "all as they were sealed" : `${findings} findings; "journal verify" names them`}.`,
    table(["KEPT CHECKPOINT", "THE BACK-UP'S LOG", "MISSING"], compared.map(({ file, missing, verdict }) => [file, verdict, String(missing)])),
    newest === null ? "The back-up has no receipt." : `The newest receipt is ${newest.answer?.pfr.invoiceNumber ?? newest.id}, requested at ${shownTime(newest.createdAt)}, ${ageMinutes} minutes ago.`,
    isFine ? "The back-up holds what was kept." : "The back-up does not hold what was kept."
  ].join("\n")
  const json = {
    isFine,
    leaves,
    findings,
    kept: compared,
    newest: newest === null ? null : { id: newest.id, pfrNumber: newest.answer?.pfr.invoiceNumber ?? null, createdAt: isoOrNull(newest.createdAt), ageMinutes }
  }
  return { text, json, exitCode: isFine ? 0 : foundSomething }
})

const verify = (desk: Desk) =>
  new Command("verify").description("compares a restored back-up with the checkpoints that were kept elsewhere; says the age of its newest receipt. Ends with 3 where something is missing or changed")
    .argument("<folder>", "checkpoints that `backup keep` wrote")
    .option("--may-lack <minutes>", "checkpoints kept within so many minutes may be ahead of the back-up (60)")
    .action(desk.does(verifyBackup))

const keepAll = Effect.fnUntraced(function*(input: Input) {
  const organizations = yield* (yield* TenancyOversight).organizations
  const keys = yield* logKeys
  const tenants = organizations.flatMap(({ id }) => Environment.literals.map((environment) => ({ organizationId: id, environment })))
  const logs = yield* Effect.forEach(tenants, (tenant) => logNow(tenant, keys))
  const begun = logs.filter((log) => log !== null).filter(({ size }) => size > 0)
  const kept = yield* Effect.forEach(begun, (log) => keepCheckpoint(input.argument(0), log))
  const refused = kept.filter((it) => !it.kept)
  const text = [
    `${kept.length - refused.length} checkpoints kept.`,
    ...refused.map(({ file, missing, verdict }) => `${file} stays: the log does not contain it (${verdict}${missing === 0 ? "" : `, ${missing} transitions missing`}).`)
  ].join("\n")
  return { text, json: { kept }, exitCode: refused.length === 0 && !logs.includes(null) ? 0 : foundSomething }
})

const keep = (desk: Desk) =>
  new Command("keep").description("keeps each log's signed checkpoint in a folder, for `backup verify`; a kept one that the log no longer contains stays. Ends with 3 then")
    .argument("<folder>", "on another machine than the database")
    .action(desk.does(keepAll))

/** `backup`: whether a back-up holds everything that was signed. */
export const backup = (desk: Desk): Command =>
  withExamples(new Command("backup").description("checkpoints kept elsewhere, and a restored back-up compared with them").addCommand(keep(desk)).addCommand(verify(desk)), [
    "backup keep /srv/kept",
    "backup verify /srv/kept --may-lack 15"
  ])
