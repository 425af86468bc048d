import {
  layerOperationStore,
  layerUnresolvedOperations,
  MemoryOperations
} from "@overa/adapter-memory"
import {
  type BoundKey,
  CompanyRegister,
  type DocumentDraft,
  ElementContacts,
  fingerprint,
  Identifiers,
  InFlight,
  Installation,
  type IssueCommand,
  OperationStore,
  type OrganizationId,
  type PreparedInvoice,
  RefundStore,
  type SearchOutcome,
  type SubmissionOutcome,
  SubmissionNotPossible,
  TaxAuthority,
  TaxRates,
  TenancyDirectory,
  UnresolvedOperations
} from "@overa/domain"
import { Effect, Exit, Layer, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { mintUuid } from "./mintIdentity.ts"
import { sampleAnswer, sampleContent } from "./sampleOperations.ts"

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

/** A document that may be issued. */
export const draft: DocumentDraft = {
  taxpayerId: mintUuid() as DocumentDraft["taxpayerId"],
  businessPremiseId: mintUuid() as DocumentDraft["businessPremiseId"],
  element: { id: mintUuid() as DocumentDraft["element"]["id"], jid: "ABCD2345" },
  content: sampleContent(),
  taxRates: null,
  workflow: null
}

export const command = <E = never>(key: BoundKey, change: Partial<IssueCommand<E, never>> = {}): IssueCommand<E, never> => ({
  tenant,
  clientId: "svc-sbx-tests",
  boundKey: key,
  callerGone: new AbortController().signal,
  draft: () => Effect.succeed(draft),
  ...change
})

/** A far end that does what the test says, and counts what it was asked. */
export const scriptedVpfr = () => {
  const script = {
    submissions: 0,
    searches: 0,
    distrusted: [] as Array<string>,
    outcome: (): Effect.Effect<SubmissionOutcome> => Effect.succeed({ _tag: "Signed", answer: sampleAnswer(), remarks: [] }),
    search: (): SearchOutcome => ({ _tag: "NothingFound" }),
    opens: true
  }
  const layer = Layer.succeed(TaxAuthority, TaxAuthority.of({
    prepare: (invoice) =>
      script.opens
        ? Effect.succeed<PreparedInvoice>({
          invoice,
          submit: () =>
            Effect.suspend(() => {
              script.submissions += 1
              return script.outcome()
            })
        })
        : Effect.fail(new SubmissionNotPossible({ failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE", detail: "closed" })),
    find: () =>
      Effect.sync(() => {
        script.searches += 1
        return script.search()
      }),
    distrust: (_tenant, elementId) =>
      Effect.sync(() => {
        script.distrusted.push(elementId)
      })
  }))
  return { script, layer }
}

export const silence: SubmissionOutcome = { _tag: "NoAnswer", failureCode: "OUTCOME_UNKNOWN", detail: "silence", foreignAnswer: null }
export const notSent: SubmissionOutcome = { _tag: "NotSent", failureCode: "PFR_UNAVAILABLE", detail: "refused", elementRefused: false }

const never = <A>(name: string): Effect.Effect<A> => Effect.die(`not asked in these cases: ${name}`)

const surroundings = Layer.mergeAll(
  InFlight.layer,
  Layer.succeed(Identifiers, Identifiers.of({ uuid: Effect.sync(mintUuid) })),
  Layer.succeed(CompanyRegister, CompanyRegister.of({ lookup: () => Effect.succeed(Option.none()) })),
  Layer.succeed(Installation, Installation.of({ hostId: "host-a", bootId: "boot-1", settings: () => never("settings") })),
  Layer.succeed(TaxRates, TaxRates.of({ fresh: () => never("rates"), known: () => Effect.succeed(null), doubt: () => Effect.void })),
  Layer.succeed(TenancyDirectory, TenancyDirectory.of({
    premiseForIssuing: () => never("premises"),
    taxpayers: () => never("taxpayers"),
    businessPremises: () => never("premises"),
    securityElements: () => never("elements")
  })),
  Layer.succeed(RefundStore, RefundStore.of({ ledger: () => never("ledger"), reserve: () => never("reserve"), get: () => never("get") }))
)

type Services = Layer.Success<typeof surroundings> | OperationStore | UnresolvedOperations | TaxAuthority | ElementContacts

/** Runs on a test clock that begins at a real date, so that time moves only where the test moves it. */
export const run = <A, E>(authority: Layer.Layer<TaxAuthority>, body: Effect.Effect<A, E, Services>): Promise<A> => {
  const stores = Layer.mergeAll(layerOperationStore, layerUnresolvedOperations).pipe(Layer.provide(MemoryOperations.layer))
  const services = ElementContacts.layer.pipe(Layer.provideMerge(Layer.mergeAll(stores, surroundings, authority)))
  const started = Effect.andThen(TestClock.setTime(Date.parse("2026-08-29T10:00:00Z")), body)
  return Effect.runPromise(started.pipe(Effect.provide(services), Effect.provide(TestClock.layer())))
}

/** The tag of what an exit failed with. */
export const failureOf = <A, E>(exit: Exit.Exit<A, E>): string =>
  Exit.isSuccess(exit) ? "no failure" : ((exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error as { _tag?: string } | undefined)?._tag ?? "a defect")

