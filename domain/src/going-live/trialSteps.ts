import type { DocumentStatus, FailureCode } from "../documents/DocumentStatus.ts"
import { green, type InBoth, notTried, red, type RehearsalStep } from "./RehearsalStep.ts"

/** An answer of the V-PFR that took longer is named: sales wait for it. */
const slowMillis = 5_000
/** Clocks further apart are named; far more than this, and nothing is sent (Decisions §4). */
const mostSecondsApart = 30

const lookAtLine: InBoth = ["проверава везу до В-ПФР-а: свака продаја би толико чекала", "looks at the line to the V-PFR: each sale would wait as long"]

const seconds = (millis: number): string => `${(millis / 1_000).toFixed(2)} s`

/** How the V-PFR answered when it was asked for its rates. */
export type VpfrFound =
  | { readonly _tag: "Answered"; readonly millis: number }
  | { readonly _tag: "NoAnswer"; readonly detail: string }
  | { readonly _tag: "NoElement" }

export const vpfrStep = (found: VpfrFound, address: string): RehearsalStep => {
  if (found._tag === "NoElement") return notTried("v-pfr", ["Одговара само елементу који може да се отвори.", "It answers only an element that can be opened."])
  if (found._tag === "NoAnswer") {
    return red(
      "v-pfr", [`${address} не одговара: ${found.detail}.`, `${address} does not answer: ${found.detail}.`], "the operator",
      ["проверава адресу, заштитни зид и обавештења Пореске управе", "looks at the address, the firewall and the tax authority's notices"]
    )
  }
  const answered: InBoth = [`${address} је одговорио после ${seconds(found.millis)}.`, `${address} answered after ${seconds(found.millis)}.`]
  if (found.millis > slowMillis) {
    return red("v-pfr", answered, "the operator", lookAtLine)
  }
  return green("v-pfr", answered)
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
  const set = (found: InBoth) => red("clock", found, "the operator", ["усклађује часовнике домаћина (NTP)", "synchronizes the clocks of the hosts (NTP)"])
  if (secondsTooFarAhead !== null) return set([`Овај домаћин жури ${secondsTooFarAhead} секунди испред В-ПФР-а: ништа не шаље.`, `This host is ${secondsTooFarAhead} seconds ahead of the V-PFR: it sends nothing.`])
  if (trial._tag !== "Signed") return notTried("clock", ["Време В-ПФР-а показује само потписан документ.", "Only a signed document shows the V-PFR's time."])
  const { secondsAhead } = trial
  const apart = Math.abs(secondsAhead)
  if (apart > mostSecondsApart) return set([`Овај домаћин је ${apart} секунди ${secondsAhead > 0 ? "испред" : "иза"} В-ПФР-а.`, `This host is ${apart} seconds ${secondsAhead > 0 ? "ahead of" : "behind"} the V-PFR.`])
  return green("clock", [`Разлика овог домаћина и В-ПФР-а: ${apart} s.`, `This host and the V-PFR are ${apart} s apart.`])
}

export const trainingStep = (trial: Trial): RehearsalStep => {
  if (trial._tag === "Refused") return notTried("training", [`Одбијен је са ${trial.code}: ништа није послато. Узрок каже корак изнад.`, `It was refused with ${trial.code}: nothing was sent. A step above names the cause.`])
  if (trial._tag === "NotSigned") {
    const { codes, documentId, failureCode, status } = trial
    const why = codes.length > 0 ? codes.join(", ") : failureCode ?? "no code"
    const what: InBoth = status === "OUTCOME_UNKNOWN" || status === "RECONCILING"
      ? [`чека радника, који документ тражи, па понавља пробу: unknown show ${documentId}`, `waits for the worker, which searches for it, and rehearses again: unknown show ${documentId}`]
      : [`гледа одговор В-ПФР-а: unknown show ${documentId}`, `looks at the V-PFR's answer: unknown show ${documentId}`]
    return red("training", [`Рачун обуке није потписан: ${status} (${why}).`, `The Training document is ${status} (${why}).`], "the operator", what)
  }
  if (trial.attention.length > 0) {
    const items = trial.attention.join("; ")
    return red(
      "training", [`${trial.invoiceNumber} је потписан, али одговор није какав се очекује: ${items}.`, `${trial.invoiceNumber} is signed, but its answer is not as expected: ${items}.`], "the operator",
      ["пре прве продаје гледа списак за пажњу: attention list", "looks at the attention list before anything is sold: attention list"]
    )
  }
  if (trial.millis > slowMillis) {
    return red("training", [`В-ПФР је потписао ${trial.invoiceNumber} тек после ${seconds(trial.millis)}.`, `${trial.invoiceNumber} was signed only after ${seconds(trial.millis)}.`], "the operator", lookAtLine)
  }
  return green("training", [`В-ПФР је потписао ${trial.invoiceNumber} после ${seconds(trial.millis)}.`, `The V-PFR signed ${trial.invoiceNumber} after ${seconds(trial.millis)}.`])
}

/** The V-PFR alone knows the PAK: it proves right when a document is signed. */
export const pakStep = (trial: Trial): RehearsalStep => {
  if (trial._tag === "Signed") return green("pak", ["В-ПФР га је прихватио.", "The V-PFR accepted it."])
  const isRefused = trial._tag === "NotSigned" && trial.failureCode === "PFR_SECURITY_ELEMENT_UNAVAILABLE"
  return isRefused
    ? red(
      "pak", ["В-ПФР је одбио елемент или његов ПАК.", "The V-PFR refused the element or its PAK."], "the owner",
      ["пореди ПАК са писмом Пореске управе и поново учитава елемент са њим", "compares the PAK with the tax authority's letter, and uploads the element with it again"]
    )
    : notTried("pak", ["Доказује га само потписан документ.", "Only a signed document proves it."])
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
  if (found === null) return notTried("read-back", ["Нема потписаног документа.", "There is no signed document."])
  const operator = (what: InBoth, todo: InBoth) => red("read-back", what, "the operator", todo)
  if (found.search === "NO_ANSWER") {
    return operator(
      ["В-ПФР није одговорио на претрагу: непознат исход би остао непознат.", "The V-PFR answered no search: an unknown outcome would stay unknown."],
      ["понавља пробу, а ако тако остане, пита Пореску управу", "rehearses again, and asks the tax authority if it stays so"]
    )
  }
  if (found.search !== "FOUND") {
    return operator(
      ["В-ПФР не налази оно што је управо потписао.", "The V-PFR does not find what it has just signed."],
      ["пита Пореску управу; дотле се непознат исход решава ручно", "asks the tax authority; until then an unknown outcome is decided by hand"]
    )
  }
  if (found.journalFault !== null) {
    return operator(
      [`Његов журнал не може да се прочита: ${found.journalFault}.`, `Its journal cannot be read: ${found.journalFault}.`],
      ["шаље га онима који одржавају овај софтвер", "sends it to the maintainers of this software"]
    )
  }
  if (found.leadsToAuthority === false) {
    return operator(
      ["Његова веза не води на подешену адресу за проверу.", "Its link does not lead to the configured verification address."],
      ["пореди подешену адресу за проверу са везом", "compares the setting of the verification address with the link"]
    )
  }
  if (found.signatureValid === false) {
    return operator(
      ["Његов потпис не проверава ниједан забележен кључ.", "Its signature verifies under no recorded signer."],
      ["бележи кључ потписника (reference add-signer), или пита Пореску управу чији је", "records the signer's key (reference add-signer), or asks the tax authority whose it is"]
    )
  }
  if (found.signatureValid === null) {
    return operator(
      ["Његов потпис није проверен: ниједан кључ није забележен.", "Its signature was not checked: no signer is recorded."],
      ["бележи кључеве Пореске управе: reference add-signer", "records the tax authority's signers: reference add-signer"]
    )
  }
  return green("read-back", ["Нађен је по свом RequestId; журнал, веза и потпис се слажу.", "Found by its RequestId; journal, link and signature agree."])
}
