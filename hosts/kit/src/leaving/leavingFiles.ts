import { type Act, leaveInTurn, type OrganizationId, TenancyOversight } from "@overa/domain"
import { DateTime, Effect, Schema, Stream } from "effect"
import { lastFile, withChecksums } from "./checksums.ts"
import { jsonText, type LeavingCounts, type LeavingFile } from "./LeavingFile.ts"
import { organizationFiles, type OrganizationTally } from "./organizationFiles.ts"
import { folderOf, taxpayerFiles, type TaxpayerTally } from "./taxpayerFiles.ts"

/** There is no such organization. */
export class LeavingUnknown extends Schema.TaggedError<LeavingUnknown>()("LeavingUnknown", { organizationId: Schema.String }) {}

/** What a person reads first of what was taken along. */
export const leavingPage = (organization: string, { organization: counts, taxpayers }: LeavingCounts): string =>
  [
    `Everything of ${organization}`,
    "",
    `  people.json              ${counts.people} people and their roles`,
    `  activity-<month>.jsonl   ${counts.activity} lines: who did what, when and why`,
    `  deliveries-*.jsonl       ${counts.deliveries} receipts sent by e-mail`,
    `  ${lastFile}, checksums/  the digest of every file, as sha256sum writes and checks them`,
    "",
    "Each folder is one taxpayer in one environment:",
    "  proofs/           one JSON file for each document: request, attempts, the tax authority's answer, its place in the journal's log",
    "  receipts/         the text of each receipt as the tax authority signed it",
    "  journal-*.csv     one row for each document, a thousand to a file, latest first",
    "  products.csv      the catalogue",
    "  elsewhere-*.jsonl receipts of another ESIR that were imported; not ours, and in no other file",
    "  settings.json     taxpayer, premises, certificates without their keys, header and note",
    "  *.pem, journal-key.txt  the keys with which all of it is verified",
    "",
    "Nobody's service is needed to verify it. Whether it is whole: overa-verify with this folder, or with the archive as it was downloaded.",
    "Each taxpayer's receipts:",
    ...taxpayers.map(({ documents, folder, receipts, tin }) => `  overa-verify --tin ${tin} ${folder}    (${documents} documents, ${receipts} receipts)`),
    ""
  ].join("\n")

/**
 * Everything of an organization in formats that anybody can read, file by file as it is read in the organization's turn, and the counts, which are whole once
 * the files have ended. The first file names the last one: whatever ends before it is not whole. Fails with `LeavingTaken` where somebody else has the turn.
 */
export const leavingFiles = Effect.fn("leavingFiles")(function*(act: Act, organizationId: OrganizationId) {
  const oversight = yield* TenancyOversight
  const organization = (yield* oversight.organizations).find(({ id }) => id === organizationId)
  if (organization === undefined) return yield* new LeavingUnknown({ organizationId })
  const entries = yield* oversight.taxpayers(organizationId)
  const now = yield* DateTime.now
  const tallies = entries.map((entry) => ({ entry, tally: { documents: 0, receipts: 0, elsewhere: 0, tin: entry.taxpayer.taxIdentifier } satisfies TaxpayerTally as TaxpayerTally }))
  const ownTally: OrganizationTally = { people: 0, activity: 0, deliveries: 0 }
  const counts = (): LeavingCounts => ({ taxpayers: tallies.map(({ entry, tally }) => ({ folder: folderOf(entry), ...tally })), organization: { ...ownTally } })
  const head: LeavingFile = {
    path: "leaving.json",
    content: jsonText({ format: "overa leaving", version: 1, organization: { id: organizationId, name: organization.name }, begunAt: now, lastFile }, 2)
  }
  const environments = [...new Set(entries.map(({ taxpayer }) => taxpayer.environment))]
  const files = Stream.succeed(head).pipe(
    Stream.concat(Stream.flatMap(Stream.fromIterable(tallies), ({ entry, tally }) => taxpayerFiles(entry, tally))),
    Stream.concat(organizationFiles(organization, environments, now, ownTally)),
    Stream.concat(Stream.fromIterableEffect(Effect.sync(() => [{ path: "README.txt", content: leavingPage(organization.name, counts()) }]))),
    withChecksums
  )
  const inTurn = yield* leaveInTurn(act, organizationId, files, () => ({ documents: counts().taxpayers.reduce((sum, it) => sum + it.documents, 0) }))
  return { files: inTurn, counts }
})
