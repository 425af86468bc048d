import type { ServerResponse } from "node:http"
import type { Fault } from "../faults/Fault.ts"
import { type Answer, headOf, jsonAnswer, send, serverPage } from "./Answer.ts"
import { modelErrorsBody } from "../protocol/ModelState.ts"

/** Announces the whole answer, sends half of it and closes. */
const sendHalf = (response: ServerResponse, answer: Answer): void => {
  const body = Buffer.from(answer.body, "utf8")
  response.writeHead(answer.status, headOf(answer))
  response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy())
}

/** Sends an answer as far as the fault, if any, permits; `reset` cuts the connection. */
export const deliver = (response: ServerResponse, answer: Answer, fault: Fault | null, reset: () => void): void => {
  if (answer.status !== 200) send(response, answer)
  else if (fault?.fault === "sign-then-reset") reset()
  else if (fault?.fault === "truncate-answer") sendHalf(response, answer)
  else if (fault?.fault === "mangle-answer") send(response, { ...answer, body: answer.body.replaceAll("\"", "'") })
  else if (fault?.fault !== "sign-then-hang") send(response, answer)
}

/** The answer a fault gives instead of the V-PFR's; null where it gives none. */
export const substituteAnswer = (fault: Fault | null): Answer | null => {
  switch (fault?.fault) {
    case "reject":
      return jsonAnswer(400, modelErrorsBody(fault.modelState ?? [{ property: "items[0].labels[0]", errors: ["2310"] }]))
    case "status":
      return { status: fault.code ?? 500, contentType: fault.contentType ?? "text/plain; charset=utf-8", body: fault.body ?? "" }
    case "html-page":
      return serverPage(fault.code ?? 500, "500.0 - Internal server error: The page cannot be displayed.")
    default:
      return null
  }
}
