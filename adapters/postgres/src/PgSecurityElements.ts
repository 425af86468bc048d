import {
  type ElementCredentials,
  type Environment,
  type OrganizationId,
  type SecurityElementId,
  SecurityElements,
  SecurityElementUnavailable
} from "@overa/domain"
import { Clock, Effect, Layer, Redacted, Result, Schema } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import { recentReads } from "./recentReads.ts"
import type { Secrets } from "./Secrets.ts"

interface VaultRow {
  readonly environment: Environment
  readonly jid: string
  readonly tin: string
  readonly valid_to: Date
  readonly secrets: string
}

/** What the envelope of an element holds. */
export const ElementSecrets = Schema.Struct({
  privateKey: Schema.String,
  certificateChain: Schema.String,
  pac: Schema.String
})

/** The row that an element's envelope is bound to; a pool element is bound to its place in the pool until it is assigned. */
export const elementRow = (organizationId: string, elementId: string): string => `security_elements ${organizationId} ${elementId}`
export const poolRow = (environment: string, jid: string): string => `element_pool ${environment} ${jid}`

const decodeSecrets = Schema.decodeUnknownSync(Schema.fromJsonString(ElementSecrets))

const unavailable = (detail: string) => new SecurityElementUnavailable({ detail })

const openRow = (secrets: Secrets, row: VaultRow, boundTo: string): Effect.Effect<ElementCredentials, SecurityElementUnavailable> =>
  Result.match(secrets.open(boundTo, row.secrets), {
    onFailure: (error) => Effect.fail(unavailable(`the security element's envelope does not open: ${error.detail}`)),
    onSuccess: (plain) => {
      const { privateKey, certificateChain, pac } = decodeSecrets(Redacted.value(plain))
      return Effect.succeed({
        environment: row.environment,
        jid: row.jid,
        tin: row.tin,
        privateKey: Redacted.make(privateKey),
        certificateChain,
        pac: Redacted.make(pac),
        validTo: row.valid_to.getTime()
      })
    }
  })

// In every status: a replaced element is still needed to search for what it sent (Decisions §4, Resolution).
const load = Effect.fnUntraced(function*(
  database: PgDatabase["Service"],
  secrets: Secrets,
  organizationId: string,
  elementId: string
) {
  const [row] = yield* database.read<VaultRow>(
    "select environment, jid, tin, valid_to, secrets from security_elements where organization_id = $1 and element_id = $2",
    [organizationId, elementId]
  ).pipe(Effect.mapError(() => unavailable("the vault of security elements does not answer")))
  if (row === undefined) return yield* unavailable("there is no such security element")
  return yield* openRow(secrets, row, elementRow(organizationId, elementId))
})

const make = Effect.fnUntraced(function*(secrets: Secrets) {
  const database = yield* PgDatabase
  const opened = yield* recentReads((key) => {
    const [organizationId = "", elementId = ""] = key.split(" ")
    return load(database, secrets, organizationId, elementId)
  })
  return SecurityElements.of({
    open: Effect.fn("SecurityElements.open")(function*(organizationId: OrganizationId, id: SecurityElementId) {
      const credentials = yield* opened(`${organizationId} ${id}`)
      const now = yield* Clock.currentTimeMillis
      if (credentials.validTo <= now) return yield* unavailable("the security element's certificate has expired")
      return credentials
    })
  })
})

/** The vault: elements are decrypted when read and cached, in this process only, for two seconds. */
export const layerSecurityElements = (secrets: Secrets): Layer.Layer<SecurityElements, never, PgDatabase> =>
  Layer.effect(SecurityElements, make(secrets))
