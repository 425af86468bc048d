import { type AnswerFacts, type ExpectedAnswer, outcomeOfAnswer, type SearchOutcome, searchOutcomeOfAnswer, type SubmissionOutcome, submissionOutcome } from "@overa/domain"
import { isUtf8 } from "node:buffer"
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib"
import { type Exchanged, largestAnswerTo } from "./Exchange.ts"
import { readRefusal } from "./readRefusal.ts"

type Answer = { readonly headers: Readonly<Record<string, unknown>>; readonly body: Buffer; readonly largest?: number }

type Unpack = (body: Buffer, maxOutputLength: number) => Buffer

const plain: Unpack = (body) => body
const gunzip: Unpack = (body, maxOutputLength) => gunzipSync(body, { maxOutputLength })

/** The first byte of the zlib format (RFC 1950): deflate, with a window of at most 32 kB. Without it, the stream is bare, as some servers send it. */
const isZlib = (body: Buffer): boolean => (body.length >= 2 && (body.readUInt8(0) & 0x8f) === 8 && body.readUInt16BE(0) % 31 === 0)

/** No compression is requested; a proxy in between may compress nevertheless. */
const unpack = new Map<string, Unpack>([
  ["", plain],
  ["identity", plain],
  ["gzip", gunzip],
  // The same by its old name (RFC 9110 §8.4.1.3).
  ["x-gzip", gunzip],
  ["deflate", (body, maxOutputLength) => (isZlib(body) ? inflateSync : inflateRawSync)(body, { maxOutputLength })],
  ["br", (body, maxOutputLength) => brotliDecompressSync(body, { maxOutputLength })]
])

const charsetOfMark = (body: Buffer): string | null => {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le"
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be"
  return null
}

const charsetOfHeader = ({ headers }: Answer): string => /charset\s*=\s*"?([\w-]+)/i.exec(String(headers["content-type"] ?? ""))?.[1] ?? "utf-8"

/** Text in another charset is hardly ever valid UTF-8, unless it is ASCII or has the zero bytes of UTF-16. */
const isTextInUtf8 = (body: Buffer): boolean => isUtf8(body) && !body.includes(0)

/**
 * The answer's text; null when its bytes are not valid text. What is valid UTF-8 is UTF-8 (V-PFR §1.4), whatever charset a header claims; otherwise a byte-order
 * mark decides, then the header.
 */
export const answerText = (answer: Answer): string | null => {
  try {
    const encoding = String(answer.headers["content-encoding"] ?? "").trim().toLowerCase()
    const body = unpack.get(encoding)?.(answer.body, answer.largest ?? largestAnswerTo({ body: null }))
    if (body === undefined) return null
    if (isTextInUtf8(body)) return body.toString("utf8")
    return new TextDecoder(charsetOfMark(body) ?? charsetOfHeader(answer), { fatal: true }).decode(body)
  } catch {
    return null // zlib and TextDecoder report damage by throwing
  }
}

type Answered = Extract<Exchanged, { readonly _tag: "Answered" }>

const unknown = (detail: string): SubmissionOutcome => submissionOutcome("unclearAnswer", detail)
const elementRefused = (detail: string): SubmissionOutcome => submissionOutcome("elementRefused", detail)

/** Status codes that prove that the request was refused before anything could be signed (Decisions §4; V-PFR §1.7). */
export const refusingStatus: ReadonlySet<number> = new Set([401, 403, 406])

const outcomeOfBadRequest = (text: string): SubmissionOutcome => {
  const refusal = readRefusal(text)
  if (refusal === null) return unknown("status 400 without codes that prove a rejection")
  return refusal._tag === "ElementRefused"
    ? elementRefused(refusal.detail)
    : { _tag: "Rejected", rejection: refusal.rejection, text }
}

/**
 * What an answer to a submission proves. Signed, rejected and refused require the whole answer; everything else leaves the outcome unknown, whatever
 * it says. Source: Decisions §4, "What a failure means".
 */
export const outcomeOfSubmission = (expected: ExpectedAnswer, answer: Answered, facts: AnswerFacts): SubmissionOutcome => {
  if (answer.whole && refusingStatus.has(answer.status)) return elementRefused(`the V-PFR answered status ${answer.status}`)
  const text = answerText(answer)
  if (text === null) return unknown(`an answer with status ${answer.status} that is no readable text`)
  // A signed answer proves by itself that it is complete; any other answer needs a known length.
  if (answer.status >= 200 && answer.status < 300) return outcomeOfAnswer(expected, text, facts)
  if (!answer.whole) return unknown(`an answer with status ${answer.status} of unknown length`)
  return answer.status === 400 ? outcomeOfBadRequest(text) : unknown(`the V-PFR answered status ${answer.status}`)
}

/** What an answer to a search by RequestId shows. 204 and 404 find nothing, like 200 with `null` (V-PFR §1.6). */
export const outcomeOfSearch = (expected: ExpectedAnswer, answer: Answered, facts: AnswerFacts): SearchOutcome => {
  if (answer.status === 204 || (answer.status === 404 && answer.whole)) return { _tag: "NothingFound" }
  const text = answerText(answer)
  if (text === null) return { _tag: "NoAnswer", detail: `an answer with status ${answer.status} that is no readable text` }
  if (answer.status === 200 && (answer.whole || text.trim() !== "")) return searchOutcomeOfAnswer(expected, text, facts)
  return { _tag: "NoAnswer", detail: `the V-PFR answered the search with status ${answer.status}` }
}
