import { ActRefused, type DeliveryActs, type DeliverySettings, noDeliverySettings } from "@overa/domain"
import { Effect } from "effect"
import { recordActivity, rightNow } from "./activity.ts"
import type { ActTools } from "./ActTools.ts"
import { erasedAtOnce, eraseInCommits, erasingBy } from "./eraseInCommits.ts"

interface SettingsRow {
  readonly enabled: boolean
  readonly sender_name: string | null
  readonly reply_to: string | null
  readonly locale: string
  readonly formats: ReadonlyArray<string> | null
}

/** Whether the settings that a person has seen are the stored ones; without stored settings the defaults count. */
const isSame = (seen: DeliverySettings, stored: SettingsRow | undefined): boolean => {
  const { enabled, formats, locale, replyTo, senderName } = stored === undefined
    ? noDeliverySettings
    : { ...stored, senderName: stored.sender_name, replyTo: stored.reply_to }
  return enabled === seen.enabled && locale === seen.locale && senderName === seen.senderName && replyTo === seen.replyTo &&
    (formats ?? []).join() === (seen.formats ?? []).join()
}

const changeDelivery = (tools: ActTools): DeliveryActs["Service"]["changeDelivery"] =>
  Effect.fn("DeliveryActs.changeDelivery")(function*(act, organizationId, taxpayerId, settings, seen) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const taxpayers = yield* tx.query(
          "select 1 from taxpayers where organization_id = $1 and taxpayer_id = $2 for update",
          [organizationId, taxpayerId]
        )
        if (taxpayers.length === 0) {
          return yield* new ActRefused({ reason: "TAXPAYER_NOT_FOUND", detail: `There is no taxpayer ${taxpayerId}.` })
        }
        const [before] = yield* tx.query<SettingsRow>(
          "select enabled, sender_name, reply_to, locale, formats from delivery_settings where organization_id = $1 and taxpayer_id = $2",
          [organizationId, taxpayerId]
        )
        if (seen !== undefined && !isSame(seen, before)) {
          return yield* new ActRefused({ reason: "CHANGED_MEANWHILE", detail: "Somebody else has changed these settings." })
        }
        yield* tx.query(
          `insert into delivery_settings (organization_id, taxpayer_id, enabled, sender_name, reply_to, updated_at, locale, formats)
           values ($1, $2, $3, $4, $5, $6, $7, $8)
           on conflict on constraint delivery_settings_pk do update set enabled = excluded.enabled,
             sender_name = excluded.sender_name, reply_to = excluded.reply_to, updated_at = excluded.updated_at,
             locale = excluded.locale, formats = excluded.formats`,
          [organizationId, taxpayerId, settings.enabled, settings.senderName, settings.replyTo, yield* rightNow, settings.locale, settings.formats]
        )
        const deed = { organizationId, act: "receipt delivery changed", subject: taxpayerId, before: before ?? null, after: settings }
        yield* recordActivity(tx, act, deed)
      })
    )
  })

// The request as received repeats the address, and the address could be guessed from the request's digest: both are erased with it.
const mayBeErased = `organization_id = $1 and recipient is not null and ($3::text is null or lower(recipient) = lower($3)) and status <> 'QUEUED'
  and updated_at <= now() - $4::int4 * interval '1 day'`

/** $1 organization, $2 after, $3 address, $4 days. */
const next = `select delivery_id as id from receipt_deliveries where ${mayBeErased} and delivery_id > $2 order by delivery_id limit ${erasedAtOnce}`

/** $1 organization, $2 deliveries, $3 address, $4 days. */
const erase = `update receipt_deliveries set recipient = null, request_body = '', fingerprint = '', last_error = null
where ${mayBeErased} and delivery_id = any ($2::uuid[]) returning delivery_id as id`

const eraseRecipient = (tools: ActTools): DeliveryActs["Service"]["eraseRecipient"] =>
  Effect.fn("DeliveryActs.eraseRecipient")(function*(act, organizationId, { olderThanDays, recipient }) {
    const { erased } = yield* eraseInCommits(tools.database, {
      some: erasingBy({ next, erase }, organizationId, [recipient, olderThanDays]),
      record: (tx, deliveries) =>
        recordActivity(tx, act, { organizationId, act: "recipient's address erased", subject: organizationId, before: null, after: { deliveries, olderThanDays } })
    })
    return erased
  })

/** How receipts are sent to buyers, and the erasure of a buyer's address. */
export const deliveryActs = (tools: ActTools): DeliveryActs["Service"] => ({
  changeDelivery: changeDelivery(tools),
  eraseRecipient: eraseRecipient(tools)
})
