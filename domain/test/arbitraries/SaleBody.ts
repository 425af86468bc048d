import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { totalAmount } from "../../src/money/rounding.ts"
import type { Fault } from "../../src/requests/Fault.ts"
import { decodeFiscalDocumentRequest } from "../../src/requests/FiscalDocumentRequest.ts"
import type { Environment } from "../../src/tenancy/Environment.ts"
import { decimal, dinars, quantity } from "./SaleLine.ts"

/** A JSON tree as the host hands it over, numbers as decimals. */
export type Body = Readonly<Record<string, unknown>>

export const taxpayerUuid = "01900001-0000-7000-8000-000000000001"
export const premiseUuid = "01900002-0000-7000-8000-000000000001"
export const documentUuid = "01900003-0000-7000-8000-000000000001"

/** A valid item of 10.00. */
export const itemBody: Body = {
  name: "Хлеб",
  unitOfMeasure: "kom",
  quantity: decimal("1"),
  unitPrice: decimal("10"),
  taxLabels: ["Ђ"]
}

/** A valid Normal Sale of one item, paid by card. */
export const saleBody: Body = {
  taxpayerId: taxpayerUuid,
  businessPremiseId: premiseUuid,
  clientReference: "order-1",
  invoiceType: "NORMAL",
  transactionType: "SALE",
  cashier: { id: "shop" },
  items: [itemBody],
  payments: [{ type: "CARD", amount: decimal("10") }]
}

/** A valid copy of a document of another ESIR. */
export const externalCopyBody: Body = {
  ...saleBody,
  invoiceType: "COPY",
  reference: {
    source: "EXTERNAL",
    pfrNumber: "ABCD1234-ABCD1234-15",
    pfrTime: "2026-08-29T12:30:00.1234567+02:00",
    invoiceType: "NORMAL",
    transactionType: "SALE"
  }
}

const items = fc.array(
  fc.record({ quantity: quantity(), unitPrice: dinars(), taxLabels: fc.constantFrom(["Ђ"], ["Е"], ["Г"]) }).map((item) => ({
    ...itemBody,
    ...item
  })),
  { minLength: 1, maxLength: 5 }
)

/** A valid Normal Sale: its payments are its total, split in two at any para. */
export const validSale: fc.Arbitrary<Body> = fc.record({ items, share: fc.integer({ min: 0, max: 100 }) }).map(
  ({ items: sold, share }) => {
    const total = totalAmount(sold)
    const cash = BigDecimal.truncate(BigDecimal.multiply(total, BigDecimal.make(BigInt(share), 2)), 2)
    const card = BigDecimal.subtract(total, cash)
    return { ...saleBody, items: sold, payments: [{ type: "CASH", amount: cash }, { type: "CARD", amount: card }] }
  }
)

/** The same body with a value at a path; `undefined` takes the member out. */
export const withAt = (body: unknown, path: ReadonlyArray<string | number>, value: unknown): Body => {
  const [head, ...rest] = path
  if (head === undefined) return value as Body
  if (Array.isArray(body)) {
    return body.map((element, at) => (at === head ? withAt(element, rest, value) : element)) as unknown as Body
  }
  const members = { ...(body as Body) }
  const child = rest.length === 0 ? value : withAt(members[head] ?? {}, rest, value)
  if (child === undefined) delete members[head]
  else members[head] = child
  return members
}

/** Everything reported about a body sent to `POST /v1/fiscal-documents`; empty when it is accepted. */
export const faultsOf = (body: unknown, environment: Environment = "production"): ReadonlyArray<Fault> => {
  const decoded = decodeFiscalDocumentRequest(body, { environment })
  return Result.isSuccess(decoded) ? [] : decoded.failure.faults
}

export const isAccepted = (body: unknown, environment?: Environment): boolean => faultsOf(body, environment).length === 0

/** Whether exactly one fault is reported, at this pointer and under this key. */
export const isOnlyFaultAt = (body: unknown, pointer: string, key: string, environment?: Environment): boolean => {
  const faults = faultsOf(body, environment)
  return faults.length === 1 && faults[0]?.pointer === pointer && faults[0].key === key && faults[0].message.length > 0
}

/** Whether a fault is reported at a place, whatever other faults there are. */
export const hasFaultAt = (body: unknown, pointer: string): boolean =>
  faultsOf(body).some((fault) => fault.pointer === pointer)
