import {
  deliveryChange,
  type DeliveryFilter,
  type DeliveryFormat,
  type DeliveryPlace,
  type DeliverySettings,
  DeliveryStore,
  noDeliverySettings,
  type OrganizationId,
  type Queued,
  type ReceiptDelivery,
  type ReceiptDeliveryId,
  type TaxpayerId,
  type Tenant
} from "@overa/domain"
import { Effect, Layer, Option } from "effect"
import { listStatement } from "./deliveries/listStatement.ts"
import { noteChanges } from "./events/noteChanges.ts"
import { holdKey } from "./operations/heldKeys.ts"
import { readKeyHolder } from "./operations/readers.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import { toStoreUnavailable } from "./PgFailure.ts"
import { decodeDelivery, deliveryColumns, type DeliveryRow, deliveryValues } from "./rows/DeliveryRow.ts"

interface SettingsRow {
  readonly enabled: boolean
  readonly sender_name: string | null
  readonly reply_to: string | null
  readonly locale: DeliverySettings["locale"]
  readonly formats: ReadonlyArray<DeliveryFormat> | null
}

interface UseRow {
  readonly other_recipients: number
  readonly deliveries_of_document: number
  readonly in_last_hour: number
}

const placeholders = deliveryColumns.split(", ").map((_, index) => `$${index + 1}`).join(", ")

// The queue's own columns follow those of the delivery: due at once.
const queueStatement = `insert into receipt_deliveries (${deliveryColumns}, due_at, waiting_since) values (${placeholders}, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()))
on conflict on constraint receipt_deliveries_key_unique do nothing returning delivery_id`

const byKey = `select ${deliveryColumns} from receipt_deliveries where organization_id = $1 and idempotency_key = $2`

const byId = `select ${deliveryColumns} from receipt_deliveries where organization_id = $1 and environment = $2 and delivery_id = $3`

// One scan of one organization's rows, by either index: a database split by organization sends it to one server.
const useStatement = `select
  (count(distinct lower(recipient)) filter (where fiscal_document_id = $2 and lower(recipient) <> lower($4)))::int as other_recipients,
  (count(*) filter (where fiscal_document_id = $2))::int as deliveries_of_document,
  (count(*) filter (where environment = $3 and created_at > now() - interval '1 hour'))::int as in_last_hour
from receipt_deliveries
where organization_id = $1 and (fiscal_document_id = $2 or (environment = $3 and created_at > now() - interval '1 hour'))`

const settingsStatement =
  "select enabled, sender_name, reply_to, locale, formats from delivery_settings where organization_id = $1 and taxpayer_id = $2"

const one = (rows: ReadonlyArray<DeliveryRow>): Option.Option<ReceiptDelivery> => Option.map(Option.fromNullishOr(rows[0]), decodeDelivery)

/** The delivery, its place in the queue and its key, in one commit. */
const queueWithKey = Effect.fnUntraced(function*(statements: PgStatements, delivery: ReceiptDelivery) {
  const queued = yield* statements.query(queueStatement, deliveryValues(delivery))
  if (queued.length === 0) return "KNOWN" as const
  yield* noteChanges(statements, delivery, [deliveryChange(delivery, delivery.createdAt)])
  yield* holdKey(statements, { ...delivery, boundKey: { ...delivery.boundKey, fingerprint: saysNothing } })
  return "QUEUED" as const
})

// A digest of the request would let somebody guess the recipient, and the row that holds the key is never changed: it therefore contains no digest
// (Decisions §15).
const saysNothing = { version: 0, digest: "" }

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  const findByKey = Effect.fn("DeliveryStore.findByKey")(function*(organizationId: OrganizationId, key: string) {
    return one(yield* database.keyed.confirmed(database.read<DeliveryRow>(byKey, [organizationId, key]), { organizationId }))
  })
  return DeliveryStore.of({
    findByKey,
    queue: Effect.fn("DeliveryStore.queue")(function*(delivery: ReceiptDelivery): Effect.fn.Return<Queued, Effect.Error<ReturnType<typeof findByKey>>> {
      const queued = yield* database.transaction((statements) => queueWithKey(statements, delivery)).pipe(
        Effect.catchTag("KeyIsHeld", () => Effect.succeed("HELD" as const))
      )
      if (queued === "QUEUED") return { _tag: "Queued" }
      const by = queued === "HELD" ? yield* readKeyHolder(database, delivery).pipe(Effect.catch(toStoreUnavailable)) : null
      if (by !== null) return { _tag: "KeyHeld", by }
      const existing = yield* findByKey(delivery.organizationId, delivery.boundKey.key)
      // Deliveries are never deleted, so the row that caused the conflict exists.
      if (Option.isNone(existing)) return yield* Effect.die(new Error("a delivery's key is taken, but no row has it"))
      return existing.value.id === delivery.id ? { _tag: "Queued" } : { _tag: "KeyTaken", existing: existing.value }
    }),
    get: Effect.fn("DeliveryStore.get")(function*({ environment, organizationId }: Tenant, id: ReceiptDeliveryId) {
      return one(yield* database.read<DeliveryRow>(byId, [organizationId, environment, id]))
    }, database.keyed.confirmed),
    list: Effect.fn("DeliveryStore.list")(function*(tenant: Tenant, filter: DeliveryFilter, place: DeliveryPlace) {
      const { sql, values } = listStatement(tenant, filter, place)
      const rows = yield* database.read<DeliveryRow>(sql, values)
      return rows.map(decodeDelivery)
    }, database.keyed.confirmed),
    use: Effect.fn("DeliveryStore.use")(function*({ environment, fiscalDocumentId, organizationId }, recipient: string) {
      const [row] = yield* database.read<UseRow>(useStatement, [organizationId, fiscalDocumentId, environment, recipient])
      return {
        otherRecipients: row?.other_recipients ?? 0,
        deliveriesOfDocument: row?.deliveries_of_document ?? 0,
        inLastHour: row?.in_last_hour ?? 0
      }
    }),
    settings: Effect.fn("DeliveryStore.settings")(function*(organizationId: OrganizationId, taxpayerId: TaxpayerId) {
      const [row] = yield* database.read<SettingsRow>(settingsStatement, [organizationId, taxpayerId])
      if (row === undefined) return noDeliverySettings
      const { enabled, formats, locale } = row
      return { enabled, senderName: row.sender_name, replyTo: row.reply_to, locale, formats }
    })
  })
})

/** Deliveries as callers see them. */
export const layerDeliveryStore: Layer.Layer<DeliveryStore, never, PgDatabase> = Layer.effect(DeliveryStore, make)
