import { ActRefused, elementChange, type ElementFacts, type Environment, type SecurityElementId } from "@overa/domain"
import { DateTime, Effect, Redacted, Result } from "effect"
import { constraints } from "../constraints.ts"
import { noteChanges } from "../events/noteChanges.ts"
import type { PgStatements } from "../PgDatabase.ts"
import type { PgFailure } from "../PgFailure.ts"
import { elementRow, poolRow } from "../PgSecurityElements.ts"
import { utc } from "../rows/OperationRow.ts"
import type { Secrets } from "../Secrets.ts"
import { rightNow } from "./activity.ts"

/** Where an element goes: one premise of one taxpayer. */
export interface ElementPlace {
  readonly organizationId: string
  readonly taxpayerId: string
  readonly premiseId: string
  readonly environment: Environment
}

const secretText = (element: ElementFacts): Redacted.Redacted<string> =>
  Redacted.make(JSON.stringify({
    privateKey: Redacted.value(element.privateKey),
    certificateChain: element.certificateChain,
    pac: Redacted.value(element.pac)
  }))

const publicFacts = (element: ElementFacts): ReadonlyArray<unknown> => [
  element.jid,
  element.tin,
  element.subject,
  element.issuer,
  element.serialNumber,
  element.fingerprintSha256,
  new Date(DateTime.toEpochMillis(element.validFrom)),
  new Date(DateTime.toEpochMillis(element.validTo))
]

const factColumns = "jid, tin, subject, issuer, serial_number, fingerprint_sha256, valid_from, valid_to"

const jidTaken = (jid: string) =>
  new ActRefused({ reason: "JID_ALREADY_EXISTS", detail: `The security element ${jid} is already in this installation.` })

// One JID belongs to one organization only: a renewed certificate may come under the same JID, one of another organization may not.
const claimJid = Effect.fnUntraced(function*(tx: PgStatements, environment: string, jid: string, organizationId: string | null) {
  const rows = yield* tx.query(
    `insert into directory_elements as d (environment, jid, organization_id) values ($1, $2, $3)
     on conflict on constraint ${constraints.jid} do update set organization_id = d.organization_id
     where d.organization_id is not null and d.organization_id = $3
     returning jid`,
    [environment, jid, organizationId]
  )
  if (rows.length === 0) return yield* jidTaken(jid)
})

interface KnownElementRow {
  readonly premise_id: string
  readonly fingerprint_sha256: string
}

// Takes the row lock of the JID's claim: of two uploads at the same time the second sees what the first has stored.
const refuseKnown = Effect.fnUntraced(function*(tx: PgStatements, place: ElementPlace, { fingerprintSha256, jid }: ElementFacts) {
  const known = yield* tx.query<KnownElementRow>(
    "select premise_id, fingerprint_sha256 from security_elements where organization_id = $1 and environment = $2 and jid = $3",
    [place.organizationId, place.environment, jid]
  )
  const elsewhere = known.find((it) => it.premise_id !== place.premiseId)
  if (elsewhere !== undefined) {
    return yield* new ActRefused({ reason: "JID_ALREADY_EXISTS", detail: `The element ${jid} belongs to the premise ${elsewhere.premise_id}.` })
  }
  if (known.some((it) => it.fingerprint_sha256 === fingerprintSha256)) {
    return yield* new ActRefused({ reason: "JID_ALREADY_EXISTS", detail: `This very certificate of ${jid} was uploaded before; see elements list.` })
  }
})

/** Stores an element with its secrets encrypted and bound to the row. */
export const insertElement = Effect.fnUntraced(function*(
  tx: PgStatements,
  secrets: Secrets,
  place: ElementPlace,
  element: ElementFacts,
  options: { readonly id: string; readonly status: "UPLOADED" | "ACTIVE" }
): Effect.fn.Return<SecurityElementId, ActRefused | PgFailure> {
  yield* claimJid(tx, place.environment, element.jid, place.organizationId)
  yield* refuseKnown(tx, place, element)
  yield* tx.query(
    `insert into security_elements (organization_id, element_id, taxpayer_id, premise_id, environment, ${factColumns}, status,
       secrets, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`,
    [
      place.organizationId,
      options.id,
      place.taxpayerId,
      place.premiseId,
      place.environment,
      ...publicFacts(element),
      options.status,
      secrets.seal(elementRow(place.organizationId, options.id), secretText(element)),
      yield* rightNow
    ]
  )
  return options.id as SecurityElementId
})

/** Puts a sandbox element into the pool. */
export const insertPoolElement = Effect.fnUntraced(function*(
  tx: PgStatements,
  secrets: Secrets,
  element: ElementFacts
): Effect.fn.Return<void, ActRefused | PgFailure> {
  yield* claimJid(tx, "sandbox", element.jid, null)
  yield* tx.query(
    `insert into element_pool (environment, ${factColumns}, secrets, added_at)
     values ('sandbox', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [...publicFacts(element), secrets.seal(poolRow("sandbox", element.jid), secretText(element)), yield* rightNow]
  )
})

interface PoolRow {
  readonly jid: string
  readonly secrets: string
}

// An element leaves the pool by being deleted; `skip locked` lets two new premises take two different elements at once.
const takeStatement = `delete from element_pool where (environment, jid) = (
    select environment, jid from element_pool where environment = 'sandbox' and valid_to > now()
    order by added_at, jid limit 1 for update skip locked)
  returning jid, tin, subject, issuer, serial_number, fingerprint_sha256, valid_from, valid_to, secrets`

const giveStatement = `insert into security_elements (organization_id, element_id, taxpayer_id, premise_id, environment, ${factColumns},
    status, secrets, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'ACTIVE', $14, $15, $15)`

const reseal = (secrets: Secrets, row: PoolRow, place: ElementPlace, id: string): Effect.Effect<string> =>
  Result.match(secrets.open(poolRow("sandbox", row.jid), row.secrets), {
    onFailure: (error) => Effect.die(error),
    onSuccess: (plain) => Effect.succeed(secrets.seal(elementRow(place.organizationId, id), plain))
  })

/** Assigns the oldest pool element to a sandbox premise at once; null when the pool is empty (Spec, Authentication 7). */
export const assignPoolElement = Effect.fnUntraced(function*(
  tx: PgStatements,
  secrets: Secrets,
  place: ElementPlace,
  id: string
): Effect.fn.Return<SecurityElementId | null, PgFailure> {
  const [row] = yield* tx.query<PoolRow & Readonly<Record<string, unknown>>>(takeStatement)
  if (row === undefined) return null
  const facts = factColumns.split(", ").map((column) => row[column])
  const envelope = yield* reseal(secrets, row, place, id)
  const at = yield* rightNow
  yield* tx.query("update directory_elements set organization_id = $3 where environment = $1 and jid = $2", [
    place.environment,
    row.jid,
    place.organizationId
  ])
  yield* tx.query(giveStatement, [
    place.organizationId,
    id,
    place.taxpayerId,
    place.premiseId,
    place.environment,
    ...facts,
    envelope,
    at
  ])
  yield* noteChanges(tx, place, [elementChange("security_element.activated", id as SecurityElementId, utc(at))])
  return id as SecurityElementId
})
