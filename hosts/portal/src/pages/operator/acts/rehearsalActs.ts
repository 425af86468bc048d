import { DateTime, Effect } from "effect"
import { rehearsalTitle, rehearsalWarning, rehearse } from "../../rehearse.ts"
import { dayField, premiseOfOrganization } from "../actInput.ts"
import type { OperatorAct } from "../OperatorAct.ts"

/** A day is stated, not an hour: the latest moment that it can mean. A day to come stays one. */
const lastMomentOf = (day: DateTime.Utc, now: DateTime.Utc): DateTime.Utc => {
  const end = DateTime.subtract(DateTime.add(day, { days: 1 }), { seconds: 1 })
  return !DateTime.isGreaterThan(day, now) && DateTime.isGreaterThan(end, now) ? now : end
}

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
    const day = yield* dayField(visit, "backedUpOn")
    return yield* rehearse(visit, place, { act, backedUpAt: day === null ? null : lastMomentOf(day, yield* DateTime.now), isForOperator: true })
  })
}

/** Going live, rehearsed for a shop. */
export const rehearsalActs: ReadonlyArray<OperatorAct> = [rehearsal]
