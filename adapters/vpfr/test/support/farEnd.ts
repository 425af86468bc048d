import { type BigDecimal, BigDecimal as Decimal, Clock, DateTime, Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { TestClock } from "effect/testing"
import {
  Dinars,
  type DocumentContent,
  type ElementCredentials,
  type InvoiceToSign,
  OrganizationId,
  type OpenedElement,
  Quantity,
  SecurityElementId,
  SecurityElements,
  SecurityElementUnavailable,
  type SubmissionNotPossible,
  type SubmissionOutcome,
  TaxAuthority,
  type TaxRates
} from "@overa/domain"
import { VpfrClocks, VpfrConnection, VpfrContacts, type VpfrConnectionOptions, VpfrTaxAuthority, VpfrTaxRates } from "@overa/adapter-vpfr"
import { authority, elementIdentity, type Identity, serverIdentity } from "./throwawayCertificates.ts"

export const jid = "TESTJID1"
/** Made once per test file, because generating keys is the slow part. */
export const serverCa = authority("Test server CA")
export const clientCa = authority("Test element CA")
export const server = serverIdentity(serverCa)
export const element = elementIdentity(clientCa, jid)

export const decimal = Decimal.fromStringUnsafe
export const organizationId = OrganizationId.make("10000000-0000-7000-8000-000000000001")
export const elementId = (number = 1) => SecurityElementId.make(`20000000-0000-7000-8000-${String(number).padStart(12, "0")}`)

export const credentials = (change: Partial<ElementCredentials> = {}, identity: Identity = element): ElementCredentials => ({
  environment: "sandbox",
  jid,
  tin: "100000001",
  privateKey: Redacted.make(identity.privateKey),
  certificateChain: identity.certificate,
  pac: Redacted.make("ABC123"),
  validTo: Date.now() + 86_400_000,
  ...change
})

export const item = (unitPrice = "100", name = "Кафа"): DocumentContent["items"][number] => ({
  name,
  unitOfMeasure: "kom",
  quantity: Quantity.make(decimal("1")),
  unitPrice: Dinars.make(decimal(unitPrice)),
  unitPriceBeforeDiscount: null,
  gtin: null,
  catalogProductId: null,
  taxLabels: ["A"],
  originalLineIndex: null
})

export const content = (change: Partial<DocumentContent> = {}): DocumentContent => ({
  invoiceType: "NORMAL",
  transactionType: "SALE",
  clientReference: "order 1",
  cashier: { id: "web", displayName: null },
  buyer: null,
  items: [item()],
  payments: [{ type: "CARD", amount: decimal("100") as BigDecimal.BigDecimal }],
  commercialFooter: null,
  metadata: null,
  reference: null,
  dateAndTimeOfIssue: null,
  advanceClosing: null,
  esirNumber: "157/1.0",
  preferredPaperFormat: "a4",
  brandingId: null,
  ...change
})

export const invoice = (change: Partial<InvoiceToSign> = {}): InvoiceToSign => ({
  tenant: { organizationId, environment: "sandbox" },
  elementId: elementId(),
  jid,
  content: content(),
  taxRates: null,
  ...change
})

export const vaultOf = (vault: ReadonlyMap<string, ElementCredentials>) =>
  Layer.succeed(
    SecurityElements,
    SecurityElements.of({
      open: (_organizationId, id) => {
        const found = vault.get(id)
        return found === undefined
          ? Effect.fail(new SecurityElementUnavailable({ detail: "no such element" }))
          : Effect.succeed(found)
      }
    })
  )

export interface AttemptTerms {
  readonly requestId?: string
  readonly firstByteWithinMillis?: number
  readonly callerGone?: AbortSignal
}

let requestNumber = 0
export const newRequestId = () => String((requestNumber += 1)).padStart(32, "0")

export interface FarEnd {
  /** Opens the element of a document. */
  readonly open: (change?: Partial<InvoiceToSign>) => Promise<OpenedElement | SubmissionNotPossible>
  /** Opens and submits; a refusal of `open` is a test failure. */
  readonly submit: (terms?: AttemptTerms, change?: Partial<InvoiceToSign>) => Promise<SubmissionOutcome>
  readonly run: <A, E>(effect: Effect.Effect<A, E, TaxAuthority | TaxRates | VpfrClocks | VpfrContacts>) => Promise<A>
  readonly close: () => Promise<void>
}

export const attemptOf = (terms: AttemptTerms) => ({
  requestId: terms.requestId ?? newRequestId(),
  firstByteWithinMillis: terms.firstByteWithinMillis ?? 10_000,
  callerGone: terms.callerGone ?? new AbortController().signal,
  submittedAt: DateTime.makeUnsafe(Date.now())
})

/** The adapter against an address, with a vault of its own. */
export const farEnd = (
  baseUrl: string,
  options: Partial<VpfrConnectionOptions> & {
    readonly vault?: ReadonlyMap<string, ElementCredentials>
    readonly trustAnchors?: string
    readonly signerModuli?: ReadonlyMap<string, bigint>
    /** Time stands still and the test moves it; the network keeps its own time. */
    readonly testClock?: boolean
    /** This host's clock, where it differs from the machine's. */
    readonly clock?: Clock.Clock
    /** Collects the messages of the log. */
    readonly log?: Array<unknown>
  } = {}
): FarEnd => {
  const { clock, signerModuli, testClock, trustAnchors = serverCa.certificate, log: lines, vault = new Map([[elementId(), credentials()]]), ...rest } = options
  const log = Logger.make(({ message }) => void lines?.push(message))
  const sandbox = { baseUrl, trustAnchors, verificationRoot: "https://pfr.test/v/?vl=", ...(signerModuli ? { signerModuli } : {}) }
  const connection = Layer.orDie(VpfrConnection.layer({ environments: { sandbox }, ...rest }))
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(VpfrTaxAuthority.layer, VpfrTaxRates.layer, VpfrClocks.layer, VpfrContacts.layer, Logger.layer([log])).pipe(
      Layer.provide(Layer.merge(connection, vaultOf(vault))),
      Layer.provideMerge(testClock === true ? TestClock.layer() : clock === undefined ? Layer.empty : Layer.succeed(Clock.Clock, clock))
    )
  )
  const open: FarEnd["open"] = (change) =>
    runtime.runPromise(Effect.gen(function*() {
      const taxAuthority = yield* TaxAuthority
      return yield* taxAuthority.open(invoice(change))
    }).pipe(Effect.catch((notPossible) => Effect.succeed(notPossible))))
  const submit: FarEnd["submit"] = async (terms = {}, change = {}) => {
    const opened = await open(change)
    if ("_tag" in opened) throw new Error(`not opened: ${opened.detail}`)
    return runtime.runPromise(opened.submit(invoice(change), attemptOf(terms)))
  }
  return { open, submit, run: (effect) => runtime.runPromise(effect), close: () => runtime.dispose() }
}
