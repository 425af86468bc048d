import type { IncomingMessage } from "node:http"
import { type Answer, htmlAnswer, jsonAnswer, serverPage } from "../server/Answer.ts"
import { readBody } from "../server/readBody.ts"
import type { SimulatedEnvironment, Simulation } from "../Simulation.ts"
import { answerSpecification } from "./specification.ts"
import { verificationJson } from "./verificationJson.ts"
import { verificationPage } from "./verificationPage.ts"
import { verifyLink } from "./verifyLink.ts"

/** `vl` decoded by hand: form decoding would turn a bare `+` of base64 into a blank. */
const linkValue = (url: string): string | null => {
  const found = /[?&]vl=([^&#]*)/.exec(url)
  if (found === null) return null
  try {
    return decodeURIComponent(found[1] ?? "")
  } catch {
    return ""
  }
}

/** One of the public calls: the check of a link, or the items of its receipt. */
export const answerPublic = async (
  simulation: Simulation,
  environment: SimulatedEnvironment,
  request: IncomingMessage,
  endpoint: "verification" | "specifications"
): Promise<Answer> => {
  if (endpoint === "verification") return answerVerification(simulation, environment, request)
  const form = await readBody(request)
  return answerSpecification(simulation, environment, form?.toString("utf8") ?? "")
}

/** `GET /v/?vl=`: JSON for clients that accept JSON, a page for people (V-PFR §7.2). No certificate is requested. */
const answerVerification = async (
  simulation: Simulation,
  environment: SimulatedEnvironment,
  request: IncomingMessage
): Promise<Answer> => {
  const vl = linkValue(request.url ?? "")
  if (vl === null) return serverPage(404, "404 - File or directory not found.")
  const verification = await verifyLink(simulation, environment, vl)
  return /application\/json/i.test(request.headers.accept ?? "")
    ? jsonAnswer(200, verificationJson(verification))
    : htmlAnswer(200, verificationPage(environment, verification))
}
