import { renderDocument, RepresentationFormat } from "@overa/domain"
import { Effect } from "effect"
import { oneOfTexts, ref, uuid } from "@overa/host-kit/contract"
import { type DeclaredResponse, declareForTenant } from "../http/Operation.ts"
import { TransportRefusal } from "@overa/host-kit"
import { fiscalDocumentId } from "../http/pathId.ts"

const binary = { type: "string", format: "binary", description: "The file." }
const headers: DeclaredResponse["headers"] = ["ETag", "Cache-Control"]
const text = { type: "string", description: "The text." }

const isFormat = (text: string): text is RepresentationFormat => RepresentationFormat.literals.some((format) => format === text)

/** The entity tags of `If-None-Match`, without quotes; weak ones compare equal here (RFC 9110 §13.1.2). */
const knownEntityTags = (header: string): ReadonlyArray<string> =>
  header.trim() === "*" ? ["*"] : [...header.matchAll(/(?:W\/)?"([^"]*)"/g)].map(([, tag = ""]) => tag)

/** Source: Spec, representations; Decisions §6. */
export const getRepresentation = declareForTenant({
  id: "readRepresentation",
  method: "GET",
  path: "/v1/fiscal-documents/{fiscalDocumentId}/representations/{representationFormat}",
  tag: "Fiscal documents",
  summary: "Fetch a receipt as text, JSON, PDF, image or QR code",
  description: "One of the seven representations of a fiscalized document. Send `If-None-Match` to fetch it only when it changed.",
  scope: "fiscal:read",
  premises: "path",
  idempotent: false,
  isFile: true,
  pathParameters: {
    fiscalDocumentId: { description: "The document.", schema: uuid("The document.") },
    representationFormat: {
      description: "The form.",
      schema: oneOfTexts("The form.", RepresentationFormat.literals)
    }
  },
  query: {},
  body: null,
  responses: {
    200: {
      description: "The representation.",
      headers: [...headers, "Content-Disposition"],
      content: {
        "text/plain": { schema: text },
        "application/json": { schema: ref("CanonicalReceipt") },
        "application/pdf": { schema: binary },
        "image/png": { schema: binary },
        "image/svg+xml": { schema: text }
      }
    },
    304: { description: "Unchanged since the entity tag the caller has.", content: {}, headers }
  },
  errors: ["FISCAL_DOCUMENT_NOT_FOUND", "NOT_FOUND", "REPRESENTATION_NOT_AVAILABLE"],
  handle: Effect.fnUntraced(function*(call) {
    const format = call.params["representationFormat"] ?? ""
    if (!isFormat(format)) {
      return yield* Effect.fail(new TransportRefusal({ code: "NOT_FOUND", message: "There is no such representation." }))
    }
    const id = yield* Effect.fromResult(fiscalDocumentId(call))
    const rendered = yield* renderDocument({
      tenant: call.tenant,
      id,
      format,
      knownEntityTags: knownEntityTags(call.ifNoneMatch)
    })
    const cacheHeaders = {
      ETag: `"${rendered.entityTag}"`,
      "Cache-Control": rendered.immutable ? "private, max-age=31536000, immutable" : "private, no-cache"
    }
    if (rendered._tag === "Unchanged") return { status: 304, headers: cacheHeaders, bytes: "", mediaType: "" }
    const { bytes, fileName, mediaType } = rendered.representation
    return {
      status: 200,
      headers: { ...cacheHeaders, "Content-Disposition": `inline; filename="${fileName}"` },
      bytes,
      mediaType
    }
  })
})
