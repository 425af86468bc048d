import type { IncomingMessage } from "node:http"
import type { Element } from "../certificates/Element.ts"
import type { Fate } from "../faults/FaultBoard.ts"
import { type Answer, jsonAnswer, messageAnswer, serverPage } from "../server/Answer.ts"
import type { NotFoundForm, SimulatedEnvironment, Simulation } from "../Simulation.ts"
import { checkPac, checkRequestId } from "./checkHeaders.ts"

const notFound: Record<NotFoundForm, Answer> = {
  "200-null": jsonAnswer(200, "null"),
  "200-empty": { status: 200, contentType: null, body: "" },
  "204": { status: 204, contentType: null, body: "" },
  "404": messageAnswer(404, "No invoice was found for this request.")
}

export interface Search {
  readonly environment: SimulatedEnvironment
  readonly element: Element
  readonly headers: IncomingMessage
  readonly requestId: string
  readonly fate: Fate
}

/** The recovery call: the last receipt that this element got for the RequestId (V-PFR §1.6). */
export const getInvoice = async (simulation: Simulation, search: Search): Promise<Answer> => {
  const refused = checkPac(search.headers, search.element, simulation.settings) ?? checkRequestId(search.requestId)
  if (refused !== null) return refused
  const fault = search.fate.fault?.fault
  if (fault === "search-unavailable") return serverPage(503, "503 - Service Unavailable: The search is not available.")
  const found = fault === "search-not-found" ? null : await search.environment.receipts.answerFor(search.element.jid, search.requestId)
  return found === null ? notFound[simulation.settings.notFoundForm] : jsonAnswer(200, found)
}
