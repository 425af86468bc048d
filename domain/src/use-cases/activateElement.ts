import { BigDecimal, Effect, Option, Result, Schema } from "effect"
import { composeContent } from "../documents/composeContent.ts"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import { DocumentStatus, FailureCode } from "../documents/DocumentStatus.ts"
import { fingerprint } from "../idempotency/boundKey.ts"
import { Dinars, Quantity } from "../money/Dinars.ts"
import { isDocument } from "../operations/KeyHolder.ts"
import type { BoundKey } from "../operations/Operation.ts"
import { ElementActs } from "../ports/TenancyActs.ts"
import { Installation, TenancyDirectory } from "../ports/TenancyDirectory.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { CurrentTaxConfigurationUnavailable } from "../tax/errors.ts"
import { permittedLabel } from "../tax/permittedLabel.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { environmentGate, type FoundPremise } from "../tenancy/premiseGate.ts"
import { FiscalDocumentId, type SecurityElementId } from "../tenancy/identifiers.ts"
import type { SecurityElement } from "../tenancy/SecurityElement.ts"
import { type Kept, plainCommit } from "./issuing/reservation.ts"
import { type DraftFacts, type IssuableKind, atPlace, type Place } from "./issuing/draftDocument.ts"
import { issueUnderKey } from "./issuing/issueUnderKey.ts"
import type { Act } from "../activity/Activity.ts"

/** The element was not tried, because something must be corrected first. Nothing was sent. */
export class ActivationRefused extends Schema.TaggedError<ActivationRefused>()("ActivationRefused", { detail: Schema.String }) {}

/** The Training document did not become a receipt; the element stays UPLOADED. */
export class ActivationNotProven extends Schema.TaggedError<ActivationNotProven>()("ActivationNotProven", {
  operationId: FiscalDocumentId,
  status: DocumentStatus,
  failureCode: Schema.NullOr(FailureCode),
  /** The V-PFR's codes where it rejected the document, else empty. */
  codes: Schema.Array(Schema.String)
}) {}

const oneDinar = BigDecimal.fromStringUnsafe("1")

const training = { invoiceType: "TRAINING", transactionType: "SALE" } as const

const trainingContent = (element: SecurityElement, label: string, place: Place): DocumentContent =>
  composeContent(training, {
    clientReference: `activation of ${element.jid}`,
    cashier: { id: "Overa", displayName: null },
    buyer: null,
    items: [{
      name: "Активација безбедносног елемента",
      unitOfMeasure: "ком",
      quantity: Quantity.make(oneDinar),
      unitPrice: Dinars.make(oneDinar),
      unitPriceBeforeDiscount: null,
      gtin: null,
      catalogProductId: null,
      taxLabels: [label],
      originalLineIndex: null
    }],
    payments: [{ type: "OTHER", amount: oneDinar }],
    commercialFooter: null,
    metadata: null
  }, place)

const boundKeyOf = (elementId: SecurityElementId, round: number): BoundKey => {
  const target = `activate security element ${elementId}`
  const content = { elementId, round: String(round) }
  return {
    role: "INNER",
    key: `activation:${elementId}:${round}`,
    target,
    body: JSON.stringify(content),
    fingerprint: fingerprint(target, content)
  }
}

/** A rejected document is final, so every new attempt needs a new key; in practice nobody tries an element this often. */
const mostRounds = 50

const nextKey = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId) {
  const store = yield* OperationStore
  for (let round = 1; round <= mostRounds; round += 1) {
    const boundKey = boundKeyOf(elementId, round)
    const stored = yield* store.findByKey({ organizationId: tenant.organizationId, role: boundKey.role, key: boundKey.key })
    const isRejected = Option.isSome(stored) && isDocument(stored.value) && stored.value.status === "REJECTED"
    if (!isRejected) return boundKey
  }
  return yield* new ActivationRefused({ detail: `The V-PFR has rejected ${mostRounds} Training documents of this element.` })
})

const uploadedElement = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId) {
  const directory = yield* TenancyDirectory
  const element = (yield* directory.securityElements(tenant)).find((one) => one.id === elementId)
  if (element === undefined) return yield* new ActivationRefused({ detail: `There is no security element ${elementId}.` })
  if (element.status !== "UPLOADED") {
    return yield* new ActivationRefused({ detail: `The element is ${element.status}; only an UPLOADED one can be activated.` })
  }
  const found = yield* directory.premiseForIssuing(tenant, element.taxpayerId, element.businessPremiseId)
  const premise = Option.getOrNull(found)?.premise ?? null
  if (Option.isNone(found) || premise === null) {
    return yield* new ActivationRefused({ detail: "The element's taxpayer or premise is not active." })
  }
  return { element, found: { ...found.value, premise } } satisfies UploadedAt
})

interface UploadedAt {
  readonly element: SecurityElement
  readonly found: FoundPremise
}

type TrainingRefusal =
  | Result.Result.Failure<ReturnType<typeof environmentGate>>
  | ActivationRefused
  | CurrentTaxConfigurationUnavailable

const compose = (element: SecurityElement, { place, taxRates }: DraftFacts<null>): Result.Result<DocumentContent, TrainingRefusal> => {
  if (taxRates === null) return Result.fail(new CurrentTaxConfigurationUnavailable({}))
  const label = permittedLabel(taxRates, place.found.taxpayer.vatStatus, place.settings)
  return label === undefined
    ? Result.fail(new ActivationRefused({ detail: "The tax configuration has no label this taxpayer may use." }))
    : Result.succeed(trainingContent(element, label, place))
}

/** The premise with the element that is to be tried instead of its active one. */
const placeOfTrial = Effect.fnUntraced(function*(tenant: Tenant, { element, found }: UploadedAt) {
  const installation = yield* Installation
  const settings = yield* installation.settings(tenant.environment)
  yield* Effect.fromResult(environmentGate(settings, tenant.environment))
  const place: Place = { found, element, settings }
  return place
})

const trainingKind = (tenant: Tenant, uploaded: UploadedAt): IssuableKind<null, Kept, TrainingRefusal, OperationStore> => ({
  keyLookup: "BEFORE_WAITING",
  gates: Effect.map(placeOfTrial(tenant, uploaded), (place) => atPlace(place)),
  compose: (facts) => compose(uploaded.element, facts),
  firstCommit: plainCommit,
  replay: "RETRY"
})

/**
 * Activates an uploaded element. One Training document is reserved, sent and stored like every other document, and only its receipt makes the element
 * ACTIVE. An unknown outcome leaves it UPLOADED; a repeated request waits for the same document, and no second one is sent while the first is
 * unresolved. Source: Spec, Authentication 9.
 */
export const activateElement = Effect.fn("activateElement")(function*(command: {
  readonly tenant: Tenant
  readonly elementId: SecurityElementId
  readonly act: Act
}) {
  const { act, elementId, tenant } = command
  const uploaded = yield* uploadedElement(tenant, elementId)
  const boundKey = yield* nextKey(tenant, elementId)
  const request = { tenant, clientId: act.actor, boundKey, callerGone: new AbortController().signal }
  const { operation } = yield* issueUnderKey(request, trainingKind(tenant, uploaded))
  if (operation.status !== "FISCALIZED") {
    return yield* new ActivationNotProven({
      operationId: operation.id,
      status: operation.status,
      failureCode: operation.failureCode,
      codes: operation.rejection?.items.flatMap((item) => item.codes) ?? []
    })
  }
  yield* (yield* ElementActs).activate(act, tenant.organizationId, elementId)
  return operation
})
