import { type PortalSession, SentForms } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"

/** For how long a form that was sent does not act again. A page that waited for its sending longer than this is not known any more. */
const rememberedMillis = 30 * 24 * 3_600_000

const claimOfPerson = "insert into portal_sent_forms (person_id, form_id, claimed_at) values ($1, $2, $3) on conflict do nothing returning form_id"
/** A session that has ended since the person was let in makes no claim, and refuses none: the act comes just before its end. */
const claimOfSession = `with here as (select digest from portal_sessions where digest = $1 for key share),
made as (insert into portal_forms (digest, form_id, claimed_at) select digest, $2, $3 from here on conflict do nothing returning form_id)
select (select count(*) from here) = (select count(*) from made) as first`

const claim = Effect.fnUntraced(function*(tx: PgStatements, { digest, personId }: Pick<PortalSession, "digest" | "personId">, formId: string, at: Date) {
  if ((yield* tx.query(claimOfPerson, [personId, formId, at])).length === 0) return false
  yield* tx.query("delete from portal_sent_forms where claimed_at < $1", [new Date(at.getTime() - rememberedMillis)])
  // A host of the release before knows and makes the claims of a session alone: the two clicks of a double click may reach both.
  const [ofSession] = yield* tx.query<{ readonly first: boolean }>(claimOfSession, [digest, formId, at])
  return ofSession?.first === true
})

const make = Effect.map(PgDatabase, (database) =>
  SentForms.of({
    claim: Effect.fn("SentForms.claim")(function*(session: Pick<PortalSession, "digest" | "personId">, formId: string, at: DateTime.Utc) {
      return yield* database.transaction((tx) => claim(tx, session, formId, new Date(DateTime.toEpochMillis(at))))
    })
  }))

/** Forms of the portal that were sent. */
export const layerSentForms: Layer.Layer<SentForms, never, PgDatabase> = Layer.effect(SentForms, make)
