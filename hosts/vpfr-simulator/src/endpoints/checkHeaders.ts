import type { IncomingMessage } from "node:http"
import { timingSafeEqual } from "node:crypto"
import type { Element } from "../certificates/Element.ts"
import { type BodyForm, bodyFormOf } from "../protocol/requestBody.ts"
import { modelErrorsBody, rejectionCode } from "../protocol/ModelState.ts"
import { type Language, supportedLanguages } from "../receipts/journalWords.ts"
import { type Answer, jsonAnswer, messageAnswer } from "../server/Answer.ts"
import type { Settings } from "../Simulation.ts"

const headerOf = (request: IncomingMessage, name: string): string | null => {
  const value = request.headers[name]
  return typeof value === "string" && value !== "" ? value : null
}

/** Null when the PAC is right, else the refusal; its body names the PAC, which is all that clients look for (V-PFR §1.7). */
export const checkPac = (request: IncomingMessage, element: Element, settings: Settings): Answer | null => {
  const given = headerOf(request, "pac")
  if (given === null) return messageAnswer(settings.pacRefusalStatus, "The PAC header is missing.")
  const [a, b] = [Buffer.from(given), Buffer.from(element.pac)]
  return a.length === b.length && timingSafeEqual(a, b)
    ? null
    : messageAnswer(settings.pacRefusalStatus, "The PAC does not belong to this certificate.")
}

/** The first supported one of the requested languages, the default when none is requested, null when none is supported. */
export const negotiateLanguage = (header: string | null): Language | null => {
  if (header === null) return supportedLanguages[0]
  const asked = header.split(/[;,]/).map((part) => part.trim().toLowerCase()).filter((part) => part !== "" && !part.startsWith("q="))
  if (asked.length === 0) return supportedLanguages[0]
  for (const tag of asked) {
    const found = tag === "*" ? supportedLanguages[0] : supportedLanguages.find((language) => language.toLowerCase() === tag)
    if (found !== undefined) return found
  }
  return null
}

export const languageOf = (request: IncomingMessage): Language | null => negotiateLanguage(headerOf(request, "accept-language"))

export const notAcceptable: Answer = messageAnswer(406, "None of the requested languages is supported.")

export const requestIdOf = (request: IncomingMessage): string | null => headerOf(request, "requestid")

/** At most 32 characters (V-PFR §1.4). */
export const checkRequestId = (requestId: string | null): Answer | null =>
  requestId === null || requestId.length <= 32
    ? null
    : jsonAnswer(400, modelErrorsBody([{ property: "requestId", errors: [rejectionCode.tooLong] }]))

/** How the body is written; null where it is neither JSON nor a form (V-PFR §1.1). */
export const bodyFormIn = (request: IncomingMessage): BodyForm | null => bodyFormOf(headerOf(request, "content-type"))

export const unsupportedMediaType: Answer = messageAnswer(415, "The request entity's media type is not supported for this resource.")
