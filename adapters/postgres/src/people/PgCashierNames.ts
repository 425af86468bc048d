import { CashierNames } from "@overa/domain"
import { Effect, Layer } from "effect"
import { rightNow } from "../administration/activity.ts"
import { PgDatabase } from "../PgDatabase.ts"
import { recordAboutPerson } from "./recordAboutPerson.ts"

/** The names of cashiers, kept with their people. */
export const layerCashierNames: Layer.Layer<CashierNames, never, PgDatabase> = Layer.effect(
  CashierNames,
  Effect.map(PgDatabase, (database) =>
    CashierNames.of({
      choose: Effect.fn("CashierNames.choose")(function*(act, personId, cashierName) {
        yield* database.transaction(Effect.fnUntraced(function*(tx) {
          yield* recordAboutPerson(tx, act, personId, "cashier name chosen", { cashierName })
          yield* tx.query("update people set cashier_name = $2, updated_at = $3 where person_id = $1", [personId, cashierName, yield* rightNow])
        }))
      })
    }))
)
