import { type Answer, newKey } from "./Deployment.ts"
import { buyer, type Ground, itemOf, placeOf } from "./sale.ts"

const cases = "/v1/advance-cases"
const cashier = { id: "reader" }
const rejecting = { fault: "reject", times: 1, modelState: [{ property: "items[0].name", errors: ["2801"] }] }
const lost = [{ fault: "sign-then-reset", times: 1 }, { fault: "search-unavailable" }] as const

// The contract names these operations; their bodies are in the machine-readable contract that it names.
const opened = async (ground: Ground): Promise<string> => (await ground.deployment.issue(cases, { ...placeOf(ground), clientReference: "reader", buyer })).json.id
const pay = ({ deployment, label }: Ground, id: string, key = newKey()) =>
  deployment.issue(`${cases}/${id}/payments`, { cashier, items: [{ name: `10: Аванс (${label})`, quantity: 1, unitPrice: 50, taxLabels: [label] }], payments: [{ type: "CARD", amount: 50 }] }, key)
const close = (ground: Ground, id: string, amount: number, key = newKey()) =>
  ground.deployment.issue(`${cases}/${id}/closing`, { cashier, items: [itemOf(ground)], remainingPayments: [{ type: "CARD", amount }] }, key)
const cancel = ({ deployment }: Ground, id: string, advanceSaleId: string) => deployment.issue(`${cases}/${id}/cancellations`, { advanceSaleId, cashier, buyer })
const paid = async (ground: Ground): Promise<{ readonly id: string; readonly sale: string }> => {
  const id = await opened(ground)
  return { id, sale: (await pay(ground, id)).json.current.id }
}

/** How a caller comes to each code of advance cases. */
export const advanceCodes: Readonly<Record<string, (ground: Ground) => Promise<Answer>>> = {
  ADVANCE_CASE_NOT_OPEN: async (ground) => {
    const { id } = await paid(ground)
    await close(ground, id, 50)
    return pay(ground, id)
  },
  ADVANCE_CANCELLATION_TARGET_NOT_LATEST: async (ground) => {
    const { id, sale } = await paid(ground)
    await pay(ground, id)
    return cancel(ground, id, sale)
  },
  ADVANCE_CLOSE_TOTAL_MISMATCH: async (ground) => close(ground, (await paid(ground)).id, 49),
  ADVANCE_CASE_HAS_NO_FISCALIZED_SALE: async (ground) => close(ground, await opened(ground), 100),
  ADVANCE_PAYMENT_SUPERSEDED: async (ground) => {
    const { id } = await paid(ground)
    const key = newKey()
    await ground.deployment.far({ fault: "refuse-connection" })
    await pay(ground, id, key)
    await ground.deployment.far()
    await pay(ground, id)
    return pay(ground, id, key)
  },
  ADVANCE_CASE_CLOSE_ALREADY_RESERVED: async (ground) => {
    const { id } = await paid(ground)
    await ground.deployment.far(...lost)
    await close(ground, id, 50)
    return close(ground, id, 50)
  },
  ADVANCE_REFUND_NOT_FISCALIZED: async (ground) => {
    const { id } = await paid(ground)
    await ground.deployment.far(rejecting)
    return close(ground, id, 50)
  },
  RECEIPT_DELIVERY_DOCUMENT_NOT_ISSUED_TO_BUYER: async (ground) => {
    const { id } = await paid(ground)
    const { json } = await close(ground, id, 50)
    return ground.deployment.issue("/v1/receipt-deliveries", { fiscalDocumentId: json.advanceRefund.id, recipient: "kupac@example.rs" })
  }
}
