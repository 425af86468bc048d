import { RecoveryCodes } from "@overa/domain"
import { Effect, Layer } from "effect"
import { rightNow } from "../administration/activity.ts"
import { PgDatabase } from "../PgDatabase.ts"
import { type Mails, tellPerson } from "./PgPersonMails.ts"
import { recordAboutPerson } from "./recordAboutPerson.ts"

const useStatement = "delete from portal_recovery_codes where person_id = $1 and code_digest = $2 returning code_digest"

/** Recovery codes, as digests. A code is deleted in the commit that uses it: of two requests with one code, one finds it. */
export const layerRecoveryCodes = (mails: Mails): Layer.Layer<RecoveryCodes, never, PgDatabase> =>
  Layer.effect(
    RecoveryCodes,
    Effect.map(PgDatabase, (database) => {
      const left = Effect.fn("RecoveryCodes.left")(function*(personId: string) {
        const [row] = yield* database.read<{ readonly left: string }>("select count(*) as left from portal_recovery_codes where person_id = $1", [personId])
        return Number(row?.left ?? 0)
      })
      return RecoveryCodes.of({
        left,
        replace: Effect.fn("RecoveryCodes.replace")(function*(act, personId, digests) {
          yield* database.transaction(Effect.fnUntraced(function*(tx) {
            // Two pages at once: the second one's codes are the ones that stay, all of them.
            yield* tx.query("select from people where person_id = $1 for update", [personId])
            yield* recordAboutPerson(tx, act, personId, "recovery codes made")
            yield* tx.query("delete from portal_recovery_codes where person_id = $1", [personId])
            yield* tx.query("insert into portal_recovery_codes (person_id, code_digest, made_at) select $1, d, $3 from unnest($2::text[]) as d", [personId, digests, yield* rightNow])
            yield* tellPerson(tx, mails, personId, "RECOVERY_CODES_MADE")
          }))
        }),
        use: Effect.fn("RecoveryCodes.use")(function*(act, personId, digest) {
          return yield* database.transaction(Effect.fnUntraced(function*(tx) {
            const used = yield* tx.query(useStatement, [personId, digest])
            if (used.length === 0) return false
            yield* recordAboutPerson(tx, act, personId, "recovery code used")
            yield* tellPerson(tx, mails, personId, "RECOVERY_CODE_USED")
            return true
          }))
        })
      })
    })
  )
