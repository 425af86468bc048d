import { Effect, Option } from "effect"
import type { Branding } from "../documents/Branding.ts"
import { FiscalDocumentNotFound, RepresentationNotAvailable } from "../documents/errors.ts"
import type { Operation } from "../operations/Operation.ts"
import { BrandingStore, ReceiptRenderer, type RenderingUnavailable } from "../ports/ReceiptRenderer.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import type { StoreUnavailable } from "../ports/StoreUnavailable.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import type { Receipt, Representation, RepresentationFormat } from "../documents/Representation.ts"

export interface RenderRequest {
  readonly tenant: Tenant
  readonly id: FiscalDocumentId
  readonly format: RepresentationFormat
  /** Entity tags the caller already has, without quotes; `*` counts as every tag (RFC 9110, If-None-Match). */
  readonly knownEntityTags: ReadonlyArray<string>
}

/** `immutable`: the V-PFR's own text and link, which no layout can change (Decisions §6). */
export type RenderedDocument =
  & { readonly entityTag: string; readonly immutable: boolean }
  & ({ readonly _tag: "Unchanged" } | { readonly _tag: "Drawn"; readonly representation: Representation })

const isImmutable = (format: RepresentationFormat): boolean => format === "official-text" || format === "qr-svg"

const receiptOf = (operation: Operation): Receipt | null =>
  operation.status === "FISCALIZED" && operation.answer !== null ? { operation, answer: operation.answer } : null

const brandingOf = Effect.fnUntraced(
  function*(request: RenderRequest, receipt: Receipt): Effect.fn.Return<Branding | null, StoreUnavailable, BrandingStore> {
    const id = receipt.operation.content.brandingId
    if (id === null) return null
    const branding = yield* (yield* BrandingStore).find(request.tenant, id)
    // The store keeps every version that a document names; a missing one would change a reprint without notice.
    return Option.isSome(branding)
      ? branding.value
      : yield* Effect.die(new Error(`branding ${id} of document ${request.id} is missing`))
  }
)

/** A receipt in one of its representations, drawn only when the caller does not have it yet. */
export const renderDocument = Effect.fn("renderDocument")(function*(
  request: RenderRequest
): Effect.fn.Return<
  RenderedDocument,
  FiscalDocumentNotFound | RepresentationNotAvailable | RenderingUnavailable | StoreUnavailable,
  OperationStore | BrandingStore | ReceiptRenderer
> {
  const stored = yield* (yield* OperationStore).get(request.tenant, request.id)
  if (Option.isNone(stored)) return yield* new FiscalDocumentNotFound({ fiscalDocumentId: request.id })
  const receipt = receiptOf(stored.value)
  if (receipt === null) {
    return yield* new RepresentationNotAvailable({ id: request.id, status: stored.value.status })
  }
  const renderer = yield* ReceiptRenderer
  const facts = { entityTag: renderer.entityTag(receipt, request.format), immutable: isImmutable(request.format) }
  const known = request.knownEntityTags.some((tag) => tag === "*" || tag === facts.entityTag)
  if (known) return { _tag: "Unchanged", ...facts }
  const brandings = yield* BrandingStore
  const branding = brandingOf(request, receipt).pipe(Effect.provideService(BrandingStore, brandings))
  const representation = yield* renderer.render(receipt, branding, request.format)
  return { _tag: "Drawn", ...facts, representation }
})
