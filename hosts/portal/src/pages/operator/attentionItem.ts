import { type AttentionEntry, AttentionOversight, People, RecordActs } from "@overa/domain"
import { Effect, Option } from "effect"
import { el, type Html } from "../../html/el.ts"
import { facts } from "../../html/parts.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { moment } from "../../language/formats.ts"
import { attentionWords } from "./attentionWords.ts"
import { idParameter } from "./actInput.ts"
import type { OperatorAct } from "./OperatorAct.ts"

const personOf = Effect.fnUntraced(function*({ personId }: AttentionEntry) {
  if (personId === null) return null
  return Option.getOrNull(Option.map(yield* (yield* People).find(personId), ({ email }) => email)) ?? personId
})

const attentionItem = (visit: PersonVisit, found: AttentionEntry, person: string | null): Html => {
  const { say } = visit
  const about = found.operationId === null ? "–" : el("a", { href: `/operator/unknown/${found.operationId}` }, found.operationId)
  return facts([
    [say("Од", "Since"), moment(found.raisedAt)],
    [say("Врста", "Kind"), attentionWords(say, found.kind)],
    [say("Шта", "What"), found.detail],
    [say("Документ", "Document"), about],
    person === null
      ? [say("Организација", "Organization"), el("a", { href: `/operator/organizations/${found.organizationId}` }, found.organizationId)]
      : [say("Особа", "Person"), person],
    [say("Стање", "State"), found.acknowledgedAt === null ? say("Чека", "Waits") : `${moment(found.acknowledgedAt)} ${found.acknowledgedBy ?? ""}: ${found.acknowledgement ?? ""}`],
    [say("Докази", "Evidence"), found.evidence === null ? "–" : el("pre", {}, found.evidence)]
  ])
}

const attentionOf = Effect.fnUntraced(function*(visit: PersonVisit) {
  const found = Option.getOrNull(yield* (yield* AttentionOversight).attention(yield* idParameter(visit, "item")))
  return found ?? (yield* new NotFound({}))
})

/** Closing an item of the attention list. */
export const acknowledge: OperatorAct = {
  path: "/operator/attention/:item",
  title: ["Означи као решено", "Mark as dealt with"],
  warning: [
    "После покушаја без исхода, или другог рачуна, документ који није рачун може поново да се пошаље. Означите тек кад знате да рачуна нема, или шта с њим.",
    "After an attempt without an outcome, or a second receipt, a document that is no receipt may be sent again. Mark it only when you know that there is no receipt, or what to do with it."
  ],
  fields: (visit) => Effect.as(attentionOf(visit), []),
  shows: Effect.fnUntraced(function*(visit) {
    const found = yield* attentionOf(visit)
    return attentionItem(visit, found, yield* personOf(found))
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    yield* (yield* RecordActs).acknowledge(act, yield* idParameter(visit, "item"))
    return "/operator/attention?done=acknowledged"
  })
}
