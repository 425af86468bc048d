import { composeLayout, draw, logoInProcess } from "@overa/adapter-renderers"
import { signerModuli } from "@overa/adapter-vpfr"
import {
  AttentionOversight, type Branding, BrandingStore, checkReceipt, type DrawnPaper, InstallationOversight, type Operation, OperationHistory, pfrInstant,
  type ReadBack, readJournal, type Receipt, TaxAuthority, type TaxRateGroup, type Trial, tryTraining
} from "@overa/domain"
import { Clock, Effect, Option, Result } from "effect"
import type { Shop } from "./readPlace.ts"
import type { RehearsalConfig } from "./rehearseShop.ts"

/** A Training document that the rehearsal had signed, and its operation where one was stored. */
export interface Tried {
  readonly trial: Trial
  readonly operation: Operation | null
}

/** The code of a refusal, or its name where it has none. */
const codeOf = (failure: { readonly _tag: string; readonly code?: string }): string => failure.code ?? failure._tag

const notSigned = ({ failureCode, id, rejection, status }: Operation): Trial => ({
  _tag: "NotSigned",
  documentId: id,
  status,
  failureCode,
  codes: rejection?.items.flatMap(({ codes }) => codes) ?? []
})

/** Has the Training document signed, and looks at what its answer put on the attention list. */
export const runTraining = Effect.fnUntraced(function*({ premise, taxpayer, tenant }: Shop, labels: ReadonlyArray<string>, actor: string) {
  const place = { tenant, taxpayerId: taxpayer.id, businessPremiseId: premise.id }
  // Without a label there is no line, and a document without lines is not sent.
  if (labels.length === 0) return { trial: { _tag: "Refused", code: "CURRENT_TAX_CONFIGURATION_UNAVAILABLE" }, operation: null } satisfies Tried
  const from = yield* Clock.currentTimeMillis
  const issued = yield* Effect.result(tryTraining(place, labels, actor))
  const until = yield* Clock.currentTimeMillis
  if (Result.isFailure(issued)) {
    const { failure } = issued
    if (failure._tag === "StoreUnavailable") return yield* failure
    return { trial: { _tag: "Refused", code: codeOf(failure) }, operation: null } satisfies Tried
  }
  const operation = issued.success
  const { answer } = operation
  if (operation.status !== "FISCALIZED" || answer === null) return { trial: notSigned(operation), operation } satisfies Tried
  const attention = yield* (yield* AttentionOversight).attentionOf(tenant.organizationId, operation.id)
  const signedAt = Option.getOrThrow(pfrInstant(answer.pfr.sdcTime)).epochMilliseconds
  // It was signed somewhere between: only what lies outside is a difference of clocks.
  const aheadMillis = signedAt < from ? from - signedAt : signedAt > until ? until - signedAt : 0
  const trial: Trial = {
    _tag: "Signed",
    invoiceNumber: answer.pfr.invoiceNumber,
    millis: until - from,
    secondsAhead: Math.round(aheadMillis / 1_000),
    attention: attention.map(({ kind }) => kind)
  }
  return { trial, operation } satisfies Tried
})

const searchAgain = Effect.fnUntraced(function*({ active, tenant }: Shop, operation: Operation, taxRates: TaxRateGroup | null) {
  const attempts = yield* (yield* OperationHistory).attempts(tenant.organizationId, operation.id)
  const attempt = attempts.at(-1)
  if (active === null || attempt === undefined) return "NO_ANSWER" as const
  const invoice = { tenant, elementId: active.element.id, jid: active.element.jid, content: operation.content, taxRates }
  const found = yield* (yield* TaxAuthority).find(invoice, { requestId: attempt.requestId, submittedAt: attempt.startedAt })
  if (found._tag === "Found") return found.answer.pfr.invoiceNumber === operation.answer?.pfr.invoiceNumber ? "FOUND" as const : "OTHER" as const
  if (found._tag === "NoAnswer") return "NO_ANSWER" as const
  return found._tag === "NothingFound" ? "NOTHING_FOUND" as const : "OTHER" as const
})

/** Searches the signed document at the V-PFR, and reads its link, its signature and its journal. Null where nothing was signed. */
export const readItBack = Effect.fnUntraced(function*(shop: Shop, { operation }: Tried, taxRates: TaxRateGroup | null, config: RehearsalConfig) {
  if (operation === null || operation.answer === null || shop.active === null) return null
  const { environment } = shop.tenant
  const { journal, verificationUrl } = operation.answer.pfr
  const keys = yield* (yield* InstallationOversight).referenceKeys
  const signers = Array.from(signerModuli(keys, environment), ([name, modulus]) => ({ name, modulus }))
  const verificationRoot = config.vpfr[environment]?.verificationRoot ?? null
  const check = checkReceipt(verificationUrl, { tin: shop.active.tin, signers, ...(verificationRoot === null ? {} : { verificationRoot }) })
  const read = readJournal(journal)
  const readBack: ReadBack = {
    search: yield* searchAgain(shop, operation, taxRates),
    signatureValid: Result.isFailure(check) ? false : check.success.signatureValid,
    leadsToAuthority: Result.isFailure(check) ? false : check.success.leadsToAuthority,
    journalFault: Result.isFailure(read) ? `line ${read.failure.line}: ${read.failure.reason}` : null
  }
  return readBack
})

/** Pictures in a PDF; its dictionaries are not compressed. */
const picturesIn = (pdf: Uint8Array): number => Buffer.from(pdf).toString("latin1").split("/Subtype /Image").length - 1

const shownCodePoint = (codePoint: number): string => `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`

const drawOn = (paper: DrawnPaper["paper"] & ("a4" | "80mm" | "58mm"), receipt: Receipt, branding: Branding | null) =>
  Effect.promise(async () => {
    const drawn = await draw({ layout: composeLayout(receipt, branding), paper, output: "pdf" })
    const bare = await draw({ layout: composeLayout(receipt, branding === null ? null : { ...branding, logo: null }), paper, output: "pdf" })
    const paperDrawn: DrawnPaper = { paper, hasLogo: picturesIn(drawn.bytes) > picturesIn(bare.bytes), missing: drawn.missing.map(shownCodePoint) }
    return paperDrawn
  })

/** The Training document on each paper, under the shop's current header, note and logo. */
export const drawPapers = Effect.fnUntraced(function*({ taxpayer, tenant }: Shop, { operation }: Tried) {
  const current = Option.getOrNull(yield* (yield* BrandingStore).current(tenant, taxpayer.id))
  const branding = current === null ? null : { logo: current.branding.logo !== null }
  if (operation === null || operation.answer === null) return { branding, drawn: null }
  const receipt: Receipt = { operation, answer: operation.answer }
  const stored = current?.branding ?? null
  const uploaded = stored?.logo ?? null
  const logo = uploaded === null ? null : yield* logoInProcess(uploaded)
  const shown = stored === null ? null : { ...stored, logo }
  const drawn = yield* Effect.forEach(["a4", "80mm", "58mm"] as const, (paper) => drawOn(paper, receipt, shown))
  return { branding, drawn }
})
