import { isWritten, type Level, logLine, type RequestShare, type WriteLine } from "@overa/host-kit"

/** One line per request: what was requested and how it ended; no personal data, no secrets, no bodies. */
export interface RequestLogEntry {
  readonly requestId: string
  readonly method: string
  /** The declared path, never the actual one, in which a caller may put any text. */
  readonly route: string
  readonly status: number
  /** The connection closed before the answer was sent; `status` is what would have been answered. */
  readonly callerGone: boolean
  readonly ms: number
  /** How much of it was spent in submissions to the V-PFR, and how each of them ended. */
  readonly vpfrMs: number
  readonly submissions: RequestShare["outcomes"]
  readonly organizationId: string | null
  readonly clientId: string | null
  readonly operationId: string | null
  /** Where the request was recorded as a trace. */
  readonly traceId?: string
}

export interface RequestLog {
  readonly request: (entry: RequestLogEntry) => void
  /** A fault of this service behind a 500: with its cause, which the caller never sees. */
  readonly fault: (requestId: string, route: string, cause: string) => void
}

export const requestLog = (write: WriteLine, least: Level = "info"): RequestLog => ({
  request: isWritten("info", least) ? (entry) => write(logLine("info", "request", { ...entry })) : () => undefined,
  fault: (id, route, cause) => write(logLine("error", "fault", { requestId: id, route, cause }))
})
