import { DateTime, Duration, Effect, Option, Result } from "effect"
import type { DocumentContent } from "../../documents/DocumentContent.ts"
import type { LineItem } from "../../documents/LineItem.ts"
import type { PaymentModeCheck } from "../../documents/composeContent.ts"
import { type LicensedUse, licenseGate } from "../../licensing/licenseGate.ts"
import type { KeyHolder } from "../../operations/KeyHolder.ts"
import { Installation, LicenseRegister, TenancyDirectory } from "../../ports/TenancyDirectory.ts"
import { ProductReferences } from "../../ports/ProductStore.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"
import { TaxRates } from "../../ports/TaxAuthority.ts"
import { faultAt, RequestFaults } from "../../requests/Fault.ts"
import { groupAt, type TaxRateGroup, type TaxRateHistory } from "../../tax/TaxRateGroup.ts"
import { checkLabels, checkLabelsExist, type LabelledBy } from "../../tax/checkLabels.ts"
import { CurrentTaxConfigurationUnavailable, type TaxLabelNotAllowedOutsideVat, type TaxLabelNotCurrent } from "../../tax/errors.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import type { EnvironmentSettings } from "../../tenancy/Environment.ts"
import type { BusinessPremiseId, SecurityElementId, TaxpayerId } from "../../tenancy/identifiers.ts"
import {
  type ActiveElement, checkElementEnvironment, environmentGate, findPremise, type FoundPremise, premiseGate, withoutExpiredElement
} from "../../tenancy/premiseGate.ts"
import { pfrInstant } from "../../time/PfrTime.ts"
import type { Blank, FirstCommit, Kept } from "./reservation.ts"
import type { GuardedRedrive } from "./nextAttempt.ts"

/** What the checks of steps 5 to 8b have proven: where the document is issued, and what it refers to. */
export interface Proven<Subject> {
  readonly place: Place
  readonly subject: Subject
  /** The tax rates that the labels are checked against (step 9): today's, freshly fetched, or those at a PFR time, from any known configuration. */
  readonly ratesAt: "NOW" | { readonly pfrTime: string | null }
}

/** The facts a document is composed of. */
export interface DraftFacts<Subject> extends Omit<Proven<Subject>, "ratesAt"> {
  /** Null where no configuration is known, or, where `ratesAt` is NOW, none that is fresh enough. */
  readonly taxRates: TaxRateGroup | null
}

/** A document that has passed the checks and may be reserved now. */
export interface DocumentDraft<Subject = unknown, Content = DocumentContent> extends DraftFacts<Subject> {
  readonly content: Content
}

/**
 * A kind of document: the inputs of steps 5 to 10 of the order of checks (Decisions §2), a pure composition of the content, and the first commit.
 * Everything else, from the look-up of the key to the stored outcome, is the same for every kind (`issueUnderKey`).
 *
 * `Subject` is what the request refers to, `K` what the first commit stores, `Refusal` the rules that may refuse. `Content` is what is composed before
 * the first commit; null where that commit alone decides it, under a lock.
 */
export interface IssuableKind<Subject, K extends Kept, Refusal, Needs, Content = DocumentContent> {
  /**
   * When the key is looked up: before anything else, or only before the request would wait for the V-PFR. The second saves a round trip where nothing
   * is read from the store before the first commit, because that commit finds a taken key itself (docs/adr/0007).
   */
  readonly keyLookup: "FIRST" | "BEFORE_WAITING"
  /**
   * Reads what the request refers to, and checks premise and installation (steps 5 to 8b, `checkPrerequisites` with the options of this kind), then the
   * document that decides the tax rates, where there is one. What is missing is refused here, so that no later step asks again.
   */
  readonly gates: Effect.Effect<Proven<Subject>, Refusal | StoreUnavailable, Needs | GateNeeds>
  /** The labels and the kind's own rules (steps 9 and 10), then the content. */
  readonly compose: (facts: DraftFacts<Subject>) => Result.Result<Content, Refusal>
  /** Step 11: `plainCommit`, or one that stores more than the document. `blank` is the document as it may be stored now, without content. */
  readonly firstCommit: (blank: Blank, draft: DocumentDraft<Subject, Content>) => Effect.Effect<FirstCommit<K, Refusal>, never, Needs>
  /** What the same key does with a document that was not fiscalized: sends it again, or answers it unchanged. */
  readonly replay: "RETRY" | "REPLAY"
  /** The compare-and-set of sending it again, where more than the operation's own status decides. */
  readonly redrive?: GuardedRedrive<Refusal, Needs>
}

/** What the checks prove for a kind that refers to nothing stored. */
export const atPlace = (place: Place, ratesAt: Proven<null>["ratesAt"] = "NOW"): Proven<null> => ({ place, subject: null, ratesAt })

/** What a fiscal mutation requires of the premise that issues it. The types of its refusals follow from this. */
export interface GateRequest<U extends LicensedUse, E> {
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly use: U
  /** `paidBy` its payments, or `paymentModeNotAsked`. */
  readonly paymentMode: PaymentModeCheck<E>
  /** The lines of the caller's own request, whose products must exist; none where the lines are a stored document's. */
  readonly items: ReadonlyArray<Pick<LineItem, "catalogProductId">>
}

/** A premise that may issue, with its active element and what the environment adds. */
export interface Place {
  readonly found: FoundPremise
  readonly element: ActiveElement
  readonly settings: EnvironmentSettings
}

const askLicense = Effect.fnUntraced(function*<U extends LicensedUse>({ organizationId, environment }: Tenant, use: U) {
  if (environment === "sandbox" || use === "EXEMPT") return
  const register = yield* LicenseRegister
  const license = yield* register.license(organizationId)
  const now = yield* DateTime.now
  yield* Effect.fromResult(licenseGate(license, { environment, use, now }))
})

/**
 * Steps 5 to 8b of the order of checks (Decisions §2), in that order: taxpayer and premise, the element's environment, licence and module, the
 * premise, the installation; then the products that the request's lines name. Answers the premise with its active element and the environment's
 * settings.
 */
export const checkPrerequisites = Effect.fnUntraced(function*<U extends LicensedUse, E>(tenant: Tenant, request: GateRequest<U, E>) {
  const directory = yield* TenancyDirectory
  const installation = yield* Installation
  const { taxpayerId, businessPremiseId } = request
  const asked = yield* directory.premiseForIssuing(tenant, taxpayerId, businessPremiseId)
  const found = yield* Effect.fromResult(findPremise(asked, { taxpayerId, businessPremiseId }))
  yield* Effect.fromResult(checkElementEnvironment(found, tenant.environment))
  yield* askLicense(tenant, request.use)
  const usable = withoutExpiredElement(found, yield* DateTime.now)
  const element = yield* Effect.fromResult(premiseGate(usable, request.paymentMode))
  const settings = yield* installation.settings(tenant.environment)
  yield* Effect.fromResult(environmentGate(settings, tenant.environment))
  yield* checkProducts(tenant, taxpayerId, request.items)
  const place: Place = { found, element, settings }
  return place
})

/** Why a premise may not issue now. `U` is the use of the licence, `E` the refusal of the payment mode. */
export type PlaceRefusal<U extends LicensedUse, E = never> = Exclude<Effect.Error<ReturnType<typeof checkPrerequisites<U, E>>>, StoreUnavailable>
export type GateNeeds = Effect.Services<ReturnType<typeof checkPrerequisites>>

/** The look-up of a request's key. */
export type KeyLookUp = Effect.Effect<Option.Option<KeyHolder>, StoreUnavailable>

export type Drafted<Subject, Content> =
  | { readonly _tag: "Draft"; readonly draft: DocumentDraft<Subject, Content> }
  /** The key has an operation, which decides the answer; nothing was waited for. */
  | { readonly _tag: "KeyKnown"; readonly existing: KeyHolder }

/**
 * Steps 5 to 10 of the order of checks (Decisions §2) for a request of any kind.
 *
 * @param lookUp Run before the request waits for the V-PFR, so that a stored answer need not wait; null where the key was looked up already.
 */
export const draftDocument = Effect.fnUntraced(function*<Subject, K extends Kept, E, R, Content>(
  tenant: Tenant,
  kind: IssuableKind<Subject, K, E, R, Content>,
  lookUp: KeyLookUp | null
) {
  const { place, ratesAt, subject } = yield* kind.gates
  const elementId = place.element.id
  if (ratesAt !== "NOW") {
    return yield* composed(kind, { subject, place, taxRates: yield* ratesKnownAtPfrTime(tenant, elementId, ratesAt.pfrTime) })
  }
  const atHand = yield* freshAtHand(tenant, elementId)
  if (atHand === null && lookUp !== null) {
    // A store that is unavailable now will fail the first commit too.
    const known = yield* lookUp.pipe(Effect.catchTag("StoreUnavailable", () => Effect.succeedNone))
    if (Option.isSome(known)) return { _tag: "KeyKnown", existing: known.value } satisfies Drafted<Subject, Content>
  }
  const history = atHand ?? (yield* fetchedNow(tenant, elementId))
  const taxRates = history === null ? null : groupAt(history.groups, yield* DateTime.now)
  return yield* composed(kind, { subject, place, taxRates })
})

const composed = <Subject, K extends Kept, E, R, Content>(kind: IssuableKind<Subject, K, E, R, Content>, facts: DraftFacts<Subject>) =>
  Effect.map(Effect.fromResult(kind.compose(facts)), (content): Drafted<Subject, Content> => ({
    _tag: "Draft",
    draft: { subject: facts.subject, place: facts.place, taxRates: facts.taxRates, content }
  }))

/** The same without a look-up of the key: the request's draft, whatever the key has. */
export const draftWithoutKey = Effect.fnUntraced(function*<Subject, K extends Kept, E, R, Content>(
  tenant: Tenant,
  kind: IssuableKind<Subject, K, E, R, Content>
) {
  const drafted = yield* draftDocument(tenant, kind, null)
  return drafted._tag === "Draft" ? drafted.draft : yield* Effect.die(new Error("the look-up of a key answered although no look-up was requested"))
})

type Named = Pick<LineItem, "catalogProductId">

/**
 * Every product that a caller's lines name must be in the taxpayer's catalogue, active or not; it fills no field. Lines that name none cost nothing.
 * Source: Spec, LineItem; Decisions §5 (catalogProductId).
 */
export const checkProducts = (tenant: Tenant, taxpayerId: TaxpayerId, items: ReadonlyArray<Named>) =>
  items.every(({ catalogProductId }) => catalogProductId === null) ? Effect.void : askCatalogue(tenant, taxpayerId, items)

const askCatalogue = Effect.fnUntraced(function*(tenant: Tenant, taxpayerId: TaxpayerId, items: ReadonlyArray<Named>) {
  const references = yield* ProductReferences
  const ids = new Set(items.map(({ catalogProductId }) => catalogProductId).filter((id) => id !== null))
  const missing = new Set(yield* references.missing(tenant, taxpayerId, [...ids]))
  const faults = items.flatMap(({ catalogProductId }, index) =>
    catalogProductId !== null && missing.has(catalogProductId)
      ? [faultAt(["items", index, "catalogProductId"], "must be a product of this taxpayer's catalogue")]
      : [])
  if (faults.length > 0) return yield* new RequestFaults({ faults })
})

/** A configuration older than this is not fresh (Decisions §2). */
const freshFor = Duration.minutes(5)

const isFresh = (history: TaxRateHistory, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(DateTime.addDuration(history.fetchedAt, freshFor), now)

/** The configuration that the V-PFR gave for an element at most five minutes ago, if it is cached; null when it must be fetched. */
export const freshAtHand = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId) {
  const rates = yield* TaxRates
  const known = yield* rates.known(tenant, elementId)
  return known !== null && isFresh(known, yield* DateTime.now) ? known : null
})

/** The configuration fetched from the V-PFR now; null when it gives none. */
export const fetchedNow = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId) {
  const rates = yield* TaxRates
  return yield* rates.fresh(tenant, elementId).pipe(Effect.catchTag("TaxConfigurationUnavailable", () => Effect.succeed(null)))
})

const groupKnownAt = (known: TaxRateHistory | null, at: DateTime.Utc | null): TaxRateGroup | null => known === null || at === null ? null : groupAt(known.groups, at)

/**
 * The rates valid at an instant, from any known configuration, however old; null when none is known, or the instant is not (Decisions §2, refunds and
 * copies).
 */
export const ratesKnownAt = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId, at: DateTime.Utc | null) {
  const rates = yield* TaxRates
  return groupKnownAt(yield* rates.known(tenant, elementId), at)
})

const instantOf = (pfrTime: string | null): DateTime.Utc | null => pfrTime === null ? null : Option.getOrNull(pfrInstant(pfrTime))

/** The same for a PFR time as text. */
export const ratesKnownAtPfrTime = (tenant: Tenant, elementId: SecurityElementId, pfrTime: string | null) =>
  ratesKnownAt(tenant, elementId, instantOf(pfrTime))

/** The rates at any PFR time, for a check that must not wait; null as for `ratesKnownAt`. */
export type RatesAt = (pfrTime: string | null) => TaxRateGroup | null

/** What `RatesAt` answers from the configuration known now. */
export const knownRates = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId) {
  const rates = yield* TaxRates
  const known = yield* rates.known(tenant, elementId)
  const ratesAt: RatesAt = (pfrTime) => groupKnownAt(known, instantOf(pfrTime))
  return ratesAt
})

/**
 * The instant whose rates tax a document: that of the receipt which it gives back or repeats, else when it is sent (V-PFR §2, `referentDocumentDT`). A closing is
 * drafted by today's rates, and its Advance Refund is taxed by the advance's. Null where that receipt's time cannot be read.
 */
export const taxedAt = ({ invoiceType, reference, transactionType }: DocumentContent, sentAt: DateTime.Utc): DateTime.Utc | null =>
  reference !== null && (transactionType === "REFUND" || invoiceType === "COPY") ? instantOf(reference.pfrTime) : sentAt

/** The rates that a document's answer is compared with; null when none are known. */
export const comparedRates = Effect.fnUntraced(function*(tenant: Tenant, elementId: SecurityElementId, content: DocumentContent) {
  return yield* ratesKnownAt(tenant, elementId, taxedAt(content, yield* DateTime.now))
})

type Items = ReadonlyArray<Pick<LineItem, "taxLabels">>

/** Step 9 for a document whose labels must be valid now: a fresh configuration, the labels in it, the taxpayer's VAT status. */
export const checkLabelsNow = (
  items: Items,
  { place, taxRates }: Pick<DraftFacts<unknown>, "place" | "taxRates">
): Result.Result<void, CurrentTaxConfigurationUnavailable | TaxLabelNotAllowedOutsideVat | TaxLabelNotCurrent> => {
  if (taxRates === null) return Result.fail(new CurrentTaxConfigurationUnavailable({}))
  const { vatStatus } = place.found.taxpayer
  return checkLabels(items, { group: taxRates, vatStatus, vatCategories: place.settings.vatCategories })
}

export type LabelsNowRefusal = Result.Result.Failure<ReturnType<typeof checkLabelsNow>>

/**
 * Step 9 for a document that gives back or repeats another: the labels must only exist at the other document's time, and unknown rates stop nothing
 * (Decisions §2).
 */
export const checkLabelsThen = (items: Items, { taxRates }: Pick<DraftFacts<unknown>, "taxRates">, by: LabelledBy = "STORED") =>
  taxRates === null ? Result.void : checkLabelsExist(items, taxRates, by)
