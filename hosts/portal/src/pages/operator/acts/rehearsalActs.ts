import { Effect } from "effect"
import { rehearsalTitle, rehearsalWarning, rehearse } from "../../rehearse.ts"
import { dayField, premiseOfOrganization } from "../actInput.ts"
import type { OperatorAct } from "../OperatorAct.ts"

const rehearsal: OperatorAct = {
  path: "/operator/organizations/:id/premises/:premise/rehearsal",
  title: rehearsalTitle,
  warning: rehearsalWarning,
  fields: (visit) =>
    Effect.as(premiseOfOrganization(visit), [{
      kind: "text",
      name: "backedUpOn",
      words: ["Дан најновије резервне копије, ако база сама не архивира", "Day of the newest back-up, where the database does not archive itself"],
      more: { type: "date" }
    }]),
  run: Effect.fnUntraced(function*(visit, act) {
    const place = yield* premiseOfOrganization(visit)
    return yield* rehearse(visit, place, { act, backedUpAt: yield* dayField(visit, "backedUpOn"), isForOperator: true })
  })
}

/** Going live, rehearsed for a shop. */
export const rehearsalActs: ReadonlyArray<OperatorAct> = [rehearsal]
