import { ActRefused, type InstallationActs } from "@overa/domain"
import { Effect, Result } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { tokenKeyRow } from "../PgCredentials.ts"
import { personRow } from "../people/personRows.ts"
import { elementRow, poolRow } from "../PgSecurityElements.ts"
import { installationItself, recordActivity } from "./activity.ts"
import type { ActTools } from "./ActTools.ts"

interface Envelope {
  readonly id: string
  readonly row: string
  readonly secrets: string
}

/** Where envelopes lie: how to read those not under the key in front, and how to put one back. */
interface Place {
  readonly read: string
  readonly rowOf: (found: Readonly<Record<string, string>>) => string
  readonly write: string
}

const places: ReadonlyArray<Place> = [
  {
    read: `select organization_id || ' ' || element_id as id, organization_id::text as a, element_id::text as b, secrets
      from security_elements where split_part(secrets, '.', 2) <> $1 order by 1 limit 100 for update`,
    rowOf: ({ a = "", b = "" }) => elementRow(a, b),
    write: "update security_elements set secrets = $2 where organization_id || ' ' || element_id = $1"
  },
  {
    read: `select environment || ' ' || jid as id, environment as a, jid as b, secrets
      from element_pool where split_part(secrets, '.', 2) <> $1 order by 1 limit 100 for update`,
    rowOf: ({ a = "", b = "" }) => poolRow(a, b),
    write: "update element_pool set secrets = $2 where environment || ' ' || jid = $1"
  },
  {
    read: "select kid as id, kid as a, kid as b, secrets from token_keys where split_part(secrets, '.', 2) <> $1 order by 1 limit 100 for update",
    rowOf: ({ a = "" }) => tokenKeyRow(a),
    write: "update token_keys set secrets = $2 where kid = $1"
  },
  {
    read: `select person_id::text as id, person_id::text as a, '' as b, totp_secrets as secrets from people
      where split_part(totp_secrets, '.', 2) <> $1 order by 1 limit 100 for update`,
    rowOf: ({ a = "" }) => personRow(a),
    write: "update people set totp_secrets = $2 where person_id::text = $1"
  }
]

// An envelope that does not open stops everything: leaving it behind would make dropping the old key lose it.
const reseal = (tools: ActTools, { id, row, secrets }: Envelope): Effect.Effect<string, ActRefused> =>
  Result.match(tools.secrets.open(row, secrets), {
    onFailure: (error) => Effect.fail(new ActRefused({ reason: "ENVELOPE_UNREADABLE", detail: `The secrets of ${id} do not open: ${error.detail}.` })),
    onSuccess: (plain) => Effect.succeed(tools.secrets.seal(row, plain))
  })

const resealSome = Effect.fnUntraced(function*(tx: PgStatements, tools: ActTools, place: Place) {
  const found = yield* tx.query<Readonly<Record<string, string>>>(place.read, [tools.secrets.sealingKeyId])
  for (const one of found) {
    const envelope = { id: one["id"] ?? "", row: place.rowOf(one), secrets: one["secrets"] ?? "" }
    yield* tx.query(place.write, [envelope.id, yield* reseal(tools, envelope)])
  }
  return found.length
})

/** Seals everything again that is not sealed under the key in front, in commits of a hundred; it may be stopped and begun again. */
export const resealSecrets = (tools: ActTools): InstallationActs["resealSecrets"] =>
  Effect.fn("Administration.resealSecrets")(function*(act) {
    let resealed = 0
    for (const place of places) {
      let some: number
      do {
        some = yield* tools.database.transaction((tx) => resealSome(tx, tools, place))
        resealed += some
      } while (some > 0)
    }
    yield* tools.database.transaction((tx) =>
      recordActivity(tx, act, {
        organizationId: installationItself,
        act: "secrets sealed again",
        subject: tools.secrets.sealingKeyId,
        before: null,
        after: { resealed }
      })
    )
    return resealed
  })
