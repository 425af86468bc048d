import { type BusinessPremiseId, type Credential, Credentials, type Environment, type GrantableScope, type OrganizationId, StoreUnavailable, type TokenKey } from "@overa/domain"
import { DateTime, Effect, Layer, Option, Result } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import { utc } from "./rows/OperationRow.ts"
import type { Secrets } from "./Secrets.ts"

interface CredentialRow {
  readonly client_id: string
  readonly organization_id: string
  readonly environment: Environment | null
  readonly scopes: ReadonlyArray<GrantableScope>
  readonly premises: ReadonlyArray<BusinessPremiseId> | null
  readonly secret_digest: string
  readonly former_digest: string | null
  readonly former_until: Date | null
  readonly revoked: boolean
}

interface TokenKeyRow {
  readonly kid: string
  readonly public_jwk: string
  readonly secrets: string
  readonly retired_at: Date | null
}

/** The row a token key's envelope is bound to. */
export const tokenKeyRow = (kid: string): string => `token_keys ${kid}`

const decodeCredential = (row: CredentialRow): Credential => ({
  clientId: row.client_id,
  organizationId: row.organization_id as OrganizationId,
  environment: row.environment,
  scopes: row.scopes,
  premises: row.premises,
  secretDigest: row.secret_digest,
  formerSecret: row.former_digest === null || row.former_until === null ? null : { digest: row.former_digest, until: utc(row.former_until) },
  revoked: row.revoked
})

// A key that does not open is a fault of the configuration; signing with another one in its place would hide it.
const decodeTokenKey = (secrets: Secrets, row: TokenKeyRow): Effect.Effect<TokenKey, StoreUnavailable> =>
  Result.match(secrets.open(tokenKeyRow(row.kid), row.secrets), {
    onFailure: (cause) => Effect.fail(new StoreUnavailable({ committed: "no", cause })),
    onSuccess: (privateKey) =>
      Effect.succeed({ kid: row.kid, privateKey, publicJwk: JSON.parse(row.public_jwk) as TokenKey["publicJwk"], retiredAt: row.retired_at?.getTime() ?? null })
  })

const make = Effect.fnUntraced(function*(secrets: Secrets) {
  const database = yield* PgDatabase
  return Credentials.of({
    find: Effect.fn("Credentials.find")(function*(clientId: string) {
      // A caller may send any text as a client id. PostgreSQL cannot store a NUL in a text, so no client has such an id.
      if (clientId.includes("\0")) return Option.none()
      const [row] = yield* database.read<CredentialRow>(
        `select c.client_id, c.organization_id, c.environment, c.scopes, c.premises, c.secret_digest, c.former_digest, c.former_until, c.revoked_at is not null as revoked
         from directory_clients d join credentials c using (organization_id, client_id) where d.client_id = $1`,
        [clientId]
      )
      return Option.map(Option.fromNullishOr(row), decodeCredential)
    }),
    replaceDigest: Effect.fn("Credentials.replaceDigest")(function*({ clientId, organizationId, secretDigest }, { digest, keyId }) {
      yield* database.read(
        `update credentials set secret_digest = $4, digest_key = $5
         where organization_id = $1 and client_id = $2 and secret_digest = $3`,
        [organizationId, clientId, secretDigest, digest, keyId]
      )
    }),
    noteUse: Effect.fn("Credentials.noteUse")(function*({ clientId, organizationId }, at) {
      yield* database.read(
        `update credentials set last_used_at = $3
         where organization_id = $1 and client_id = $2 and (last_used_at is null or last_used_at < $3)`,
        [organizationId, clientId, new Date(DateTime.toEpochMillis(at))]
      )
    }),
    tokenKeys: Effect.gen(function*() {
      const rows = yield* database.read<TokenKeyRow>(
        `select kid, public_jwk, secrets, retired_at from token_keys order by created_at desc, kid desc`
      )
      return yield* Effect.forEach(rows, (row) => decodeTokenKey(secrets, row))
    }).pipe(Effect.withSpan("Credentials.tokenKeys"))
  })
})

/** Credentials by client id, and the keys that sign tokens. */
export const layerCredentials = (secrets: Secrets): Layer.Layer<Credentials, never, PgDatabase> =>
  Layer.effect(Credentials, make(secrets))
