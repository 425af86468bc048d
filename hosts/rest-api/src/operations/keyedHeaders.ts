import type { Answer } from "../http/Operation.ts"

/**
 * What the caller of a stored request does next. `sameKey`: nothing was sent, and the same request continues it. `ask`: it may have been sent;
 * the answer is looked up, and nothing is sent again. `nothing`: it has ended, or only a person continues it.
 * Source: Spec, Client handling rules 2 and 3.
 */
export type NextStep = "sameKey" | "ask" | "nothing"

/** Seconds before the next step; a caller asks for an unknown outcome about every 30 seconds. */
export const secondsUntil = { sameKey: "2", ask: "30" } as const

/**
 * The headers of every answer about something stored under an idempotency key. `resource` is its own address: `Location` names it where this
 * request made it (201), and where it is not complete yet (503).
 */
export const keyedHeaders = (
  answer: { readonly status: number; readonly replayed: boolean; readonly resource: string; readonly next: NextStep }
): NonNullable<Answer["headers"]> => ({
  ...(answer.replayed ? { "Idempotency-Replayed": "true" } : {}),
  ...(answer.status === 201 || answer.status === 503 ? { Location: answer.resource } : {}),
  ...(answer.next === "nothing" ? {} : { "Retry-After": secondsUntil[answer.next] })
})
