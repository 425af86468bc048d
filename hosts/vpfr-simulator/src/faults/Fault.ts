import type { EnvironmentName } from "../EnvironmentName.ts"
import type { ModelError } from "../protocol/ModelState.ts"

export const faultNames = [
  "refuse-connection",
  "fail-tls",
  "reset-before-request",
  "reset-mid-request",
  "hang",
  "delay",
  "sign-then-hang",
  "sign-then-reset",
  "truncate-answer",
  "mangle-answer",
  "foreign-answer",
  "wrong-amount",
  "reject",
  "status",
  "html-page",
  "no-tax-configuration",
  "search-unavailable",
  "search-not-found",
  "duplicate-number",
  "clock-skew"
] as const

export type FaultName = (typeof faultNames)[number]

export const endpointNames = ["invoices", "search", "status", "environment-parameters", "attention"] as const
export type EndpointName = (typeof endpointNames)[number]

/** The requested fault; the fault table in the README says what each name does. */
export interface FaultOrder {
  readonly fault: FaultName
  /** How many submissions it affects (connect faults: connection attempts; search faults: searches); unlimited when absent. */
  readonly times?: number
  /** 0..1, drawn anew for every candidate; always when absent. */
  readonly probability?: number
  /** Makes the draws repeatable; chosen and reported when absent. */
  readonly seed?: number
  /** Only requests of this JID. Connect faults cannot be limited to one: before the handshake the client is unknown. */
  readonly element?: string
  readonly environment?: EnvironmentName
  /** The endpoint it affects; submissions when absent. Search faults always affect searches. */
  readonly endpoint?: EndpointName | "all"
  /** `delay`, `clock-skew`: milliseconds. */
  readonly ms?: number
  /** `reject`. */
  readonly modelState?: ReadonlyArray<ModelError>
  /** `status`, `html-page`: the HTTP status. */
  readonly code?: number
  /** `status`. */
  readonly body?: string
  readonly contentType?: string
  /** `status`, `html-page`: sign and keep the receipt before answering as if it had failed. */
  readonly sign?: boolean
  /** `wrong-amount`: dinars added to the total, with at most two decimals. */
  readonly amount?: number
}

export interface Fault extends FaultOrder {
  readonly id: number
  readonly seed: number
  /** How often it has been applied. */
  readonly struck: number
  /** What is left of `times`; null without a limit. */
  readonly remaining: number | null
}

/** Applied before the TLS handshake. */
export const isConnectFault = (name: FaultName): boolean => name === "refuse-connection" || name === "fail-tls"

export const isSearchFault = (name: FaultName): boolean => name === "search-unavailable" || name === "search-not-found"

/** Changes how a request is served without deciding its result, so it can be combined with one fault that does. */
export const isModifier = (name: FaultName): boolean => name === "delay" || name === "clock-skew"

/** Also makes sense for requests other than submissions. */
export const isForAnyEndpoint = (name: FaultName): boolean =>
  ["reset-before-request", "hang", "delay", "status", "html-page", "truncate-answer", "mangle-answer"].includes(name)
