import { randomUUID } from "node:crypto"

const acceptable = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's `X-Request-Id` when it is safe to repeat and log, else a new one. Every answer carries it (Decisions §1). */
export const requestId = (header: string | ReadonlyArray<string> | undefined): string =>
  typeof header === "string" && acceptable.test(header) ? header : randomUUID()
