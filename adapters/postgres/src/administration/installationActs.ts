import { ActRefused, type InstallationActs } from "@overa/domain"
import { Effect } from "effect"
import { installationItself, recordActivity, rightNow } from "./activity.ts"
import { resealSecrets } from "./resealSecrets.ts"
import type { ActTools } from "./ActTools.ts"

const changeEnvironment = (tools: ActTools): InstallationActs["changeEnvironment"] =>
  Effect.fn("Administration.changeEnvironment")(function*(act, environment, change) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const [before] = yield* tx.query(
          "select traffic_enabled, esir_number, vat_categories from environment_settings where environment = $1 for update",
          [environment]
        )
        yield* tx.query(
          `update environment_settings set traffic_enabled = coalesce($2::boolean, traffic_enabled),
             esir_number = coalesce($3::text, esir_number), vat_categories = coalesce($4::text[], vat_categories), updated_at = $5
           where environment = $1`,
          [environment, change.trafficEnabled ?? null, change.esirNumber ?? null, change.vatCategories ?? null, yield* rightNow]
        )
        yield* recordActivity(tx, act, {
          organizationId: installationItself,
          act: "environment changed",
          subject: environment,
          before: before ?? null,
          after: change
        })
      })
    )
  })

const changeDelivery = (tools: ActTools): InstallationActs["changeDelivery"] =>
  Effect.fn("Administration.changeDelivery")(function*(act, organizationId, taxpayerId, settings) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const taxpayers = yield* tx.query(
          "select 1 from taxpayers where organization_id = $1 and taxpayer_id = $2 for update",
          [organizationId, taxpayerId]
        )
        if (taxpayers.length === 0) {
          return yield* new ActRefused({ reason: "TAXPAYER_NOT_FOUND", detail: `There is no taxpayer ${taxpayerId}.` })
        }
        const [before] = yield* tx.query(
          "select enabled, sender_name, reply_to, locale, formats from delivery_settings where organization_id = $1 and taxpayer_id = $2",
          [organizationId, taxpayerId]
        )
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

// The request as received repeats the address, and its digest could be guessed from one: both go with it.
const eraseStatement = `update receipt_deliveries set recipient = null, request_body = '', fingerprint = '', last_error = null
where organization_id = $1 and lower(recipient) = lower($2) and status <> 'QUEUED' and updated_at <= now() - $3::int4 * interval '1 day'
returning delivery_id`

const eraseRecipient = (tools: ActTools): InstallationActs["eraseRecipient"] =>
  Effect.fn("Administration.eraseRecipient")(function*(act, organizationId, { olderThanDays, recipient }) {
    return yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const erased = yield* tx.query<{ readonly delivery_id: string }>(eraseStatement, [organizationId, recipient, olderThanDays])
        yield* recordActivity(tx, act, {
          organizationId,
          act: "recipient's address erased",
          subject: organizationId,
          before: null,
          after: { deliveries: erased.map((row) => row.delivery_id), olderThanDays }
        })
        return erased.length
      })
    )
  })

const addReferenceKey = (tools: ActTools): InstallationActs["addReferenceKey"] =>
  Effect.fn("Administration.addReferenceKey")(function*(act, { environment, kind, name, pem }) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const added = yield* tx.query(
          `insert into reference_keys (environment, kind, name, pem, added_at) values ($1, $2, $3, $4, $5)
           on conflict on constraint reference_keys_pk do nothing returning name`,
          [environment, kind, name, pem, yield* rightNow]
        )
        if (added.length === 0) {
          return yield* new ActRefused({ reason: "REFERENCE_KEY_ALREADY_EXISTS", detail: `${name} is already known in ${environment}.` })
        }
        yield* recordActivity(tx, act, {
          organizationId: installationItself,
          act: kind === "SIGNER" ? "signer key added" : "trust root added",
          subject: `${environment} ${name}`,
          before: null,
          after: { pem }
        })
      })
    )
  })

/** Settings of the installation's environments and of receipt delivery. */
export const installationActs = (tools: ActTools): InstallationActs => ({
  changeEnvironment: changeEnvironment(tools),
  addReferenceKey: addReferenceKey(tools),
  resealSecrets: resealSecrets(tools),
  changeDelivery: changeDelivery(tools),
  eraseRecipient: eraseRecipient(tools)
})
