import { DateTime, Effect, Option, Result } from "effect"
import { brokenLimit, checkDeliverable, deliveryLimits } from "../../delivery/deliverability.ts"
import type { DeliverySettings } from "../../delivery/DeliverySettings.ts"
import { ReceiptDeliveryRateLimited } from "../../delivery/errors.ts"
import { preferredFormats, type ReceiptDelivery, type ReceiptDeliveryId } from "../../delivery/ReceiptDelivery.ts"
import type { ReceiptDeliveryRequest } from "../../delivery/ReceiptDeliveryRequest.ts"
import { FiscalDocumentNotFound } from "../../documents/errors.ts"
import { licenseGate } from "../../licensing/licenseGate.ts"
import type { KeyHolder } from "../../operations/KeyHolder.ts"
import type { Operation } from "../../operations/Operation.ts"
import { DeliveryStore, MailTransport } from "../../ports/DeliveryStore.ts"
import { Identifiers, LicenseRegister } from "../../ports/TenancyDirectory.ts"
import { OperationStore } from "../../ports/OperationStore.ts"
import { RequestFaults } from "../../requests/Fault.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import { checkReplay, type KeyedRequest } from "../issuing/issueUnderKey.ts"

/** The delivery, and whether this request queued it or found it. */
export interface RequestedDelivery {
  readonly delivery: ReceiptDelivery
  readonly replayed: boolean
}

const replayOf = Effect.fnUntraced(function*(request: KeyedRequest, existing: ReceiptDelivery) {
  yield* checkReplay(request, existing)
  return { delivery: existing, replayed: true } satisfies RequestedDelivery
})

/** A key that a document or an advance case has taken meanwhile never belongs to a delivery too (Decisions §3). */
const refuseTaken = Effect.fnUntraced(function*(request: KeyedRequest, holder: KeyHolder) {
  yield* checkReplay(request, holder)
  return yield* Effect.die(new Error(`${holder.id} is no delivery, although its key was looked up for one`))
})

const askLicense = Effect.fnUntraced(function*({ environment, organizationId }: Tenant) {
  if (environment === "sandbox") return
  const license = yield* (yield* LicenseRegister).license(organizationId)
  yield* Effect.fromResult(licenseGate(license, { environment, use: "EMAIL", now: yield* DateTime.now }))
})

const checkConditions = Effect.fnUntraced(function*(document: Operation, settings: DeliverySettings) {
  const transportAvailable = yield* (yield* MailTransport).available
  const { id, status, taxpayerId } = document
  const { invoiceType, reference, transactionType } = document.content
  const deliverable = { id, taxpayerId, status, invoiceType, transactionType, reference }
  yield* Effect.fromResult(checkDeliverable(deliverable, { enabled: settings.enabled, transportAvailable }))
})

const checkLimits = Effect.fnUntraced(function*(document: Operation, recipient: string) {
  const { environment, organizationId } = document
  const use = yield* (yield* DeliveryStore).use({ organizationId, environment, fiscalDocumentId: document.id }, recipient)
  const broken = brokenLimit(use, environment)
  if (broken === "HOUR") return yield* new ReceiptDeliveryRateLimited({ deliveriesPerHour: deliveryLimits.perHour[environment] })
  if (broken === null) return
  const message = `this document was sent as often as it may be: to at most ${deliveryLimits.recipientsOfDocument} mailboxes, ` +
    `${deliveryLimits.deliveriesOfDocument} times in all`
  return yield* new RequestFaults({ faults: [{ pointer: "/recipient", key: "Recipient", message }] })
})

const newDelivery = Effect.fnUntraced(function*(
  request: KeyedRequest,
  asked: ReceiptDeliveryRequest,
  document: Operation,
  settings: DeliverySettings
) {
  const id = (yield* (yield* Identifiers).uuid) as ReceiptDeliveryId
  const at = yield* DateTime.now
  const delivery: ReceiptDelivery = {
    id,
    organizationId: document.organizationId,
    environment: document.environment,
    taxpayerId: document.taxpayerId,
    fiscalDocumentId: document.id,
    clientId: request.clientId,
    boundKey: request.boundKey,
    recipient: asked.recipient,
    formats: asked.formats ?? settings.formats ?? preferredFormats(document.content.preferredPaperFormat),
    locale: asked.locale ?? settings.locale,
    status: "QUEUED",
    attempts: 0,
    maybeTaken: 0,
    lastError: null,
    failure: null,
    createdAt: at,
    updatedAt: at
  }
  return delivery
})

/**
 * Queues a receipt for a mailbox under the caller's key, or answers with what the key already has. Nothing is sent here: one commit stores key and
 * message, and a worker sends it. The refusals are in the order of Decisions §12.
 */
export const requestDelivery = Effect.fn("requestDelivery")(function*(request: KeyedRequest, asked: ReceiptDeliveryRequest) {
  const deliveries = yield* DeliveryStore
  const operations = yield* OperationStore
  const known = yield* deliveries.findByKey(request.tenant.organizationId, request.boundKey.key)
  if (Option.isSome(known)) return yield* replayOf(request, known.value)
  const { key, role } = request.boundKey
  const holder = yield* operations.findByKey({ organizationId: request.tenant.organizationId, role, key })
  // A delivery that was queued meanwhile is read whole: the holder of a key does not contain what was requested (Decisions §15).
  const meanwhile = Option.isSome(holder) ? yield* deliveries.findByKey(request.tenant.organizationId, key) : Option.none()
  if (Option.isSome(meanwhile)) return yield* replayOf(request, meanwhile.value)
  if (Option.isSome(holder)) yield* checkReplay(request, holder.value)
  const found = yield* operations.get(request.tenant, asked.fiscalDocumentId)
  if (Option.isNone(found)) return yield* new FiscalDocumentNotFound({ fiscalDocumentId: asked.fiscalDocumentId })
  const document = found.value
  yield* askLicense(request.tenant)
  const settings = yield* deliveries.settings(document.organizationId, document.taxpayerId)
  yield* checkConditions(document, settings)
  // The same request, arrived twice at once: what the faster one has queued counts against the limits of the other.
  const refused = yield* Effect.result(checkLimits(document, asked.recipient))
  if (Result.isFailure(refused)) {
    const twin = yield* deliveries.findByKey(request.tenant.organizationId, key)
    return Option.isSome(twin) ? yield* replayOf(request, twin.value) : yield* Effect.fail(refused.failure)
  }
  const delivery = yield* newDelivery(request, asked, document, settings)
  const queued = yield* deliveries.queue(delivery)
  if (queued._tag === "KeyHeld") return yield* refuseTaken(request, queued.by)
  return queued._tag === "Queued" ? { delivery, replayed: false } satisfies RequestedDelivery : yield* replayOf(request, queued.existing)
})
