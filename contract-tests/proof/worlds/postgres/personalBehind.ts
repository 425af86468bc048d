import { layerDeliveryOutbox, layerDeliveryStore, layerMailTransport, type PgDatabase } from "@overa/adapter-postgres"
import { anyTime, DeliveryActs, type DeliveryOutbox, DeliveryStore, ErasureActs, type Identifiers, type MailTransport } from "@overa/domain"
import { type Context, Effect, Layer } from "effect"
import { taxpayerId, tenant } from "../place.ts"
import type { ErasureBehind, MailBehind } from "../StoreBehind.ts"

const act = { actor: "operator:ana", reason: "asked for by the buyer" }

/** The ports of deliveries, over the database and the identifiers of a world. */
export const layerMail: Layer.Layer<DeliveryStore | DeliveryOutbox | MailTransport, never, PgDatabase | Identifiers> = Layer.mergeAll(layerDeliveryStore, layerDeliveryOutbox, layerMailTransport(true))

const openTaxpayer = `insert into taxpayers (organization_id, taxpayer_id, environment, tax_identifier, name, vat_status, created_at, updated_at)
values ($1, $2, $3, '100000008', 'Shop', 'IN_VAT', now(), now())`
const openSettings = "insert into delivery_settings (organization_id, taxpayer_id, enabled, updated_at) values ($1, $2, true, now())"

/** What the lines of the activity log say was erased; a failover that loses an erasure loses its line with it. */
const erasedRows = `select l.act, l.at, l.after from activity_log l where l.organization_id = $1 and l.act in ('metadata erased', 'recipient''s address erased', 'buyer''s details erased')
order by l.at, l.activity_id`

const deliveryRows = "select delivery_id as id, d::text as row from receipt_deliveries d where organization_id = $1"
const documentRows = "select operation_id as id, o::text as row from operations o where organization_id = $1"

const everyDelivery = { status: null, fiscalDocumentId: null, recipient: null, pfr: anyTime, created: anyTime }

interface ErasedRow {
  readonly act: string
  readonly at: Date
  readonly after: string
}

type Query = PgDatabase["Service"]["query"]

const certain = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> => Effect.orDie(effect)

/** The settings of the shop, and its deliveries. */
export const mailBehind = (query: Query, ports: MailBehind["ports"], asViewer: Context.Context<DeliveryStore>): MailBehind => ({
  open: certain(Effect.andThen(query(openTaxpayer, [tenant.organizationId, taxpayerId, tenant.environment]), Effect.asVoid(query(openSettings, [tenant.organizationId, taxpayerId])))),
  ports,
  all: certain(Effect.flatMap(DeliveryStore, (store) => store.list(tenant, everyDelivery, { after: null, limit: 1_000 })).pipe(Effect.provide(asViewer)))
})

/** An operator's acts of erasure, and what they have left. */
export const erasureBehind = (query: Query, asOperator: Context.Context<DeliveryActs | ErasureActs>): ErasureBehind => {
  const { organizationId } = tenant
  const acting = <A, E>(effect: Effect.Effect<A, E, DeliveryActs | ErasureActs>) => Effect.provide(effect, asOperator)
  return {
    recipients: (recipient, olderThanDays) => acting(Effect.flatMap(DeliveryActs, (acts) => acts.eraseRecipient(act, organizationId, { recipient, olderThanDays }))),
    requests: (clientReference, olderThanDays) =>
      acting(Effect.flatMap(ErasureActs, (acts) => Effect.map(acts.eraseRequestData(act, organizationId, { clientReference, olderThanDays }), ({ erased }) => erased))),
    buyers: (olderThanDays) => acting(Effect.flatMap(ErasureActs, (acts) => acts.eraseBuyerDetails(act, organizationId, { buyerId: null, olderThanDays }))),
    done: certain(Effect.map(query<ErasedRow>(erasedRows, [organizationId]), (rows) =>
      rows.map(({ act: what, after, at }) => {
        const { deliveries, documents, olderThanDays } = JSON.parse(after) as { readonly deliveries?: ReadonlyArray<string>; readonly documents?: ReadonlyArray<string>; readonly olderThanDays: number }
        return { what, at: at.getTime(), ids: deliveries ?? documents ?? [], olderThanDays }
      }))),
    rows: certain(Effect.map(
      Effect.all([query<{ readonly id: string; readonly row: string }>(deliveryRows, [organizationId]), query<{ readonly id: string; readonly row: string }>(documentRows, [organizationId])]),
      // The row that holds a delivery's key has the delivery's id.
      (found) => new Map([...Map.groupBy(found.flat(), ({ id }) => id)].map(([id, own]) => [id, own.map(({ row }) => row).join(" ")]))
    ))
  }
}
