import type { IncomingMessage } from "node:http"
import type { Element } from "../certificates/Element.ts"
import { randomCode } from "../certificates/ElementRegister.ts"
import type { Fate } from "../faults/FaultBoard.ts"
import type { InvoiceRequest } from "../protocol/InvoiceRequest.ts"
import { type ModelError, modelErrorsBody, rejectionCode } from "../protocol/ModelState.ts"
import { readInvoiceRequest } from "../protocol/readInvoiceRequest.ts"
import { parseBody } from "../protocol/requestBody.ts"
import { type SigningOrder, signReceipt } from "../receipts/signReceipt.ts"
import { type Answer, jsonAnswer, messageAnswer } from "../server/Answer.ts"
import type { SimulatedEnvironment, Simulation } from "../Simulation.ts"
import { ratesByLabel } from "../taxes/TaxRateGroup.ts"
import { bodyFormIn, checkPac, checkRequestId, languageOf, notAcceptable, requestIdOf, unsupportedMediaType } from "./checkHeaders.ts"

export interface Submission {
  readonly environment: SimulatedEnvironment
  readonly element: Element
  readonly headers: IncomingMessage
  readonly body: Buffer
  readonly fate: Fate
}

/** No rates, or no signer: the code of an SDC that is not configured (V-PFR §4). */
export const notConfigured: Answer = jsonAnswer(400, modelErrorsBody([{ property: "", errors: [rejectionCode.notConfigured] }]))

const rejection = (modelState: ReadonlyArray<ModelError>): Answer => jsonAnswer(400, modelErrorsBody(modelState))

/** Copies and refunds are taxed by the rates of the document they refer to (V-PFR §2). */
const taxingTime = (request: Pick<InvoiceRequest, "invoiceType" | "transactionType" | "referentDocumentDT">, now: number): number =>
  (request.invoiceType === "Copy" || request.transactionType === "Refund") && request.referentDocumentDT !== null
    ? request.referentDocumentDT.instant
    : now

const checkTransport = (simulation: Simulation, { element, headers }: Submission): Answer | null =>
  checkPac(headers, element, simulation.settings) ?? (bodyFormIn(headers) === null ? unsupportedMediaType : checkRequestId(requestIdOf(headers)))

/** Handles a submission as the V-PFR does: headers, shape, rules, signature, durable storage, answer. */
export const postInvoice = async (simulation: Simulation, submission: Submission): Promise<Answer> => {
  const { environment, fate } = submission
  const refused = checkTransport(simulation, submission)
  if (refused !== null) return refused
  const language = languageOf(submission.headers)
  if (language === null) return notAcceptable
  const form = bodyFormIn(submission.headers) ?? "json"
  const body = parseBody(submission.body, form)
  if (body === null) return messageAnswer(400, `The request body is not a valid ${form === "json" ? "JSON" : "form"}.`)
  const time = simulation.now() + fate.clockSkew
  const groupAt = (instant: number) => simulation.taxRates.validAt(environment.name, instant)
  const reading = readInvoiceRequest(body.parsed, (request) => {
    const group = groupAt(taxingTime(request, time))
    return new Set(group === undefined ? [] : ratesByLabel(group).keys())
  }, simulation.settings.paymentDecimals)
  if (!reading.valid) return rejection(reading.errors)
  const taxGroup = groupAt(taxingTime(reading.request, time))
  if (taxGroup === undefined) return notConfigured
  return sign(simulation, submission, { request: reading.request, language, taxGroup, time })
}

type Decided = Pick<SigningOrder, "request" | "language" | "taxGroup" | "time">

const sign = async (
  simulation: Simulation,
  submission: Submission,
  decided: Decided
): Promise<Answer> => {
  const { environment, fate } = submission
  const order = signingOrder(simulation, submission, decided)
  const receipt = await signReceipt(order)
  await environment.receipts.keep(receipt.summary, { request: submission.body.toString("utf8"), answer: receipt.answer })
  const answer = fate.fault?.fault === "foreign-answer" ? await foreignAnswer(order) : receipt.answer
  return jsonAnswer(200, answer)
}

const signingOrder = (simulation: Simulation, { element, environment, fate, headers }: Submission, decided: Decided): SigningOrder => {
  const { invoiceType, transactionType } = decided.request
  const fault = fate.fault?.fault
  const repeated = fault === "duplicate-number" ? environment.receipts.latestOf(element.jid) : undefined
  const signer = environment.signers.find(({ uid }) => uid === repeated?.signer) ?? environment.nextSigner()
  const counters = repeated === undefined
    ? environment.receipts.takeCounters(element.jid, signer.uid, invoiceType, transactionType)
    : { total: repeated.totalCounter, ofKind: repeated.transactionTypeCounter }
  return {
    ...decided,
    element,
    signer,
    counters,
    requestId: requestIdOf(headers),
    headerForm: simulation.settings.headerForm,
    labelOrder: simulation.settings.labelOrder,
    internalDataBytes: simulation.settings.internalDataBytes,
    verificationRoot: environment.verificationRoot,
    amountError: fault === "wrong-amount" ? BigInt(Math.round((fate.fault?.amount ?? 1) * 100)) : 0n
  }
}

/** A well-formed, verifiable answer to another request; its number is invented, so it is not stored. */
const foreignAnswer = async (order: SigningOrder): Promise<string> => {
  const stranger = { ...order.element, jid: randomCode(8), businessName: "СИМУЛАТОР Неко други" }
  return (await signReceipt({ ...order, element: stranger })).answer
}
