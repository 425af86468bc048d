import { decodeVerificationLink, failureCodeOf, type FailureCode, formatDecimal, type PfrResult, readBodyTree, readSignedAnswer, retryableOf, type SignedAnswer, statusInDoubt } from "@overa/domain"
import { Result } from "effect"
import { answerText, type JsonRecord, type ProofFile, recordOf, textOf } from "../read/readProof.ts"
import { type Finding, finding } from "./Finding.ts"
import { leafOf } from "./leafOf.ts"

/** A member's name, and its value according to another part of the proof. */
type Stated = readonly [name: string, value: unknown]

/** A decimal as the number that JSON has for it. */
export const jsonNumberOf = (value: PfrResult["totalAmount"] | null): number | null => value === null ? null : Number(formatDecimal(value))

/** The names of the members that have another value in the record. */
export const differingMembers = (told: JsonRecord | null, stated: ReadonlyArray<Stated>): ReadonlyArray<string> =>
  [...new Set(stated.filter(([name, value]) => told?.get(name) !== value).map(([name]) => name))]

/** Every member of `document.pfr`, as the V-PFR's answer has it. */
export const pfrStated = (pfr: PfrResult): ReadonlyArray<Stated> =>
  Object.entries({ ...pfr, totalAmount: jsonNumberOf(pfr.totalAmount), totalTax: jsonNumberOf(pfr.totalTax) })

/** The V-PFR's signed answer in a proof; null where there is none. */
const signedAnswerOf = ({ answer }: ProofFile): SignedAnswer | null =>
  answer === null ? null : Result.getOrNull(readSignedAnswer(answerText(answer)))?.answer ?? null

const byAnswer = (proof: ProofFile): ReadonlyArray<Stated> => {
  if (textOf(proof.document, "status") !== "FISCALIZED") return [["pfr", null], ["receipt", null]]
  const link = Result.getOrNull(decodeVerificationLink(signedAnswerOf(proof)?.pfr.verificationUrl ?? ""))
  return link === null ? [] : [["invoiceType", link.invoiceType], ["transactionType", link.transactionType], ["buyerId", link.buyerId]]
}

type Status = Parameters<typeof failureCodeOf>[0]

const lastStatus = ({ transitions }: ProofFile): Status => textOf(transitions.at(-1) ?? null, "to") as Status

/** The issuer says less than its transitions: that the outcome is unknown, because there may be a receipt that the document does not have. */
const isInDoubt = (proof: ProofFile): boolean =>
  textOf(proof.document, "status") === "OUTCOME_UNKNOWN" && lastStatus(proof) !== "OUTCOME_UNKNOWN" && statusInDoubt(lastStatus(proof)) === "OUTCOME_UNKNOWN"

const byTransitions = (proof: ProofFile): ReadonlyArray<Stated> => {
  const { document, transitions } = proof
  const [first] = transitions
  const status = isInDoubt(proof) ? "OUTCOME_UNKNOWN" : lastStatus(proof)
  const code = textOf(document, "failureCode") as FailureCode | null
  const isDecided = status === "FISCALIZED" || status === "REJECTED"
  return [
    ["status", status],
    ["fiscalized", status === "FISCALIZED"],
    ...(isDecided ? [["failureCode", failureCodeOf(status, code)] as const] : []),
    ["retryable", retryableOf(status, code)],
    ["createdAt", first?.get("at")]
  ]
}

/** The members that the request states. A request for a copy or a closing states fewer of them than that of a sale. */
const byRequest = ({ request }: ProofFile): ReadonlyArray<Stated> => {
  const body = recordOf(Result.getOrNull(readBodyTree(request.received)))
  const asked: ReadonlyArray<readonly [string, string | null]> = [
    ["taxpayerId", textOf(body, "taxpayerId")?.toLowerCase() ?? null],
    ["businessPremiseId", textOf(body, "businessPremiseId")?.toLowerCase() ?? null],
    ["clientReference", textOf(body, "clientReference")],
    ["invoiceType", textOf(body, "invoiceType")],
    ["transactionType", textOf(body, "transactionType")],
    ["cashierId", textOf(recordOf(body?.get("cashier")), "id")],
    ["buyerId", textOf(recordOf(body?.get("buyer")), "id")]
  ]
  return asked.filter(([, value]) => value !== null)
}

const byLog = ({ journal }: ProofFile): ReadonlyArray<Stated> =>
  (journal?.entries ?? []).map((entry): Stated => ["id", textOf(leafOf(entry), "documentId")])

/** Each change of status begins where the one before it ended. */
const isOneChain = (transitions: ReadonlyArray<JsonRecord>): boolean =>
  transitions.every((transition, at) => transition.get("from") === (at === 0 ? null : transitions[at - 1]?.get("to")))

/** Whether each attempt has the `RequestId` of the log, and the attempt that was signed the JID of the answer. */
const attemptsFit = (proof: ProofFile): boolean => {
  const { attempts, journal, transitions } = proof
  const answer = signedAnswerOf(proof)
  const signed = transitions.findLast((transition) => transition.get("to") === "FISCALIZED")
  const leaves = (journal?.entries ?? []).map(leafOf)
  return attempts.every((attempt) => {
    const number = attempt.get("number")
    const isSigned = answer !== null && signed?.get("attempt") === number
    return leaves.every((leaf) => leaf?.get("requestId") === null || leaf?.get("attempt") !== number || leaf?.get("requestId") === attempt.get("requestId"))
      && (!isSigned || attempt.get("jid") === answer.pfr.requestedBy)
  })
}

/**
 * Compares the document with the request, the answer, the transitions and the log, and names the members that none of these states: anybody could
 * have changed those.
 */
export const checkDocument = (proof: ProofFile): ReadonlyArray<Finding> => {
  const { document } = proof
  const stated = [...byAnswer(proof), ...byTransitions(proof), ...byRequest(proof), ...byLog(proof)]
  const wrong = [
    ...differingMembers(document, stated),
    ...(isOneChain(proof.transitions) ? [] : ["transitions"]),
    ...(attemptsFit(proof) ? [] : ["attempts"])
  ]
  const known = new Set(["pfr", ...stated.map(([name]) => name)])
  const only = [...[...document.keys()].filter((name) => !known.has(name)), "attempts", ...(proof.answer === null ? [] : ["leadsToAuthority"])]
  return [
    ...(wrong.length === 0 ? [] : [finding("CONTRADICTED", "documentWrong", wrong.join(", "))]),
    ...(isInDoubt(proof) ? [finding("CLAIMED", "documentInDoubt", lastStatus(proof))] : []),
    finding("CLAIMED", "documentOnly", only.join(", "))
  ]
}
