import {
  layerOperationStore,
  layerProductStore,
  layerUnresolvedOperations,
  MemoryOperations
} from "@overa/adapter-memory"
import {
  type BoundKey,
  type BusinessPremiseId,
  type BuyerDetails,
  CompanyRegister,
  type DocumentContent,
  ElementContacts,
  type Environment,
  fingerprint,
  Identifiers,
  InFlight,
  Installation,
  type IssuableKind,
  issueUnderKey,
  type Kept,
  type KeyedRequest,
  LicenseRegister,
  type OperationHistory,
  type Operation,
  OperationStore,
  type OrganizationId,
  type ProductReferences,
  type ProductStore,
  checkPrerequisites,
  paymentModeNotAsked,
  type PlaceRefusal,
  plainCommit,
  type PremiseForIssuing,
  RefundStore,
  type SearchOutcome,
  type SecurityElementId,
  type SubmissionOutcome,
  SubmissionNotPossible,
  TaxAuthority,
  type TaxpayerId,
  TaxRates,
  TenancyDirectory,
  type Tenant,
  UnresolvedOperations
} from "@overa/domain"
import { DateTime, Effect, Exit, Layer, Option, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { mintUuid } from "./mintIdentity.ts"
import { sampleAnswer, sampleContent, sampleTime } from "./sampleOperations.ts"

/** A draft's own refusal. */
export class Refused extends Schema.TaggedError<Refused>()("Refused", {}) {}

export const tenant = { organizationId: mintUuid() as OrganizationId, environment: "sandbox" as const }
const target = "POST /v1/fiscal-documents"

/** A key bound to a body. */
export const boundKey = (key: string, body: Readonly<Record<string, unknown>>): BoundKey => ({
  role: "REQUEST",
  key,
  target,
  body: JSON.stringify(body),
  fingerprint: fingerprint(target, body)
})

const elementId = mintUuid() as SecurityElementId

/** The place of every document here, with its security element. */
export const place = {
  taxpayerId: mintUuid() as TaxpayerId,
  businessPremiseId: mintUuid() as BusinessPremiseId,
  signer: { tenant, elementId, jid: "ABCD2345" }
}
export const content = sampleContent()

const requestOf = (key: BoundKey, of: Tenant): KeyedRequest => ({
  tenant: of,
  clientId: "svc-sbx-tests",
  boundKey: key,
  callerGone: new AbortController().signal
})

/** How a test changes the document that is issued. */
export interface IssueChange {
  readonly tenant?: Tenant
  readonly refuses?: boolean
  readonly content?: DocumentContent
  /** The operation that has the document's place when its lost reservation is written again; null if there is none. */
  readonly placeTakenBy?: () => Operation | null
}

/** The simplest kind of document; it refuses where the test says so. */
const plainKind = (of: Tenant, { content: said = content, placeTakenBy, refuses = false }: IssueChange): IssuableKind<null, Kept, Refused | PlaceRefusal<"SALE">, OperationStore> => ({
  keyLookup: "BEFORE_WAITING",
  gates: Effect.map(checkPrerequisites(of, { ...place, use: "SALE", paymentMode: paymentModeNotAsked, items: [] }), (at) => ({
    place: at,
    subject: null,
    ratesAt: { pfrTime: null }
  })),
  compose: () => refuses ? Result.fail(new Refused()) : Result.succeed(said),
  firstCommit: (blank, draft) =>
    Effect.map(plainCommit(blank, draft), (commit) => ({
      ...commit,
      again: (kept) =>
        Effect.suspend(() => {
          const existing = placeTakenBy?.() ?? null
          return existing === null ? commit.again(kept) : Effect.succeed({ _tag: "Taken", existing })
        })
    })),
  replay: "RETRY"
})

/** Issues a document under a key that `boundKey` made. */
export const issue = (key: BoundKey, change: IssueChange = {}) => issueUnderKey(requestOf(key, change.tenant ?? tenant), plainKind(change.tenant ?? tenant, change))

/** A tax authority that does what the test says, and counts its calls. */
export const scriptedVpfr = () => {
  const script = {
    submissions: 0,
    searches: 0,
    connectionsReset: [] as Array<string>,
    outcome: (): Effect.Effect<SubmissionOutcome> => Effect.succeed({ _tag: "Signed", answer: sampleAnswer(), remarks: [] }),
    search: (): SearchOutcome => ({ _tag: "NothingFound" }),
    /** The same for one RequestId, where a test asks for more than one. */
    searchOf: null as ((requestId: string, elementId: string) => SearchOutcome) | null,
    opens: true
  }
  const layer = Layer.succeed(TaxAuthority, TaxAuthority.of({
    open: () =>
      script.opens
        ? Effect.succeed({
          submit: () =>
            Effect.suspend(() => {
              script.submissions += 1
              return script.outcome()
            })
        })
        : Effect.fail(new SubmissionNotPossible({ failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE", detail: "closed" })),
    find: ({ elementId }, { requestId }) =>
      Effect.sync(() => {
        script.searches += 1
        return script.searchOf?.(requestId, elementId) ?? script.search()
      }),
    resetConnections: (_tenant, elementId) =>
      Effect.sync(() => {
        script.connectionsReset.push(elementId)
      })
  }))
  return { script, layer }
}

export const silence: SubmissionOutcome = { _tag: "NoAnswer", failureCode: "OUTCOME_UNKNOWN", detail: "silence", foreignAnswer: null }
export const notSent: SubmissionOutcome = { _tag: "NotSent", failureCode: "PFR_UNAVAILABLE", detail: "refused", elementRefused: false }

const never = <A>(name: string): Effect.Effect<A> => Effect.die(`not asked in these cases: ${name}`)

const settings = { adapterConfigured: true, restoring: false, restoredAt: null, trafficEnabled: true, esirNumber: "1/1.0", vatCategories: new Set<string>(), proformaReferences: false }
const long = { createdAt: sampleTime, updatedAt: sampleTime }

const premiseIn = (environment: Environment): PremiseForIssuing => ({
  taxpayer: {
    ...long, id: place.taxpayerId, taxIdentifier: "100000008", name: "Shop", address: null, city: null, environment, vatStatus: "IN_VAT", status: "active"
  },
  premise: {
    ...long, id: place.businessPremiseId, taxpayerId: place.taxpayerId, puIdentifier: "1", name: "Web", commerceMode: "distance", environment,
    paymentMode: "all", status: "active"
  },
  activeElement: { id: elementId, jid: place.signer.jid, environment, validTo: DateTime.makeUnsafe("2100-01-01T00:00:00Z") },
  preferredPaperFormat: "a4",
  brandingId: null
})

/** The company register, as a test scripts it. */
export const registerOfTest = {
  lookup: (_taxIdentifier: string): Effect.Effect<Option.Option<BuyerDetails>> => Effect.succeedNone
}

const surroundings = Layer.mergeAll(
  InFlight.layer,
  Layer.succeed(Identifiers, Identifiers.of({ uuid: Effect.sync(mintUuid) })),
  Layer.succeed(CompanyRegister, CompanyRegister.of({ lookup: (taxIdentifier) => registerOfTest.lookup(taxIdentifier) })),
  Layer.succeed(Installation, Installation.of({ hostId: "host-a", bootId: "boot-1", settings: () => Effect.succeed(settings) })),
  Layer.succeed(LicenseRegister, LicenseRegister.of({ license: () => Effect.succeed(null) })),
  Layer.succeed(TaxRates, TaxRates.of({ fresh: () => never("rates"), known: () => Effect.succeed(null), doubt: () => Effect.void })),
  Layer.succeed(TenancyDirectory, TenancyDirectory.of({
    premiseForIssuing: ({ environment }) => Effect.succeed(Option.some(premiseIn(environment))),
    taxpayers: () => never("taxpayers"),
    businessPremises: () => never("premises"),
    securityElements: () => Effect.succeed([])
  })),
  Layer.succeed(RefundStore, RefundStore.of({ ledger: () => never("ledger"), reserve: () => never("reserve"), reserveAgain: () => never("reserve"), get: () => never("get") }))
)

type Services =
  | Layer.Success<typeof surroundings>
  | ProductStore
  | ProductReferences
  | OperationStore
  | OperationHistory
  | UnresolvedOperations
  | TaxAuthority
  | ElementContacts
  | MemoryOperations

/** How a test changes its store. */
export type StoreTrouble = (store: OperationStore["Service"]) => Partial<OperationStore["Service"]>

const troubled = (trouble: StoreTrouble) =>
  Layer.effect(OperationStore, Effect.map(OperationStore, (store) => OperationStore.of({ ...store, ...trouble(store) }))).pipe(
    Layer.provideMerge(layerOperationStore)
  )

/** Runs on a test clock that begins at a real date, so that only the test moves the time. */
export const run = <A, E>(
  authority: Layer.Layer<TaxAuthority>,
  body: Effect.Effect<A, E, Services>,
  trouble: StoreTrouble = () => ({})
): Promise<A> => {
  const stores = Layer.mergeAll(troubled(trouble), layerUnresolvedOperations).pipe(Layer.provideMerge(MemoryOperations.layer))
  const services = ElementContacts.layer.pipe(Layer.provideMerge(Layer.mergeAll(stores, Layer.provideMerge(layerProductStore, surroundings), authority)))
  const started = Effect.andThen(TestClock.setTime(Date.parse("2026-08-29T10:00:00Z")), body)
  return Effect.runPromise(started.pipe(Effect.provide(services), Effect.provide(TestClock.layer())))
}

/** Simulates a failover that loses everything stored since the last call; loses nothing on the first call. */
export const failover = Effect.map(MemoryOperations, (memory) => {
  memory.byId.clear()
  memory.byKey.clear()
})

/** The tag of an exit's failure. */
export const failureOf = <A, E>(exit: Exit.Exit<A, E>): string =>
  Exit.isSuccess(exit) ? "no failure" : ((exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error as { _tag?: string } | undefined)?._tag ?? "a defect")

