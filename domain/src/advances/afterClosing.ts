import type { SignedAnswer } from "../documents/PfrResult.ts"
import type { AttentionItem, Operation } from "../operations/Operation.ts"
import { advanceRefundKey } from "./AdvanceCase.ts"
import { isNeverSent } from "./givenUpClosing.ts"
import { advancePartOf } from "./caseDocuments.ts"

/** A document of a closing of a case, or another one of the case: what decides whether it contradicts a closing. */
export type CaseFact = Pick<Operation, "id" | "boundKey" | "content" | "status" | "failureCode">

type Part = ReturnType<typeof advancePartOf>

/** Whether a document of a closing is no receipt and will not be sent. */
const isEnded = (fact: CaseFact): boolean => fact.status === "REJECTED" || isNeverSent(fact)

const keyOfClosing = (fact: CaseFact, part: Part): string =>
  part === "CLOSING_REFUND" ? fact.boundKey.key : advanceRefundKey(fact.boundKey.key)

/** The final sale that keeps every other final sale of the case from being stored; null where there is none. */
export const standingFinalSale = <F extends CaseFact>(closings: ReadonlyArray<F>): F | null =>
  closings.find((fact) => advancePartOf(fact) === "FINAL_SALE" && !isEnded(fact)) ?? null

/**
 * The document of a closing that counted the case without this document; null where there is none. The documents of a closing contradict those of
 * another closing only.
 */
const closingWithout = (document: CaseFact, others: ReadonlyArray<CaseFact>): CaseFact | null => {
  const part = advancePartOf(document)
  const standing = others.filter((other) => {
    const otherPart = advancePartOf(other)
    return other.id !== document.id && (otherPart === "FINAL_SALE" || otherPart === "CLOSING_REFUND") && !isEnded(other)
  })
  if (part === "PAYMENT" || part === "CANCELLATION") return standingFinalSale(standing) ?? standing[0] ?? null
  if (part === "CANCELLATION_COPY") return null
  const own = keyOfClosing(document, part)
  return standing.find((other) => {
    const otherPart = advancePartOf(other)
    // A kept Advance Refund of an earlier closing is the one that a later closing's final sale refers to.
    const isKept = part === "FINAL_SALE" && otherPart === "CLOSING_REFUND" && document.content.reference?.fiscalDocumentId === other.id
    return !isKept && keyOfClosing(other, otherPart) !== own
  }) ?? null
}

type Told = Exclude<Part, "CANCELLATION_COPY">

const named: Readonly<Record<Told, string>> = {
  PAYMENT: "Advance Sale",
  CANCELLATION: "Advance Refund of a cancelled advance",
  CLOSING_REFUND: "Advance Refund of a closing",
  FINAL_SALE: "final sale"
}

const consequence: Readonly<Record<Told, string>> = {
  PAYMENT: "that closing does not give it back",
  CANCELLATION: "that closing may give back the same advance",
  CLOSING_REFUND: "the advances may be given back twice",
  FINAL_SALE: "the goods may be sold twice"
}

const itemOf = (
  document: CaseFact,
  others: ReadonlyArray<CaseFact>,
  happened: (name: string) => string,
  evidence: string | null
): AttentionItem | null => {
  const part = advancePartOf(document)
  const closing = closingWithout(document, others)
  if (closing === null || part === "CANCELLATION_COPY") return null
  const detail = `${happened(named[part])} after a closing of its advance case was reserved without it (document ${closing.id}): ${consequence[part]}`
  return { kind: "AFTER_CLOSING", detail, evidence }
}

/**
 * The attention item for a document of a case that became a receipt although a closing was reserved without it: an outcome that was decided "not
 * issued" and is found, or an attempt that a failover had hidden. Null where every closing counted it. Source: Decisions §4, late answers.
 *
 * @param others The documents of the case's closings.
 */
export const receiptAfterClosing = (document: Operation, others: ReadonlyArray<CaseFact>): AttentionItem | null => {
  const { answer, status } = document
  if (status !== "FISCALIZED" || answer === null) return null
  return itemOf(document, others, (name) => `the ${name} ${answer.pfr.invoiceNumber} became a receipt`, answer.text) ?? ofGivenUp(document, others, answer)
}

/** The Advance Refund of a closing that a person gave up is a receipt after all: the advances are given back, and the case needs another closing. */
const ofGivenUp = (document: Operation, others: ReadonlyArray<CaseFact>, { pfr, text }: SignedAnswer): AttentionItem | null => {
  const part = advancePartOf(document)
  const own = keyOfClosing(document, part)
  const isOver = others.some((other) => advancePartOf(other) === "FINAL_SALE" && keyOfClosing(other, "FINAL_SALE") === own && isNeverSent(other))
  return part !== "CLOSING_REFUND" || !isOver ? null : {
    kind: "AFTER_CLOSING",
    detail: `the Advance Refund ${pfr.invoiceNumber} of a closing that was given up became a receipt: the advances of the case are given back, and only another closing may follow`,
    evidence: text
  }
}

/**
 * The attention item for a document that the store had lost, and that is stored again after a closing was reserved without it.
 *
 * @param others Documents of the case, those of its closings among them.
 */
export const storedAfterClosing = (document: CaseFact, others: ReadonlyArray<CaseFact>): AttentionItem | null =>
  itemOf(document, others, (name) => `the ${name} that the store had lost is stored again, and may become a receipt,`, null)
