import { randomInt } from "node:crypto"
import { belgradeCivilTime, sdcDateTimeText } from "../belgradeTime.ts"
import { type Element } from "../certificates/Element.ts"
import { printedTin } from "../certificates/ElementRegister.ts"
import { formatUnits } from "../exactDecimal.ts"
import type { InvoiceRequest } from "../protocol/InvoiceRequest.ts"
import { ratesByLabel, type TaxRateGroup } from "../taxes/TaxRateGroup.ts"
import { type LabelOrder, type TaxItem, taxItems } from "../taxes/taxItems.ts"
import { type HeaderForm, journalText } from "./journalText.ts"
import { counterExtension, journalWords, type Language } from "./journalWords.ts"
import { qrGif } from "./qrGif.ts"
import type { Counters, ReceiptSummary } from "./ReceiptStore.ts"
import { type InternalDataBytes, opaqueInternalData, type Signer } from "./Signer.ts"
import { signFacts } from "./signature.ts"
import { type SignedFacts, verificationUrl } from "./verificationLink.ts"

export interface SigningOrder {
  readonly element: Element
  readonly signer: Signer
  readonly counters: Counters
  readonly request: InvoiceRequest
  readonly requestId: string | null
  readonly taxGroup: TaxRateGroup
  readonly language: Language
  readonly headerForm: HeaderForm
  readonly labelOrder: LabelOrder
  readonly internalDataBytes: InternalDataBytes
  readonly verificationRoot: string
  /** PFR time, Unix milliseconds. */
  readonly time: number
  /** Added to the true total by the fault `wrong-amount`; hundredths of a dinar. */
  readonly amountError: bigint
}

export interface SignedReceipt {
  readonly summary: ReceiptSummary
  /** The InvoiceResult in JSON. */
  readonly answer: string
}

const totalOf = (request: InvoiceRequest): bigint => request.items.reduce((sum, item) => sum + item.totalAmount, 0n)

/** Decimals are written digit by digit, with the trailing zeros the V-PFR's decimals carry (`9.00`). */
const taxItemJson = (tax: TaxItem): string =>
  `{"categoryType":${tax.categoryType},"label":${JSON.stringify(tax.label)},"amount":${formatUnits(tax.amount, 4)},` +
  `"rate":${formatUnits(BigInt(tax.rate), 2)},"categoryName":${JSON.stringify(tax.categoryName)}}`

/** An object whose members are JSON already. */
const objectJson = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members).map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`

const factsOf = (order: SigningOrder, totalAmount: bigint): SignedFacts => ({
  requestedBy: order.element.jid,
  signedBy: order.signer.uid,
  totalCounter: order.counters.total,
  transactionTypeCounter: order.counters.ofKind,
  totalAmount: totalAmount * 100n,
  time: order.time,
  invoiceType: order.request.invoiceType,
  transactionType: order.request.transactionType,
  buyerId: order.request.buyerId ?? "",
  encryptedInternalData: opaqueInternalData(order.internalDataBytes)
})

/** What is known before anything is written. */
interface Drafted {
  readonly order: SigningOrder
  readonly tin: string
  /** Hundredths of a dinar. */
  readonly totalAmount: bigint
  readonly taxes: ReadonlyArray<TaxItem>
  readonly extension: string
  readonly invoiceCounter: string
  readonly invoiceNumber: string
  readonly sdcDateTime: string
}

const draft = (order: SigningOrder): Drafted => {
  const { counters, element, language, request, signer } = order
  const extension = counterExtension(language, request.invoiceType, request.transactionType)
  return {
    order,
    tin: printedTin(element),
    totalAmount: totalOf(request) + order.amountError,
    taxes: taxItems(request.items, ratesByLabel(order.taxGroup), order.labelOrder),
    extension,
    invoiceCounter: `${counters.ofKind}/${counters.total}${extension}`,
    invoiceNumber: `${element.jid}-${signer.uid}-${counters.total}`,
    sdcDateTime: sdcDateTimeText(order.time, randomInt(10_000))
  }
}

const journalOf = ({ invoiceCounter, invoiceNumber, order, taxes, tin, totalAmount }: Drafted): string =>
  journalText({
    language: order.language,
    headerForm: order.headerForm,
    seller: { ...order.element, tin },
    request: order.request,
    totalAmount,
    taxItems: taxes,
    sdcTime: belgradeCivilTime(order.time),
    invoiceNumber,
    invoiceCounter
  })

/** The InvoiceResult, its members in the order of the real one (V-PFR §3.1). */
const answerJson = (drafted: Drafted, facts: SignedFacts, signature: Buffer): string => {
  const { order, taxes, totalAmount } = drafted
  const { counters, element, request, signer } = order
  const text = JSON.stringify
  const url = verificationUrl(order.verificationRoot, { ...facts, signature })
  return objectJson({
    requestedBy: text(element.jid),
    sdcDateTime: text(drafted.sdcDateTime),
    invoiceCounter: text(drafted.invoiceCounter),
    invoiceCounterExtension: text(drafted.extension),
    invoiceNumber: text(drafted.invoiceNumber),
    taxItems: `[${taxes.map(taxItemJson).join(",")}]`,
    verificationUrl: text(url),
    verificationQRCode: request.omitQRCodeGen ? "null" : text(qrGif(url).toString("base64")),
    journal: request.omitTextualRepresentation ? "null" : text(journalOf(drafted)),
    messages: text(journalWords[order.language].success),
    signedBy: text(signer.uid),
    encryptedInternalData: text(Buffer.from(facts.encryptedInternalData).toString("base64")),
    signature: text(signature.toString("base64")),
    totalCounter: String(counters.total),
    transactionTypeCounter: String(counters.ofKind),
    totalAmount: formatUnits(totalAmount, 2),
    taxGroupRevision: String(order.taxGroup.groupId),
    businessName: text(element.businessName),
    tin: text(drafted.tin),
    locationName: text(element.locationName),
    address: text(element.address),
    district: text(element.district),
    // The real form on a V-PFR is unknown; this is the pattern of V-PFR §3 with the signer's serial.
    mrc: text(`00-1002-${signer.uid}`)
  })
}

const summaryOf = ({ invoiceNumber, order, sdcDateTime, totalAmount }: Drafted): ReceiptSummary => ({
  requestId: order.requestId,
  element: order.element.jid,
  signer: order.signer.uid,
  invoiceNumber,
  totalCounter: order.counters.total,
  transactionTypeCounter: order.counters.ofKind,
  invoiceType: order.request.invoiceType,
  transactionType: order.request.transactionType,
  totalAmount: formatUnits(totalAmount, 2),
  signedAt: sdcDateTime
})

/** Signs one receipt and writes the complete answer (V-PFR §3). Nothing is stored here. */
export const signReceipt = async (order: SigningOrder): Promise<SignedReceipt> => {
  const drafted = draft(order)
  const facts = factsOf(order, drafted.totalAmount)
  const signature = await signFacts(drafted.tin, facts, order.signer.privateKey)
  return { summary: summaryOf(drafted), answer: answerJson(drafted, facts, signature) }
}
