import { failuresToBreakTransport, MailTransport } from "@overa/domain"
import { Effect, Layer } from "effect"
import { PgDatabase, type PgQueries } from "./PgDatabase.ts"

const availableWhereConfigured = (database: PgQueries) =>
  Effect.map(
    database.read<{ readonly failures: number }>("select failures from mail_transport where transport = 'smtp'"),
    ([row]) => (row?.failures ?? 0) < failuresToBreakTransport
  )

const stateStatement =
  "select failures, extract(epoch from try_at - now())::float8 * 1000 as millis from mail_transport where transport = 'smtp'"

const noteWorking = "update mail_transport set failures = 0, detail = null, try_at = now(), updated_at = now() where transport = 'smtp'"

const noteFailure = `update mail_transport set failures = failures + 1, detail = $1, try_at = now() + $2::float8 * interval '1 millisecond',
  updated_at = now() where transport = 'smtp'`

/** The state of the mail server. `configured`: whether this installation has one. */
export const layerMailTransport = (configured: boolean): Layer.Layer<MailTransport, never, PgDatabase> =>
  Layer.effect(
    MailTransport,
    Effect.map(PgDatabase, (database) =>
      MailTransport.of({
        available: configured ? availableWhereConfigured(database) : Effect.succeed(false),
        state: Effect.map(database.read<{ readonly failures: number; readonly millis: number }>(stateStatement), ([row]) => ({
          failures: row?.failures ?? 0,
          mayTryInMillis: Math.max(0, row?.millis ?? 0)
        })),
        note: Effect.fn("MailTransport.note")(function*(failed) {
          yield* failed === null ? database.read(noteWorking) : database.read(noteFailure, [failed.detail, failed.tryInMillis])
        })
      }))
  )
