import type { Fault } from "@overa/domain"
import type { Answer } from "./Operation.ts"

/** The address of its page in the served documentation (Decisions §17), on whichever host answered. */
export const problemType = "/docs/pages/request-problem"

/** A header or a query parameter has no pointer: its name begins the sentence. */
const nameOf = (key: string): string => key === "IdempotencyKey" ? "Idempotency-Key" : key.slice(0, 1).toLowerCase() + key.slice(1)

const detailOf = ({ key, message, pointer }: Fault) => ({
  pointer,
  message: pointer === "" && key !== "Body" ? `${nameOf(key)} ${message}` : message
})

/**
 * The RFC 9457 problem of a request whose shape is wrong: every fault at once, by field for people and by RFC 6901 pointer for
 * programs (Decisions §1).
 */
export const problemDetails = (faults: ReadonlyArray<Fault>): Answer => {
  const errors: Record<string, Array<string>> = Object.create(null)
  for (const { key, message } of faults) (errors[key] ??= []).push(message)
  return {
    status: 422,
    headers: { "Content-Type": "application/problem+json" },
    json: {
      type: problemType,
      title: "The request is not valid.",
      status: 422,
      errors,
      details: faults.map(detailOf)
    }
  }
}
