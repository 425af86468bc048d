import { type PortalSession, SentForms } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import { PgDatabase } from "../PgDatabase.ts"

const make = Effect.map(PgDatabase, (database) =>
  SentForms.of({
    claim: Effect.fn("SentForms.claim")(function*({ digest }: Pick<PortalSession, "digest">, formId: string, at: DateTime.Utc) {
      const rows = yield* database.read(
        "insert into portal_forms (digest, form_id, claimed_at) values ($1, $2, $3) on conflict do nothing returning form_id",
        [digest, formId, new Date(DateTime.toEpochMillis(at))]
      )
      return rows.length > 0
    })
  }))

/** Forms of the portal that were sent. */
export const layerSentForms: Layer.Layer<SentForms, never, PgDatabase> = Layer.effect(SentForms, make)
