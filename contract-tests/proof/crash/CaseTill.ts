import { randomUUID } from "node:crypto"
import type { SeededShop } from "@overa/sandbox"
import type { KnownDocument } from "./RefundTill.ts"
import { type KeyedBody, TillLine } from "./TillLine.ts"

/** An advance case as answered to the shop. */
export interface KnownCase {
  readonly id: string
  readonly state: "OPEN" | "AWAITING_OUTCOME" | "CLOSED" | "FAILED"
  readonly totalAdvance: number
  readonly advanceSales: ReadonlyArray<KnownDocument>
  readonly cancelledAdvanceSaleIds: ReadonlyArray<string>
  readonly advanceCancellations: ReadonlyArray<{ readonly refund: KnownDocument; readonly copy: KnownDocument | null }>
  readonly advanceRefund: KnownDocument | null
  readonly finalSale: KnownDocument | null
  readonly current: KnownDocument | null
}

/** A request to a case that is repeated unchanged. */
export interface CaseRequest extends KeyedBody {
  readonly path: string
}

/** An answer that is a case, or a refusal with its code. */
export interface CaseAnswer {
  readonly status: number
  readonly code: string | null
  readonly known: KnownCase
}

const cashier = { id: "till" }
const buyer = { id: "20:123456789" }
const cases = "/v1/advance-cases"

/** A furniture shop's till: advances by card, cash and wire transfer over two labels, cancelled and closed. */
export class CaseTill {
  private readonly line: TillLine
  private readonly labels: readonly [string, string]

  constructor(baseUrl: string, shop: SeededShop, labels: readonly [string, string]) {
    this.line = new TillLine(baseUrl, shop)
    this.labels = labels
  }

  opening(): CaseRequest {
    return this.request(cases, { ...this.line.place, clientReference: `case-${randomUUID()}`, buyer })
  }

  /** An advance of `amount` dinars, split over both labels. */
  payment(caseId: string, amount: number, type: "CARD" | "CASH" | "WIRE_TRANSFER"): CaseRequest {
    const part = Math.round(amount / 3)
    const items = [part, amount - part].map((unitPrice, index) => {
      const label = this.labels[index]
      return { name: `10: Аванс (${label})`, quantity: 1, unitPrice, taxLabels: [label] }
    })
    return this.request(`${cases}/${caseId}/payments`, { cashier, items, payments: [{ type, amount }] })
  }

  cancellation(caseId: string, advanceSaleId: string): CaseRequest {
    return this.request(`${cases}/${caseId}/cancellations`, { advanceSaleId, cashier, buyer })
  }

  closing(caseId: string, total: number, remaining: number): CaseRequest {
    const items = [{ name: "Орман", unitOfMeasure: "ком", quantity: 1, unitPrice: total, taxLabels: [this.labels[0]] }]
    return this.request(`${cases}/${caseId}/closing`, { cashier, items, remainingPayments: [{ type: "CASH", amount: remaining }] })
  }

  /** Sends a request once; null when there was no answer. */
  async send(request: CaseRequest): Promise<CaseAnswer | null> {
    try {
      const answer = await this.line.call("POST", request.path, request)
      return await answerOf(answer)
    } catch {
      return null
    }
  }

  async read(caseId: string): Promise<KnownCase> {
    return (await answerOf(await this.line.call("GET", `${cases}/${caseId}`))).known
  }

  /** A case with two advances that stand, 3 000 by card and 4 000 in cash. */
  async withAdvances(): Promise<KnownCase> {
    const opened = await this.send(this.opening())
    if (opened?.status !== 201) throw new Error("the case was not opened")
    await this.send(this.payment(opened.known.id, 3_000, "CARD"))
    const paid = await this.send(this.payment(opened.known.id, 4_000, "CASH"))
    if (paid?.known.totalAdvance !== 7_000) throw new Error("the advances were not taken")
    return paid.known
  }

  private request(path: string, body: object): CaseRequest {
    return { path, key: `case-${randomUUID()}`, body: JSON.stringify(body) }
  }
}

const answerOf = async (answer: Response): Promise<CaseAnswer> => {
  const known = await answer.json() as KnownCase & { readonly code?: string }
  return { status: answer.status, code: known.code ?? null, known }
}
