import { KnownSigners, RecordActs } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Desk } from "../Desk.ts"
import type { Input } from "../input/Input.ts"
import { namedOrganization } from "../input/named.ts"
import { recordedSigners, writeLeaving } from "../leaving/leavingFolder.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, withExamples } from "./describe.ts"

const pageOf = (organization: string, { organization: counts, taxpayers }: Effect.Success<ReturnType<typeof writeLeaving>>): string =>
  [
    `Everything of ${organization}`,
    "",
    `  people.json         ${counts.people} people and their roles`,
    `  activity.jsonl      ${counts.activity} lines: who did what, when and why`,
    `  deliveries-*.jsonl  ${counts.deliveries} receipts sent by e-mail`,
    "",
    "Each folder is one taxpayer in one environment:",
    "  proofs/       one JSON file for each document: request, attempts, the tax authority's answer, its place in the journal's log",
    "  receipts/     the text of each receipt as the tax authority signed it",
    "  journal.csv   one row for each document",
    "  products.csv  the catalogue",
    "  elsewhere.jsonl  receipts of another ESIR that were imported; not ours, and in no other file",
    "  settings.json taxpayer, premises, certificates without their keys, header and note",
    "  *.pem, journal-key.txt  the keys with which all of it is verified",
    "",
    "Nobody's service is needed to verify it:",
    ...taxpayers.map(({ documents, folder, receipts, tin }) => `  overa-verify --tin ${tin} ${folder}    (${documents} documents, ${receipts} receipts)`),
    ""
  ].join("\n")

const handOver = Effect.fnUntraced(function*(input: Input) {
  const organizationId = yield* input.id("organization", input.argument(0))
  const into = resolve(input.argument(1))
  const organization = yield* namedOrganization(organizationId)
  if (existsSync(into) && readdirSync(into).length > 0) return yield* new Refusal({ sentence: `${into} is not empty; nothing was written.` })
  const act = yield* input.act
  const written = yield* Effect.provideServiceEffect(writeLeaving(organizationId, into), KnownSigners, recordedSigners(input.config))
  writeFileSync(join(into, "README.txt"), pageOf(organization.name, written))
  const documents = written.taxpayers.reduce((sum, it) => sum + it.documents, 0)
  yield* (yield* RecordActs).record(act, { organizationId, act: "organization handed over", subject: organizationId, after: JSON.stringify({ documents }) })
  return { text: pageOf(organization.name, written), json: { folder: into, ...written } }
})

/** `hand-over`: everything of an organization, to take elsewhere. */
export const handOverCommand = (desk: Desk): Command =>
  withExamples(
    asAct(
      new Command("hand-over").description("writes everything of an organization into an empty folder: open formats, with proofs that overa-verify checks without this service")
        .argument("<organization>").argument("<folder>")
    ).action(desk.does(handOver)),
    [`hand-over <organization> ./zora --reason "the shop leaves, its letter of 3 May"`]
  )
