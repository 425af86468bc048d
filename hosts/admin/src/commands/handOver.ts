import { KnownSigners, type LeavingTaken } from "@overa/domain"
import { leavingFiles, leavingPage } from "@overa/host-kit/leaving"
import { Command } from "commander"
import { Effect } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { resolve } from "node:path"
import type { Desk } from "../Desk.ts"
import type { Input } from "../input/Input.ts"
import { namedOrganization } from "../input/named.ts"
import { recordedSigners } from "../leaving/recordedSigners.ts"
import { writeFolder } from "../leaving/writeFolder.ts"
import { shownTime } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { asAct, withExamples } from "./describe.ts"

const taken = ({ until }: LeavingTaken): Refusal =>
  new Refusal({ sentence: `Somebody takes everything of this organization along now; nothing was written. If that has stopped, its turn ends at ${shownTime(until)}.` })

const handOver = Effect.fnUntraced(function*(input: Input) {
  const organizationId = yield* input.id("organization", input.argument(0))
  const into = resolve(input.argument(1))
  const organization = yield* namedOrganization(organizationId)
  if (existsSync(into) && readdirSync(into).length > 0) return yield* new Refusal({ sentence: `${into} is not empty; nothing was written.` })
  const act = yield* input.act
  const counts = yield* Effect.gen(function*() {
    const leaving = yield* Effect.catchTag(leavingFiles(act, organizationId), "LeavingTaken", taken)
    yield* writeFolder(into, leaving.files)
    return leaving.counts
  }).pipe(Effect.provideServiceEffect(KnownSigners, recordedSigners(input.config)))
  const written = counts()
  return { text: leavingPage(organization.name, written), json: { folder: into, ...written } }
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
