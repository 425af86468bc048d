import { DocumentStatus, InvoiceType, RequestFaults, TransactionType } from "@overa/domain"
import { Effect, Result } from "effect"
import { type JsonSchema, oneOfTexts, text, uuid } from "../contract/JsonSchema.ts"
import type { Operation, QueryParameter } from "../http/Operation.ts"

const optional = (schema: JsonSchema): QueryParameter => ({ description: String(schema["description"]), schema, required: false })

const time = (description: string): QueryParameter => optional(text(description, { format: "date-time" }))

/** The place of issue that a report or a search is limited to. */
export const placeParameters = {
  taxpayerId: optional(uuid("Only this taxpayer's.")),
  businessPremiseId: optional(uuid("Only this premise's."))
}

/** The time of signing and the time of the request, each from its lower bound, inclusive, up to its upper one, exclusive. Source: Spec, Operations known by name only. */
export const timeParameters = {
  pfrFrom: time("Signed at this time or later (`pfr.sdcTime`)."),
  pfrTo: time("Signed before this time."),
  createdFrom: time("Received at this time or later (`createdAt`)."),
  createdTo: time("Received before this time.")
}

/** The filters of the journal; an operation must match all that are given. Source: Decisions §5, Journal. */
export const journalParameters: Operation["query"] = {
  ...placeParameters,
  status: optional(oneOfTexts("Only of this status.", DocumentStatus.literals)),
  invoiceType: optional(oneOfTexts("Only of this type.", InvoiceType.literals)),
  transactionType: optional(oneOfTexts("Only sales, or only refunds.", TransactionType.literals)),
  clientReference: optional(text("Your reference, whole.", { minLength: 1, maxLength: 200 })),
  pfrNumber: optional(text("The number of the receipt, whole.", { minLength: 1, maxLength: 50 })),
  buyerId: optional(text("The buyer's id, whole.", { minLength: 1, maxLength: 20 })),
  cashierId: optional(text("The cashier's id, whole.", { minLength: 1, maxLength: 50 })),
  text: optional(
    text("A part of reference, buyer id, cashier id or an item's name, or the beginning of the receipt's number; letter case, script and diacritics do not matter.", {
      minLength: 1,
      maxLength: 200
    })
  ),
  ...timeParameters
}

/** Two readers of one query; the faults of both are answered at once. */
export const bothOf = <A, B>(
  one: Result.Result<A, RequestFaults>,
  other: Result.Result<B, RequestFaults>
): Effect.Effect<readonly [A, B], RequestFaults> => {
  if (Result.isSuccess(one) && Result.isSuccess(other)) return Effect.succeed([one.success, other.success])
  const faults = [...(Result.isFailure(one) ? one.failure.faults : []), ...(Result.isFailure(other) ? other.failure.faults : [])]
  return Effect.fail(new RequestFaults({ faults }))
}
