import { buyerIdFault, formatDecimal, invoiceNumberOf, optionalFieldFault, readJournal } from "@overa/domain"
import { Result } from "effect"
import type { Approved, Sample } from "./Sample.ts"

/** A violation: its place in the book and what was found. */
export interface Fault {
  /** A letter of the list of frequent mistakes (page 37), or the page. */
  readonly place: string
  readonly found: string
}

const unless = (holds: boolean, place: string, found: string): ReadonlyArray<Fault> => holds ? [] : [{ place, found }]

const isSale = ({ printed }: Sample): boolean => printed.invoiceType === "NORMAL" && printed.transactionType === "SALE"
const isCopyOfRefund = ({ printed }: Sample): boolean => printed.invoiceType === "COPY" && printed.transactionType === "REFUND"
const isNotFiscal = ({ printed: { invoiceType } }: Sample): boolean => invoiceType === "COPY" || invoiceType === "PROFORMA" || invoiceType === "TRAINING"
const needsReference = ({ printed }: Sample): boolean => printed.invoiceType === "COPY" || printed.transactionType === "REFUND"

/** Mistakes a to i of page 37; h is in {@link pictureFaults}. */
const frequentMistakes = (sample: Sample, approved: Approved): ReadonlyArray<Fault> => {
  const { hasSignatureLine, noticeRatio, printed, withBuyer } = sample
  const source = approved.receiptOf(printed.referenceNumber ?? "")
  const buyerFault = printed.buyer === null ? undefined : buyerIdFault(printed.buyer)
  const fieldFault = printed.buyerOptionalField === null ? undefined : optionalFieldFault(printed.buyerOptionalField)
  return [
    ...unless(printed.buyerOptionalField === null || isSale(sample), "а", "Опционо поље купца стоји на рачуну који није Промет Продаја"),
    ...unless(!withBuyer || printed.buyer !== null, "б", "нема поља ИД купца"),
    ...unless(withBuyer || printed.buyer === null || printed.transactionType === "REFUND", "ц", "има поље ИД купца"),
    ...unless(printed.esirNumber === approved.esirNumber, "д", `ЕСИР број је ${printed.esirNumber ?? "празан"}, а додељен је ${approved.esirNumber ?? "ниједан"}`),
    ...unless(!isNotFiscal(sample) || (noticeRatio ?? 0) > 1.995, "е", `порука ОВО НИЈЕ ФИСКАЛНИ РАЧУН је ${(noticeRatio ?? 0).toFixed(2)} пута већа од осталих слова`),
    ...unless(!isCopyOfRefund(sample) || hasSignatureLine, "ф", "нема линије за потпис купца"),
    ...unless(!isCopyOfRefund(sample) || (source !== undefined && source.printed.invoiceType === "NORMAL" && source.printed.transactionType === "REFUND"), "г", `референца ${printed.referenceNumber ?? "без броја"} није Промет Рефундација`),
    ...unless(buyerFault === undefined && fieldFault === undefined, "и", `ИД купца или Опционо поље није по шифарнику: ${buyerFault ?? fieldFault}`)
  ]
}

/** What the paper must say again as it was signed (pages 6 and 7). */
const comparisons = (sample: Sample, approved: Approved): ReadonlyArray<Fault> => {
  const { document, link, portal, printed, text } = sample
  const source = approved.receiptOf(printed.referenceNumber ?? "")
  const ofPortal = portal?.journal === null || portal?.journal === undefined ? null : Result.getOrNull(readJournal(portal.journal, "PAGE"))
  return [
    ...unless(text === document.pfr.journal, "стр. 6", "текст рачуна није онај који је вратио ПФР"),
    ...unless(printed.invoiceNumber === invoiceNumberOf(link), "стр. 7, 13", `ПФР број ${printed.invoiceNumber}, у линку ${invoiceNumberOf(link)}`),
    ...unless(printed.counter.replace(/\D+$/, "") === `${link.transactionTypeCounter}/${link.totalCounter}`, "стр. 7, 13", `бројач ${printed.counter} није бројач из линка`),
    ...unless(formatDecimal(printed.total, 2) === formatDecimal(link.totalAmount, 2), "стр. 7, 10", `укупан износ ${formatDecimal(printed.total, 2)}, у линку ${formatDecimal(link.totalAmount, 2)}`),
    ...unless(printed.invoiceType === link.invoiceType && printed.transactionType === link.transactionType, "стр. 6, 8", "врста рачуна није она из линка"),
    ...unless((printed.buyer ?? null) === link.buyerId, "стр. 6, 4", "ИД купца није онај из линка"),
    ...unless(printed.items.every(({ name }) => name.includes("/") || name.includes("Аванс")), "стр. 7, 10", "артикал без јединице мере у називу"),
    ...unless(printed.esirTime === null || (printed.invoiceType === "ADVANCE" && printed.transactionType === "SALE"), "стр. 7, напомена", "ЕСИР време стоји на рачуну који није Аванс Продаја"),
    ...unless(!needsReference(sample) || (printed.referenceNumber !== null && printed.referenceTime !== null), "стр. 21", "нема Референтног броја и времена"),
    ...unless(source === undefined || source.printed.pfrTime === printed.referenceTime, "стр. 6, 7", `Референтно време ${printed.referenceTime ?? "нема"} није ПФР време ${source?.printed.pfrTime ?? ""}`),
    ...unless(portal?.isValid !== false, "стр. 6", "провера на адреси из линка каже да рачун није исправан"),
    ...unless(ofPortal === null || JSON.stringify(plain(ofPortal)) === JSON.stringify(plain(printed)), "стр. 6", "провера на адреси из линка показује друге податке")
  ]
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_, member: unknown) => typeof member === "bigint" ? member.toString() : member))

/** Mistake h: every picture must be sharp enough to be scanned, and lead to the receipt. */
const pictureFaults = ({ document, pictures }: Sample): ReadonlyArray<Fault> =>
  pictures.flatMap(({ format, qr }) => unless(qr === document.pfr.verificationUrl, "х", `QR код у формату ${format} ${qr === null ? "не може да се скенира" : "води на другу адресу"}`))

/** Every violation of the book that a receipt has; empty where it has none. */
export const sampleFaults = (sample: Sample, approved: Approved): ReadonlyArray<Fault> => [
  ...frequentMistakes(sample, approved),
  ...comparisons(sample, approved),
  ...pictureFaults(sample)
]
