import type { DocumentContent, Operation, OperationStore, SignedAnswer } from "@overa/domain"
import { BigDecimal, DateTime, Effect } from "effect"
import { noAnswer, notSent, rejected, sampleAnswer, sampleContent, sampleOperation, sampleReservation, signed } from "./sampleOperations.ts"

type Place = Pick<Operation, "organizationId" | "environment" | "taxpayerId" | "businessPremiseId">

const decimal = BigDecimal.fromStringUnsafe
const names = ["Шећер у праху", "Kafa mlevena", "Чарапе", "Đumbir", "Хлеб"]
const kinds = [["NORMAL", "SALE"], ["NORMAL", "SALE"], ["NORMAL", "SALE"], ["NORMAL", "REFUND"], ["ADVANCE", "SALE"], ["COPY", "SALE"], ["TRAINING", "SALE"]] as const

/** A number from 0 to `below`, the same for the same position in a history. */
const chance = (at: number, salt: number, below: number): number => Math.abs(Math.imul(at * 2_654_435_761 + salt, 40_503)) % below

const oneOf = <A>(values: ReadonlyArray<A>, at: number, salt: number): A => values[chance(at, salt, values.length)] as A

/** Every few documents share a millisecond; the history runs over half a year. */
const timeOf = (at: number): DateTime.Utc => DateTime.toUtc(DateTime.makeUnsafe(Date.UTC(2026, 0, 15) + Math.floor(at / 3) * 60_000_000))

/** Documents in a row that are so large that a store reads only one or two of them at once: six, and three of every second position. */
const longUnit = (at: number): string | null => (at % 320 >= 30 && at % 320 < 36 ? "ж".repeat(300_000) : null)

const contentOf = (at: number): DocumentContent => {
  const [invoiceType, transactionType] = oneOf(kinds, at, 1)
  const [first] = sampleContent(1).items
  if (first === undefined) throw new Error("the sample has lines")
  const items = [{ ...first, name: `${oneOf(names, at, 2)} ${at % 50}`, unitOfMeasure: longUnit(at) ?? first.unitOfMeasure }, ...(at % 4 === 0 ? [{ ...first, name: "Поклон", taxLabels: at % 8 === 0 ? ["Е"] : ["Е", "Ђ"] }] : [])]
  const total = decimal(at % 4 === 0 ? "251.00" : "125.50")
  return {
    ...sampleContent(1),
    invoiceType,
    transactionType,
    clientReference: at % 97 === 5 ? `ретко-${at}` : `поруџбина-${at}`,
    cashier: { id: oneOf(["web", "web", "web", "ана"], at, 3), displayName: null },
    buyer: at % 3 === 0 ? null : { id: oneOf(["10:101883300", "20:007", "10:100000008"], at, 4), optionalField: null },
    items,
    payments: at % 5 === 0
      ? [{ type: "CASH", amount: decimal("25.50") }, { type: "CARD", amount: BigDecimal.subtract(total, decimal("25.50")) }]
      : [{ type: "CARD", amount: total }]
  }
}

/** The V-PFR's answer for the document at a position of a history. */
export const historyAnswer = (at: number, createdAt: DateTime.Utc, number: string): SignedAnswer => {
  const answer = sampleAnswer(number)
  const sdcTime = DateTime.formatIso(DateTime.add(createdAt, { seconds: 2 })).replace("Z", "+00:00")
  const labels = at % 4 === 0 ? ["Ђ", "Е"] : ["Ђ"]
  return {
    ...answer,
    pfr: { ...answer.pfr, sdcTime: sdcTime as SignedAnswer["pfr"]["sdcTime"], totalAmount: decimal(at % 4 === 0 ? "251.00" : "125.50") },
    taxes: labels.map((label, index) => ({ label, category: "ПДВ", categoryType: 0, rate: decimal("20"), amount: decimal(`${20 + index}.${1000 + (at % 9_000)}`) }))
  }
}

/** The document at a position of a history, not stored yet: the same for the same position, except its ids. */
export const historyOperation = (places: ReadonlyArray<Place>, at: number): Operation => {
  const createdAt = timeOf(at)
  return sampleOperation(oneOf(places, at, 5), { content: contentOf(at), createdAt, updatedAt: createdAt })
}

const usualAnswer = (operation: Operation, at: number, number: string): SignedAnswer => historyAnswer(at, operation.createdAt, number)

/** Every second receipt is signed as the authority's sandbox signs, with small letters. */
const signerOf = (jid: string, at: number): string => at % 2 === 0 ? jid : `${jid.slice(0, 6).toLowerCase()}o0`

/** Stores it with an outcome: usually a receipt, sometimes rejected, not sent, unknown, or still in flight. */
export const storeHistory = Effect.fnUntraced(function*(store: OperationStore["Service"], operation: Operation, at: number, answerOf = usualAnswer) {
  yield* store.reserve(sampleReservation(operation))
  const jid = operation.id.slice(-8).toUpperCase()
  switch (chance(at, 6, 20)) {
    case 0:
      return void (yield* store.conclude(rejected(operation)))
    case 1:
      return void (yield* store.conclude(notSent(operation)))
    case 2:
      return void (yield* store.conclude(noAnswer(operation)))
    case 3:
      return undefined
    default:
      return void (yield* store.conclude(signed(operation, { answer: answerOf(operation, at, `${jid}-${signerOf(jid, at)}-${at + 1}`) })))
  }
})

/** Makes a document a receipt later. */
export const signLate = (store: OperationStore["Service"], operation: Operation, at: number) => {
  const jid = operation.id.slice(-8).toUpperCase()
  return store.conclude(signed(operation, { answer: usualAnswer(operation, at, `${jid}-${signerOf(jid, at)}-${at + 1}`) }))
}
