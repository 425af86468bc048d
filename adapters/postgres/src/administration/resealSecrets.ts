import { ActRefused, type InstallationActs } from "@overa/domain"
import { Effect, Result } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { tokenKeyRow } from "../PgCredentials.ts"
import { personRow } from "../people/personRows.ts"
import { journalKeyRow } from "../journal-log/JournalKeys.ts"
import { elementRow, poolRow } from "../PgSecurityElements.ts"
import { webhookRow } from "../webhooks/endpointRows.ts"
import { installationItself, recordActivity } from "./activity.ts"
import type { ActTools } from "./ActTools.ts"

interface Envelope {
  readonly id: string
  readonly row: string
  readonly secrets: string
}

/**
 * The places of envelopes: how to read those not under the first key, with the two parts of their primary key, and how to store one again. Read
 * without a lock, because they belong to many organizations; stored ($1, $2 the primary key, $3 the new envelope) only where the old one ($4) is
 * unchanged.
 */
interface Place {
  readonly read: string
  readonly rowOf: (a: string, b: string) => string
  readonly write: string
}

const places: ReadonlyArray<Place> = [
  {
    read: `select organization_id::text as a, element_id::text as b, secrets
      from security_elements where split_part(secrets, '.', 2) <> $1 order by 1, 2 limit 100`,
    rowOf: elementRow,
    write: "update security_elements set secrets = $3 where organization_id = $1::uuid and element_id = $2::uuid and secrets = $4"
  },
  {
    read: "select environment as a, jid as b, secrets from element_pool where split_part(secrets, '.', 2) <> $1 order by 1, 2 limit 100",
    rowOf: poolRow,
    write: "update element_pool set secrets = $3 where environment = $1 and jid = $2 and secrets = $4"
  },
  {
    read: "select kid as a, '' as b, secrets from token_keys where split_part(secrets, '.', 2) <> $1 order by 1 limit 100",
    rowOf: tokenKeyRow,
    write: "update token_keys set secrets = $3 where kid = $1 and $2::text = '' and secrets = $4"
  },
  {
    read: "select number::text as a, '' as b, secrets from journal_keys where split_part(secrets, '.', 2) <> $1 order by number limit 100",
    rowOf: journalKeyRow,
    write: "update journal_keys set secrets = $3 where number = $1::int4 and $2::text = '' and secrets = $4"
  },
  {
    read: `select organization_id::text as a, endpoint_id::text as b, secrets
      from webhook_endpoints where split_part(secrets, '.', 2) <> $1 order by 1, 2 limit 100`,
    rowOf: webhookRow,
    write: "update webhook_endpoints set secrets = $3 where organization_id = $1::uuid and endpoint_id = $2::uuid and secrets = $4"
  },
  {
    read: `select person_id::text as a, '' as b, totp_secrets as secrets from people
      where split_part(totp_secrets, '.', 2) <> $1 order by 1 limit 100`,
    rowOf: personRow,
    write: "update people set totp_secrets = $3 where person_id = $1::uuid and $2::text = '' and totp_secrets = $4"
  }
]

// An envelope that does not open stops everything: if it were skipped, removing the old key would lose its secret.
const reseal = (tools: ActTools, { id, row, secrets }: Envelope): Effect.Effect<string, ActRefused> =>
  Result.match(tools.secrets.open(row, secrets), {
    onFailure: (error) => Effect.fail(new ActRefused({ reason: "ENVELOPE_UNREADABLE", detail: `The secrets of ${id} do not open: ${error.detail}.` })),
    onSuccess: (plain) => Effect.succeed(tools.secrets.seal(row, plain))
  })

interface Found {
  readonly a: string
  readonly b: string
  readonly secrets: string
}

const resealSome = Effect.fnUntraced(function*(tx: PgStatements, tools: ActTools, place: Place) {
  const found = yield* tx.query<Found>(place.read, [tools.secrets.sealingKeyId])
  for (const { a, b, secrets } of found) {
    const sealed = yield* reseal(tools, { id: `${a} ${b}`.trimEnd(), row: place.rowOf(a, b), secrets })
    yield* tx.query(place.write, [a, b, sealed, secrets])
  }
  return found.length
})

/** Encrypts everything again that is not under the first key, in commits of a hundred; it may be interrupted and started again. */
export const resealSecrets = (tools: ActTools): InstallationActs["Service"]["resealSecrets"] =>
  Effect.fn("InstallationActs.resealSecrets")(function*(act) {
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
