import {
  cursorBinding, DocumentStatus, encodeJournalCursor, InvoiceType, type JournalCursor, pageSizes, readJournalPlace, RequestFaults, TransactionType
} from "@overa/domain"
import { Effect, Result } from "effect"
import { integer, type JsonSchema, list, oneOfTexts, text, uuid } from "@overa/host-kit/contract"
import type { Operation, QueryParameter, TenantCall } from "../http/Operation.ts"

const optional = (schema: JsonSchema): QueryParameter => ({ description: String(schema["description"]), schema, required: false })

const time = (description: string): QueryParameter => optional(text(description, { format: "date-time" }))

/** A parameter that may be repeated, for any of several values. */
export const anyOf = (description: string, values: ReadonlyArray<string>): QueryParameter => ({
  ...optional(list(`${description} Repeat the parameter for several.`, oneOfTexts("One of them.", values))),
  repeatable: true
})

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

export const clientReferenceParameter = optional(text("Your reference, whole.", { minLength: 1, maxLength: 200 }))

/** What a document is looked for by, beside its place, type, status and reference. */
const documentParameters = {
  pfrNumber: optional(text("The number of the receipt, whole.", { minLength: 1, maxLength: 50 })),
  buyerId: optional(text("The buyer's id, whole.", { minLength: 1, maxLength: 20 })),
  cashierId: optional(text("The cashier's id, whole.", { minLength: 1, maxLength: 50 })),
  text: optional(
    text("A part of reference, buyer id, cashier id or an item's name, or the beginning of the receipt's number; letter case, script and diacritics do not matter.", {
      minLength: 1,
      maxLength: 200
    })
  )
}

/** What is asked of a case's documents: a case is listed where one of them matches all that are given. */
export const caseDocumentParameters = { ...documentParameters, pfrFrom: timeParameters.pfrFrom, pfrTo: timeParameters.pfrTo }

/** The filters of the journal; an operation must match all that are given. Source: Decisions §5, Journal. */
export const journalParameters: Operation["query"] = {
  ...placeParameters,
  status: anyOf("Only of this status.", DocumentStatus.literals),
  invoiceType: optional(oneOfTexts("Only of this type.", InvoiceType.literals)),
  transactionType: optional(oneOfTexts("Only sales, or only refunds.", TransactionType.literals)),
  clientReference: clientReferenceParameter,
  ...documentParameters,
  ...timeParameters
}

/** Which page of a list, with the word for its entries. Source: Spec, Limits. */
export const pageParameters = (entries: string): Operation["query"] => ({
  cursor: optional(text("`nextCursor` of the previous page.", { maxLength: 200 })),
  pageSize: optional(integer(`${entries} of one page, ${pageSizes.usual} if left out.`, { minimum: pageSizes.least, maximum: pageSizes.most }))
})

/** Filter and place are read together, so that the faults of both are answered at once (Decisions §1). A cursor is bound to its filter. */
export const askedPage = <F extends object>(
  { query, tenant }: Pick<TenantCall, "query" | "tenant">,
  filter: Result.Result<F, RequestFaults>
) => {
  const binding = Result.isSuccess(filter) ? cursorBinding(tenant, filter.success) : ""
  const place = readJournalPlace(Result.isSuccess(filter) ? query : { ...query, cursor: [] }, binding)
  return Effect.map(bothOf(filter, place), ([asked, at]) => ({
    filter: asked,
    place: at,
    written: (cursor: JournalCursor | null) => cursor === null ? null : encodeJournalCursor(cursor, binding)
  }))
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
