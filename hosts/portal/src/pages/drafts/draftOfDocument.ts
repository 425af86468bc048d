import { type FiscalDocumentId, isDocument, mayBeIssuedAnew, type Operation, OperationStore, readDocument } from "@overa/domain"
import { sha256 } from "@overa/host-kit"
import { Effect, Option } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { documentId } from "../receipts/documentId.ts"
import { keyOfForm } from "../receipts/issueForm.ts"

/** The draft that the address names: its id is the key of the one document that it may become (docs/adr/0301). */
export const draftOf = (visit: MemberVisit): Effect.Effect<string, NotFound> => {
  const id = documentId(visit.params["draft"])
  return id === null ? new NotFound({}) : Effect.succeed(id)
}

/** The document that a draft has become, whatever its status: it can never become another one. */
export const becomeOf = Effect.fnUntraced(function*(visit: MemberVisit, draft: string) {
  const found = Option.getOrNull(yield* (yield* OperationStore).findByKey({ organizationId: visit.organizationId, role: "REQUEST", key: keyOfForm(draft) }))
  return found !== null && isDocument(found) ? found.id : null
})

/**
 * The one draft in which a failed document may be issued anew. It follows from the document: two people, two tabs or two clicks have the same draft, so
 * that one failed document has at most one successor (docs/adr/0370).
 */
export const draftAnew = (id: FiscalDocumentId): string => {
  const digest = sha256(`issued anew ${id}`)
  return [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join("-")
}

/** The document that was issued anew for a failed one; null where there is none. */
export const successorOf = (visit: MemberVisit, id: FiscalDocumentId) => becomeOf(visit, draftAnew(id))

/** What a draft is issued anew for. */
export type Source =
  | { readonly _tag: "None" }
  | { readonly _tag: "Failed"; readonly document: Operation }
  /** It may be a receipt, or may become one: nothing is issued anew for it. */
  | { readonly _tag: "MayBeReceipt"; readonly document: Operation }

/** The failed document that the address or the form names, read as it is now. Another draft than its own is not found. */
export const sourceOf = Effect.fnUntraced(function*(visit: MemberVisit, draft: string) {
  const named = visit.form?.text("from") ?? visit.kept?.text("from") ?? visit.query.get("from") ?? ""
  if (named === "") return { _tag: "None" } as Source
  const id = documentId(named)
  if (id === null || draftAnew(id) !== draft) return yield* new NotFound({})
  const document = yield* readDocument(visit.tenant, id)
  const source: Source = { _tag: mayBeIssuedAnew(document) ? "Failed" : "MayBeReceipt", document }
  return source
})
