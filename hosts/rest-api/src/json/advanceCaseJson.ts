import type { AdvanceCase, FiscalDocument, Payment } from "@overa/domain"
import { jsonNumber, utcTime } from "./scalars.ts"
import { AssembledJson, documentWritten } from "./WrittenJson.ts"

const orNull = (document: FiscalDocument | null) => document === null ? null : documentWritten(document)

const externalAdvanceJson = (advance: NonNullable<AdvanceCase["externalAdvance"]>) => ({
  documentNumber: advance.documentNumber,
  documentTime: advance.documentTime,
  amount: jsonNumber(advance.amount),
  taxAmount: jsonNumber(advance.taxAmount)
})

const paymentJson = ({ amount, type }: Payment) => ({ type, amount: jsonNumber(amount) })

/** An advance case as the contract writes it. Source: Decisions §5, Advance case. */
export const advanceCaseJson = (advanceCase: AdvanceCase): AssembledJson => new AssembledJson({
  id: advanceCase.id,
  taxpayerId: advanceCase.taxpayerId,
  businessPremiseId: advanceCase.businessPremiseId,
  clientReference: advanceCase.clientReference,
  state: advanceCase.state,
  buyer: advanceCase.buyer === null ? null : { id: advanceCase.buyer.id },
  advanceSales: advanceCase.advanceSales.map(documentWritten),
  cancelledAdvanceSaleIds: advanceCase.cancelledAdvanceSaleIds,
  advanceCancellations: advanceCase.advanceCancellations.map(({ copy, refund }) => ({
    refund: documentWritten(refund),
    copy: orNull(copy)
  })),
  externalAdvance: advanceCase.externalAdvance === null ? null : externalAdvanceJson(advanceCase.externalAdvance),
  totalAdvance: jsonNumber(advanceCase.totalAdvance),
  remainingPayments: advanceCase.remainingPayments?.map(paymentJson) ?? null,
  advanceRefund: orNull(advanceCase.advanceRefund),
  finalSale: orNull(advanceCase.finalSale),
  current: orNull(advanceCase.current),
  failureCode: advanceCase.failureCode,
  createdAt: utcTime(advanceCase.createdAt),
  updatedAt: utcTime(advanceCase.updatedAt)
})
