import type { DocumentStatus, FailureCode } from "../documents/DocumentStatus.ts"
import { green, notTried, notUsed, red, type RehearsalStep } from "./RehearsalStep.ts"

/** An answer of the V-PFR that took longer is named: sales wait for it. */
const slowMillis = 5_000
/** Clocks further apart are named; far more than this, and nothing is sent (Decisions §4). */
const mostSecondsApart = 30

const seconds = (millis: number): string => `${(millis / 1_000).toFixed(2)} s`

/** How the V-PFR answered when it was asked for its rates. */
export type VpfrFound =
  | { readonly _tag: "Answered"; readonly millis: number }
  | { readonly _tag: "NoAnswer"; readonly detail: string }
  | { readonly _tag: "NoElement" }

export const vpfrStep = (found: VpfrFound, address: string): RehearsalStep => {
  if (found._tag === "NoElement") return notTried("v-pfr", "It answers only an element that can be opened.")
  if (found._tag === "NoAnswer") {
    return red("v-pfr", `${address} does not answer: ${found.detail}.`, "the operator", "looks at the address, the firewall and the tax authority's notices")
  }
  if (found.millis > slowMillis) {
    return red("v-pfr", `${address} answered after ${seconds(found.millis)}.`, "the operator", "looks at the line to it: each sale would wait as long")
  }
  return green("v-pfr", `${address} answered after ${seconds(found.millis)}.`)
}

/** What became of the Training document. */
export type Trial =
  | {
    readonly _tag: "Signed"
    readonly invoiceNumber: string
    readonly millis: number
    /** By how much our clock was ahead of the V-PFR's signing time; negative: behind. */
    readonly secondsAhead: number
    /** What the check of the answer put on the attention list. */
    readonly attention: ReadonlyArray<string>
  }
  /** A check before the first commit refused it; nothing was stored or sent. */
  | { readonly _tag: "Refused"; readonly code: string }
  | {
    readonly _tag: "NotSigned"
    readonly documentId: string
    readonly status: DocumentStatus
    readonly failureCode: FailureCode | null
    readonly codes: ReadonlyArray<string>
  }

/** @param secondsTooFarAhead set where the V-PFR's status showed that this host's clock is too far ahead to send anything */
export const clockStep = (trial: Trial, secondsTooFarAhead: number | null): RehearsalStep => {
  const set = (found: string) => red("clock", found, "the operator", "synchronizes the clocks of the hosts (NTP)")
  if (secondsTooFarAhead !== null) return set(`This host is ${secondsTooFarAhead} seconds ahead of the V-PFR: it sends nothing.`)
  if (trial._tag !== "Signed") return notTried("clock", "Only a signed document shows the V-PFR's time.")
  const { secondsAhead } = trial
  const apart = Math.abs(secondsAhead)
  if (apart > mostSecondsApart) return set(`This host is ${apart} seconds ${secondsAhead > 0 ? "ahead of" : "behind"} the V-PFR.`)
  return green("clock", `This host and the V-PFR are ${apart} s apart.`)
}

export const trainingStep = (trial: Trial): RehearsalStep => {
  if (trial._tag === "Refused") return notTried("training", `It was refused with ${trial.code}: nothing was sent. A step above names the cause.`)
  if (trial._tag === "NotSigned") {
    const { codes, documentId, failureCode, status } = trial
    const why = codes.length > 0 ? codes.join(", ") : failureCode ?? "no code"
    const what = status === "OUTCOME_UNKNOWN" || status === "RECONCILING"
      ? `waits for the worker, which searches for it, and rehearses again: unknown show ${documentId}`
      : `looks at the V-PFR's answer: unknown show ${documentId}`
    return red("training", `The Training document is ${status} (${why}).`, "the operator", what)
  }
  if (trial.attention.length > 0) {
    return red("training", `${trial.invoiceNumber} is signed, but its answer is not as expected: ${trial.attention.join("; ")}.`, "the operator", "looks at the attention list before anything is sold: attention list")
  }
  return green("training", `The V-PFR signed ${trial.invoiceNumber} after ${seconds(trial.millis)}.`)
}

/** The V-PFR alone knows the PAK: it proves right when a document is signed. */
export const pakStep = (trial: Trial): RehearsalStep => {
  if (trial._tag === "Signed") return green("pak", "The V-PFR accepted it.")
  const isRefused = trial._tag === "NotSigned" && trial.failureCode === "PFR_SECURITY_ELEMENT_UNAVAILABLE"
  return isRefused
    ? red("pak", "The V-PFR refused the element or its PAK.", "the owner", "compares the PAK with the tax authority's letter, and uploads the element with it again")
    : notTried("pak", "Only a signed document proves it.")
}

/** What reading the signed Training document back showed. */
export interface ReadBack {
  readonly search: "FOUND" | "NOTHING_FOUND" | "OTHER" | "NO_ANSWER"
  /** Null: no signer's key is recorded. */
  readonly signatureValid: boolean | null
  /** Null: the verification address is not configured. */
  readonly leadsToAuthority: boolean | null
  /** Why its journal cannot be read; null: it was read. */
  readonly journalFault: string | null
}

export const readBackStep = (found: ReadBack | null): RehearsalStep => {
  if (found === null) return notTried("read-back", "There is no signed document.")
  const operator = (what: string, todo: string) => red("read-back", what, "the operator", todo)
  if (found.search === "NO_ANSWER") return operator("The V-PFR answered no search: an unknown outcome would stay unknown.", "rehearses again, and asks the tax authority if it stays so")
  if (found.search !== "FOUND") return operator("The V-PFR does not find what it has just signed.", "asks the tax authority; until then an unknown outcome is decided by hand")
  if (found.journalFault !== null) return operator(`Its journal cannot be read: ${found.journalFault}.`, "sends it to the maintainers of this software")
  if (found.leadsToAuthority === false) return operator("Its link does not lead to the configured verification address.", "compares the setting of the verification address with the link")
  if (found.signatureValid === false) return operator("Its signature verifies under no recorded signer.", "records the signer's key (reference add-signer), or asks the tax authority whose it is")
  if (found.signatureValid === null) return operator("Its signature was not checked: no signer is recorded.", "records the tax authority's signers: reference add-signer")
  return green("read-back", "Found by its RequestId; journal, link and signature agree.")
}

/** One paper, as drawn. */
export interface DrawnPaper {
  readonly paper: string
  readonly hasLogo: boolean
  /** Characters of header, note or footer for which the font has no sign. */
  readonly missing: ReadonlyArray<string>
}

/** @param branding null: the shop has none; `logo` whether it has one */
export const paperStep = (drawn: ReadonlyArray<DrawnPaper> | null, branding: { readonly logo: boolean } | null): RehearsalStep => {
  if (drawn === null) return notTried("paper", "There is no signed document to draw.")
  const lost = drawn.find(({ missing }) => missing.length > 0)
  if (lost !== undefined) {
    return red("paper", `On ${lost.paper} the font has no ${lost.missing.join(" ")}.`, "the owner", "writes header and note without these characters")
  }
  const bare = branding?.logo === true ? drawn.find(({ hasLogo }) => !hasLogo) : undefined
  if (bare !== undefined) return red("paper", `The logo is not on ${bare.paper}.`, "the owner", "uploads the logo again, as PNG or JPEG")
  const papers = drawn.map(({ paper }) => paper).join(", ")
  return branding === null
    ? green("paper", `Drawn on ${papers}, without header and note: the shop has set none.`)
    : green("paper", `Header${branding.logo ? ", logo" : ""} and footer are drawn on ${papers}.`)
}

export interface MailFound {
  /** The shop has switched deliveries on. */
  readonly enabled: boolean
  readonly licensed: boolean
  /** Null: no server is configured. */
  readonly server: { readonly fault: string | null } | null
  /** Failures in a row, as the workers counted them. */
  readonly failures: number
}

export const mailStep = (found: MailFound): RehearsalStep => {
  if (!found.enabled) return notUsed("mail", "The shop sends no receipts by e-mail.")
  if (!found.licensed) return red("mail", "The licence has no module email.", "the operator", "adds it: licences grant <organization> --module email")
  if (found.server === null) return red("mail", "No mail server is configured.", "the operator", "sets OVERA_SMTP_URL and OVERA_MAIL_SENDER on workers and hosts")
  if (found.server.fault !== null) return red("mail", `The mail server does not work: ${found.server.fault}.`, "the operator", "corrects OVERA_SMTP_URL, or looks at the server")
  if (found.failures > 0) return red("mail", `The workers failed ${found.failures} times in a row to hand a message over.`, "the operator", "reads docs/operations/mail-is-stuck.md")
  return green("mail", "The mail server answers and accepts the sign-in.")
}
