import { type AttentionEntry, AttentionOversight, People, raisesDoubt, RecordActs } from "@overa/domain"
import { Command } from "commander"
import { Effect, Option } from "effect"
import type { Desk } from "../Desk.ts"
import { facts, shownTime, table } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { withExamples } from "./describe.ts"

const list = (desk: Desk) =>
  new Command("list").description("open items, oldest first").option("--limit <number>", "default 100").action(desk.does((input) =>
    Effect.gen(function*() {
      const limit = yield* input.wholeNumber("limit", 100, 10_000)
      const items = yield* (yield* AttentionOversight).openAttention(null, limit)
      const rows = items.map((it) => [it.id, shownTime(it.raisedAt), it.kind, it.operationId ?? it.elementId ?? it.personId ?? "-", it.detail])
      return { text: table(["ID", "RAISED", "KIND", "ABOUT", "WHAT"], rows, "The attention list is empty."), json: { items } }
    })
  ))

const aboutOf = Effect.fnUntraced(function*({ elementId, operationId, personId }: AttentionEntry) {
  if (operationId !== null) return ["operation", operationId] as const
  if (elementId !== null) return ["element", elementId] as const
  if (personId === null) return ["organization", "itself"] as const
  const person = Option.getOrNull(yield* (yield* People).find(personId))
  return ["person", person === null ? personId : `${person.email} (${personId})`] as const
})

const shown = (it: AttentionEntry, about: readonly [string, string | null]): string => {
  const dealtWith = it.acknowledgedAt === null ? "open" : `acknowledged ${shownTime(it.acknowledgedAt)} by ${it.acknowledgedBy}: ${it.acknowledgement}`
  const head = facts([["raised", shownTime(it.raisedAt)], ["kind", it.kind], about, ["organization", it.organizationId], ["what", it.detail], ["state", dealtWith]])
  return it.evidence === null ? head : `${head}\n\nEvidence:\n${it.evidence}`
}

const show = (desk: Desk) =>
  new Command("show").description("an item with its evidence").argument("<id>").action(desk.does((input) =>
    Effect.gen(function*() {
      const found = yield* (yield* AttentionOversight).attention(input.argument(0).toLowerCase())
      if (Option.isNone(found)) return yield* new Refusal({ sentence: `There is no item ${input.argument(0)} on the attention list.` })
      return { text: shown(found.value, yield* aboutOf(found.value)), json: found.value }
    })
  ))

const acknowledge = (desk: Desk) =>
  new Command("acknowledge").description("acknowledges an item with a note; the item is kept for ever").argument("<id>")
    .requiredOption("--reason <note>", "what was found and done").action(desk.does((input) =>
      Effect.gen(function*() {
        const id = input.argument(0).toLowerCase()
        const found = yield* (yield* AttentionOversight).attention(id)
        yield* (yield* RecordActs).acknowledge(yield* input.act, id)
        const follows = Option.isSome(found) && raisesDoubt(found.value) ? " A document that is no receipt may be sent again once no other such item is open." : ""
        return { text: `Acknowledged ${id}.${follows}`, json: { id } }
      })
    ))

/** `attention`: what a person must look at. */
export const attention = (desk: Desk): Command =>
  withExamples(
    new Command("attention").description("what a person must look at").addCommand(list(desk)).addCommand(show(desk)).addCommand(acknowledge(desk)),
    [`attention list`, `attention acknowledge <id> --reason "compared with the tax authority's portal, the receipt is right"`]
  )
