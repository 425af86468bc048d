import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { canonicalContent } from "../../src/idempotency/boundKey.ts"
import { decodeAdvanceCancellationRequest } from "../../src/requests/AdvanceCancellationRequest.ts"
import { decodeAdvanceCaseRequest } from "../../src/requests/AdvanceCaseRequest.ts"
import { decodeAdvanceClosingRequest } from "../../src/requests/AdvanceClosingRequest.ts"
import { decodeAdvancePaymentRequest } from "../../src/requests/AdvancePaymentRequest.ts"
import { decodeCopyRequest } from "../../src/requests/CopyRequest.ts"
import type { RequestFaults } from "../../src/requests/Fault.ts"
import { decodeFiscalDocumentRequest } from "../../src/requests/FiscalDocumentRequest.ts"
import { decodeProformaTrainingRequest } from "../../src/requests/ProformaTrainingRequest.ts"
import { readBodyTree } from "../../src/requests/bodyTree.ts"
import { decodeRefundRequest } from "../../src/requests/RefundRequest.ts"
import { decodeTaxpayerRegistration } from "../../src/requests/TaxpayerRegistration.ts"
import { externalCopyBody, faultsOf, itemBody, saleBody, validSale, withAt } from "../arbitraries/SaleBody.ts"
import { decimal } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

const sandbox = { environment: "sandbox" } as const

const readers: ReadonlyArray<(body: unknown) => Result.Result<unknown, RequestFaults>> = [
  (body) => decodeFiscalDocumentRequest(body, sandbox),
  (body) => decodeRefundRequest(body, sandbox),
  (body) => decodeAdvancePaymentRequest(body, sandbox),
  (body) => decodeAdvanceClosingRequest(body, sandbox),
  (body) => decodeProformaTrainingRequest(body, sandbox),
  decodeAdvanceCaseRequest,
  decodeAdvanceCancellationRequest,
  decodeCopyRequest,
  decodeTaxpayerRegistration
]

const anyTree = fc.json({ maxDepth: 4 }).map((text) => Result.getOrThrow(readBodyTree(text)))

const names = ["items", "payments", "buyer", "cashier", "metadata", "reference", "invoiceType", "externalAdvance", "businessPremises"]
/** Objects with the names that requests use, and any values. */
const nearlyBody = fc.dictionary(fc.constantFrom(...names), anyTree)

const places: ReadonlyArray<ReadonlyArray<string | number>> = [
  ["items"],
  ["items", 0],
  ["items", 0, "name"],
  ["items", 0, "quantity"],
  ["items", 0, "taxLabels"],
  ["payments"],
  ["payments", 0],
  ["payments", 0, "amount"],
  ["cashier"],
  ["buyer"],
  ["metadata"],
  ["reference"],
  ["invoiceType"],
  ["transactionType"]
]

const isWellAnswered = (answer: Result.Result<unknown, RequestFaults>): boolean =>
  Result.isSuccess(answer) ||
  (answer.failure.faults.length > 0 &&
    answer.failure.faults.every((fault) =>
      fault.key !== "" && fault.message !== "" && (fault.pointer === "" || fault.pointer.startsWith("/"))))

rule("BODY-12", {
  says: "Whatever JSON is sent, it is read or refused with its faults; no body makes a reader fail.",
  source: "Decisions §1, Problem body"
}, ({ holds }) => {
  holds("anything at all, to every reader", { body: anyTree, reader: fc.constantFrom(...readers) }, ({ body, reader }) => isWellAnswered(reader(body)), { cases: 500 })
  holds("anything under the names the requests know", { body: nearlyBody, reader: fc.constantFrom(...readers) },
    ({ body, reader }) => isWellAnswered(reader(body)), { cases: 500 })
  holds("a valid document with anything at one of its places",
    { sale: fc.oneof(validSale, fc.constantFrom(saleBody, externalCopyBody)), place: fc.constantFrom(...places), value: anyTree },
    ({ sale, place, value }) => isWellAnswered(decodeFiscalDocumentRequest(withAt(sale, place, value), sandbox)), { cases: 500 })
  holds("and every one of them has a canonical text", { body: anyTree }, ({ body }) => canonicalContent("POST /v1/x", body).startsWith("POST /v1/x\n"))
})

const listOf = <A>(length: number, element: A): ReadonlyArray<A> => Array.from({ length }, () => element)
const payment = (amount: string) => ({ type: "CARD", amount: decimal(amount) })

/** Members and elements of a tree, however deep; a decimal is one value. */
const membersOf = (node: unknown): number =>
  typeof node !== "object" || node === null || BigDecimal.isBigDecimal(node)
    ? 0
    : Object.values(node).reduce((sum: number, child) => sum + 1 + membersOf(child), 0)

rule("BODY-11", {
  says: "A body of more members than any request can need is refused at once, and never keeps a host busy.",
  source: "Decisions §1, Bounds (1 000 items, 1 MiB)"
}, ({ holdsForEvery }) => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, decimal("1")]))
  holdsForEvery("it is named where a list is too long, else as a whole", [
    [{ ...saleBody, items: listOf(40_000, {}) }, "/items"],
    [{ ...saleBody, payments: listOf(40_000, 1) }, "/payments"],
    [{ ...saleBody, items: listOf(1001, itemBody), ...many(40_000) }, "/items"],
    [{ ...saleBody, payments: listOf(51, payment("1")), ...many(40_000) }, "/payments"],
    [{ ...saleBody, items: listOf(1000, itemBody), payments: listOf(50, payment("1")), ...many(40_000) }, ""],
    [{ ...saleBody, ...many(40_000) }, ""],
    [withAt(saleBody, ["items", 0, "taxLabels"], listOf(40_000, "Ђ")), ""]
  ] as const, ([body, pointer]) => {
    const [fault, ...others] = faultsOf(body)
    return others.length === 0 && fault?.pointer === pointer
  })
  holdsForEvery("1 000 items with ten labels each are still read, and 1 001 are still judged one by one", [1000, 1001], (count) => {
    const item = { ...itemBody, taxLabels: Array.from({ length: 10 }, (_, at) => `L${at}`) }
    const faults = faultsOf({ ...saleBody, cashier: { id: "" }, items: listOf(count, item), payments: [payment(String(count * 10))] })
    return faults.some((fault) => fault.key === "Cashier.Id") && faults.some((fault) => fault.pointer === "/items") === (count > 1000)
  })
  holdsForEvery("at most 1 000 faults are reported, whatever they are of", [999, 1_000, 1_500], (count) =>
    faultsOf({ ...saleBody, ...many(count) }).length === Math.min(count, 1_000) &&
    faultsOf({ ...saleBody, items: listOf(1_000, {}), payments: [payment("1")], ...many(count) }).length === 1_000)
  holdsForEvery("24 000 members and elements are still judged one by one, one more is not", [0, 1], (more) => {
    const missing = 24_000 - membersOf(saleBody) - 20 + more
    const lists = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`l${at}`, listOf(Math.floor((missing + at) / 20), 1)]))
    const faults = faultsOf({ ...saleBody, ...lists })
    return (faults.length > 1) === (more === 0) && (more === 0 || faults[0]?.message.startsWith("must have at most 24000 members and elements in all") === true)
  })
  holdsForEvery("2 000 members of an object are still judged one by one, one more is not", [0, 1], (more) =>
    (faultsOf({ ...saleBody, ...many(2_000 - Object.keys(saleBody).length + more) }).length > 1) === (more === 0))
  holdsForEvery("the faults of a long list are where they are in the body, whichever slice they fall into", [99, 100, 101, 250, 999], (at) => {
    const items = listOf(1_000, itemBody).map((item, index) => index === at ? { ...itemBody, name: "", taxLabels: [] } : item)
    const pointers = faultsOf({ ...saleBody, items }).map(({ pointer }) => pointer).filter((pointer) => pointer.startsWith("/items"))
    return pointers.toSorted().join() === `/items/${at}/name,/items/${at}/taxLabels`
  })
})
