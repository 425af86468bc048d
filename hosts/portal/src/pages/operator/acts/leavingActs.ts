import { Effect } from "effect"
import { everythingReply, everythingTitle, everythingWarning, takenWords } from "../../leaving/everythingReply.ts"
import { organizationOf } from "../actInput.ts"
import { ActInvalid, type OperatorAct } from "../OperatorAct.ts"

const everything: OperatorAct = {
  path: "/operator/organizations/:id/everything",
  title: everythingTitle,
  warning: everythingWarning,
  fields: (visit) => Effect.as(organizationOf(visit), []),
  run: Effect.fnUntraced(function*(visit, act) {
    const { id } = yield* organizationOf(visit)
    return yield* Effect.catchTag(everythingReply(act, id), "LeavingTaken", (held) => new ActInvalid({ field: "act", sentence: takenWords(visit.say, held) }))
  })
}

/** Handing an organization all that it has. */
export const leavingActs: ReadonlyArray<OperatorAct> = [everything]
