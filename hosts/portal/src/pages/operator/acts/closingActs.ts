import { giveUpClosing, operatorOf } from "@overa/domain"
import { Effect } from "effect"
import type { OperatorAct } from "../OperatorAct.ts"
import { openedOperation } from "../unknownPages.ts"

/** Giving up the closing of an advance case (docs/adr/0126). */
export const closingActs: ReadonlyArray<OperatorAct> = [{
  path: "/operator/unknown/:operation/give-up",
  title: ["Одустани од затварања аванса", "Give up the closing of the advance case"],
  warning: [
    "Ниједан документ овог затварања неће бити послат. Предмет може поново да се затвори под новим кључем.",
    "Neither document of this closing will ever be sent. The case can be closed again with a new key."
  ],
  fields: (visit) => Effect.as(openedOperation(visit), []),
  run: Effect.fnUntraced(function*(visit, act) {
    const { operation, tenant } = yield* openedOperation(visit)
    const { document } = yield* giveUpClosing({ tenant, id: operation.id, operator: operatorOf(act) })
    return `/operator/unknown/${document.id}?done=decided`
  })
}]
