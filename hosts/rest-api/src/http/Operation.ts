import type { Caller, ErrorCode, GrantableScope, Tenant } from "@overa/domain"
import type { TransportRefusal } from "@overa/host-kit"
import type { Effect } from "effect"
import type { Readable } from "node:stream"
import type { JsonSchema, Shape } from "@overa/host-kit/contract"
import type { HostServices } from "./HostServices.ts"
import type { DeclaredAsAnswered } from "./handlerErrors.ts"
import type { PremiseRule } from "./withinPremises.ts"

/** A request that has passed the transport checks (Decisions §1). */
export interface Call {
  readonly caller: Caller
  /** Path parameters by name, decoded, unchecked. */
  readonly params: Readonly<Record<string, string>>
  /** Query parameters, already checked against the declared schema. */
  readonly query: Readonly<Record<string, ReadonlyArray<string>>>
  /** The body's exact text and, for JSON, its tree with exact decimals; null for operations without one. */
  readonly body: { readonly text: string; readonly tree: unknown } | null
  /** The `Idempotency-Key` header, unchecked. */
  readonly idempotencyKey: string | undefined
  /** The `If-None-Match` header; empty when there is none. */
  readonly ifNoneMatch: string
  /** Method and path with its parameters: what an idempotency key is bound to (Decisions §3). */
  readonly target: string
  /** Aborts when the caller's connection closes before the answer is written. */
  readonly callerGone: AbortSignal
  /** Runs work on a large body when the organization's turn comes; null for every other body, which is processed at once. */
  readonly atItsTurn: (<A>(work: () => A) => Effect.Effect<A, TransportRefusal<"RATE_LIMITED">>) | null
}

/** A call whose credential carries an environment. */
export interface TenantCall extends Call {
  readonly tenant: Tenant
}

/** The answer of an operation. Decimals inside `json` are made by `jsonNumber`. */
export type Answer = {
  /** The cost of the answer beyond an ordinary request's, in requests of the rate limit. */
  readonly cost?: number
} & (
  | {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly json: unknown
    /** The document or operation the answer is about; for the log. */
    readonly operationId?: string
  }
  | {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    /** A stream is passed on as it arrives, for exports that do not fit in memory. */
    readonly bytes: Uint8Array | string | Readable
    readonly mediaType: string
  }
)

/** One answer in the contract. */
export interface DeclaredResponse {
  readonly description: string
  /** Media type → schema; `application/json` unless the answer is a file. */
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>
  readonly headers?: ReadonlyArray<ResponseHeader>
}

/** The body of a request. */
export interface DeclaredBody {
  readonly mediaType: BodyMediaType
  /** The Schema that the decoder reads, from which the contract's schema is generated; null for a body that is not JSON. */
  readonly shape: Shape | null
  readonly schema: JsonSchema
  readonly description: string
  readonly example: unknown
}

export type ResponseHeader = "Location" | "Retry-After" | "Idempotency-Replayed" | "ETag" | "Cache-Control" | "Content-Disposition"

export interface QueryParameter {
  readonly description: string
  readonly schema: JsonSchema
  readonly required: boolean
  /** May be given several times. */
  readonly repeatable?: boolean
}

/**
 * One operation of the contract, declared once: the router, authorization, the OpenAPI document, the error table and the client's types are all
 * generated from this, so they cannot differ.
 */
export interface Operation<Handle = (call: Call) => Effect.Effect<Answer, unknown, HostServices>> {
  /** OpenAPI `operationId`. */
  readonly id: string
  readonly method: "GET" | "POST" | "PUT"
  /** OpenAPI form: `/v1/fiscal-documents/{fiscalDocumentId}`. */
  readonly path: string
  readonly tag: Tag
  readonly summary: string
  readonly description: string
  /** Null where any credential with an environment may call (Decisions §5, POST /v1/taxpayers). */
  readonly scope: GrantableScope | null
  /** How a credential that is restricted to premises is kept within them. */
  readonly premises: PremiseRule
  /** False only for what a credential without an environment may call (Decisions §10). */
  readonly needsEnvironment: boolean
  readonly idempotent: boolean
  /** What it costs whatever the answer, beyond an ordinary request, in requests of the rate limit. */
  readonly cost?: number
  /** It answers a receipt as a file, which is loaded and drawn when the organization's turn comes. */
  readonly isFile?: true
  /** Its answer is one document, which may have megabytes: a few are read at a time, in round robin over organizations. */
  readonly readsDocument?: true
  readonly pathParameters: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>
  readonly query: Readonly<Record<string, QueryParameter>>
  /** How a wrong query is answered: the 422 problem, or 400 where the specification says so (Decisions §1). */
  readonly queryFaults?: "INVALID_QUERY"
  readonly body: DeclaredBody | null
  readonly responses: Readonly<Record<number, DeclaredResponse>>
  /** Codes this operation may answer in addition to those of every operation. */
  readonly errors: ReadonlyArray<ErrorCode>
  readonly handle: Handle
}

/** The media types of bodies, and their largest size in bytes (Decisions §1): 1 MiB of JSON, 5 MB of CSV. */
export const bodyBytes = { "application/json": 1_048_576, "text/csv": 5_000_000 } as const
export type BodyMediaType = keyof typeof bodyBytes

export const tags = {
  "Fiscal documents": "Issuing receipts and reading them.",
  "Operations": "The durable record behind each document: what happened and what to do next.",
  "Refunds": "Refunds of receipts this service issued.",
  "Advances": "Advance payments and the final receipt that closes them.",
  "Proforma and training": "Documents that are no receipts.",
  "Setup": "Taxpayers, premises, tax rates, licence, security elements, runtime.",
  "Credentials": "Credentials of the organization, made by a program: for platforms that set up many shops. An extension of the contract.",
  "Catalogue": "Products.",
  "Journal": "Search, export and turnover.",
  "Deliveries": "Receipts by e-mail.",
  "Events": "What changed, in order: for programs that do not want to ask for each document. An extension of the contract."
} as const
export type Tag = keyof typeof tags

type Handle<C> = (call: C) => Effect.Effect<Answer, unknown, HostServices>

type Declared<Codes, H> = Omit<Operation, "needsEnvironment" | "errors" | "handle"> & { readonly errors: Codes; readonly handle: H }

/** The operation, if `errors` and the handler's error channel agree; otherwise the difference, and the list of operations does not compile. */
type Checked<Codes extends ReadonlyArray<ErrorCode>, H extends Handle<never>> = DeclaredAsAnswered<Operation, Effect.Error<ReturnType<H>>, Codes[number]>

/** Declares an operation for credentials that carry an environment. */
export const declareForTenant = <const Codes extends ReadonlyArray<ErrorCode>, H extends Handle<TenantCall>>(
  operation: Declared<Codes, H>
): Checked<Codes, H> => {
  const declared: Operation = {
    ...operation,
    needsEnvironment: true,
    handle: (call) => operation.handle({ ...call, tenant: tenantOf(call) })
  }
  return declared as Checked<Codes, H>
}

/** Declares an operation that a credential without an environment may call too (Decisions §10). */
export const declareForCaller = <const Codes extends ReadonlyArray<ErrorCode>, H extends Handle<Call>>(
  operation: Declared<Codes, H>
): Checked<Codes, H> => {
  const declared: Operation = { ...operation, needsEnvironment: false }
  return declared as Checked<Codes, H>
}

/** `runOperation` refuses callers without an environment before this point. */
const tenantOf = ({ caller }: Call): TenantCall["tenant"] => {
  if (caller.environment === null) throw new Error("A credential without an environment passed the check for one.")
  return { organizationId: caller.organizationId, environment: caller.environment }
}
