import { fc, test } from "@fast-check/vitest"
import { formatDecimal, type JournalLine, journalLineOf, type Operation, readSignedAnswer, totalAmount } from "@overa/domain"
import { DateTime, Equal, Result } from "effect"
import { assert, describe } from "vitest"
import { journalOperation } from "../../../domain/test/arbitraries/JournalOperation.ts"
import { signedAnswer } from "../../vpfr/test/support/signedAnswer.ts"
import { decodeLine, type LineRow } from "../src/journal/journalLines.ts"
import { encodeAnswerFacts } from "../src/rows/storedAnswer.ts"
import { toStoredJson } from "../src/rows/storedJson.ts"

const buyerDetails = { legalName: "Купац \"А\" д.о.о.", address: "Улица 1" } as unknown as Operation["buyerDetails"]
const reference = { fiscalDocumentId: null, pfrNumber: "AAAA1111-AAAA1111-1", pfrTime: "2026-12-01T10:00:00+01:00" } as Operation["content"]["reference"]
const sale = `{"invoiceType":0,"transactionType":0,"items":[{"totalAmount":100}]}`
const answerText = JSON.stringify({ ...signedAnswer(sale, "TESTJID1", 1), journal: "ФИСКАЛНИ РАЧУН" })

/** Documents whose texts and metadata look like members of the stored JSON. */
const operation: fc.Arbitrary<Operation> = fc.record({
  operation: journalOperation,
  name: fc.constantFrom("Хлеб", "\"payments\":[{}]", "\\\"payments\\\":[", "\"reference\":null"),
  metadata: fc.constantFrom(null, { payments: "\"payments\":[", reference: null }, { $decimal: "1", "\"payments\":[": true }),
  referenced: fc.boolean(),
  buyerKnown: fc.boolean(),
  wholeAnswer: fc.boolean()
}).map(({ buyerKnown, metadata, name, operation, referenced, wholeAnswer }) => ({
  ...operation,
  buyerDetails: buyerKnown ? buyerDetails : null,
  content: { ...operation.content, items: operation.content.items.map((item) => ({ ...item, name })), metadata, reference: referenced ? reference : null },
  answer: operation.answer !== null && wholeAnswer ? Result.getOrThrow(readSignedAnswer(answerText)).answer : operation.answer
}))

const sorted = (content: Operation["content"], order: number): object => {
  const members = Object.entries(content)
  return Object.fromEntries([...members.slice(order), ...members.slice(0, order)])
}

/** The row that the two commits would have written. `order` says which member of the content is first. */
const rowOf = ({ answer, content, ...operation }: Operation, order: number): LineRow => ({
  operation_id: operation.id,
  created_at: DateTime.toDate(operation.createdAt),
  updated_at: DateTime.toDate(operation.updatedAt),
  status: operation.status,
  failure_code: operation.failureCode,
  in_doubt: false,
  taxpayer_id: operation.taxpayerId,
  premise_id: operation.businessPremiseId,
  client_reference: content.clientReference,
  invoice_type: content.invoiceType,
  transaction_type: content.transactionType,
  cashier_id: content.cashier.id,
  buyer_id: content.buyer?.id ?? null,
  total_amount: formatDecimal(totalAmount(content.items), 2),
  invoice_number: answer?.pfr.invoiceNumber ?? null,
  pfr_time: answer?.pfr.sdcTime ?? null,
  signed_total: answer === null ? null : formatDecimal(answer.pfr.totalAmount),
  content: toStoredJson(sorted(content, order)),
  late_reference: null,
  buyer_details: operation.buyerDetails === null ? null : toStoredJson(operation.buyerDetails),
  answer_text: answer?.text ?? null,
  answer_facts: answer === null ? null : encodeAnswerFacts(answer)
})

const same = (one: JournalLine, other: JournalLine): void => assert.isTrue(Equal.equals(one, other), `${toStoredJson(one)}\n${toStoredJson(other)}`)

describe("a line of an export", () => {
  test.prop({ operation, order: fc.nat(14) })("is read from its columns as from the whole document", ({ operation, order }) => {
    same(decodeLine(rowOf(operation, order)), journalLineOf(operation))
  })

  test.prop({ operation })("has the reference that was known only later", ({ operation }) => {
    const late = { ...operation, content: { ...operation.content, reference: null } }
    same(decodeLine({ ...rowOf(late, 0), late_reference: toStoredJson(reference) }), journalLineOf({ ...late, content: { ...late.content, reference } }))
  })

  test.prop({ operation })("of an earlier release, whose facts leave a link to the text that is written in an unusual form", ({ operation }) => {
    const text = answerText.replace("\"verificationUrl\":\"h", "\"verificationUrl\":\"\\u0068")
    const { answer } = Result.getOrThrow(readSignedAnswer(text))
    const { pfr, ...facts } = JSON.parse(encodeAnswerFacts(answer)) as { readonly pfr: object }
    const row = rowOf({ ...operation, answer }, 0)
    same(decodeLine({ ...row, answer_facts: JSON.stringify({ ...facts, pfr: { ...pfr, verificationUrl: undefined } }) }), journalLineOf({ ...operation, answer }))
  })
})
