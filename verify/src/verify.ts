import { textReport } from "./check/checkFiles.ts"
import { type FileKind, finding, type Finding, type Report } from "./check/Finding.ts"
import type { Knowledge } from "./check/Knowledge.ts"
import { type Outcome, outcomeOf } from "./check/outcome.ts"
import { readLogKeys, readSignerKey } from "./read/readKey.ts"

/** What you know besides the text. With less of it less is proven, and nothing else changes. */
export interface VerifyOptions {
  /** Public keys or certificates of the tax authority's signers, in PEM, by a name of your choice; a finding names the one that fits. */
  readonly signers?: Readonly<Record<string, string>>
  /** Verifier keys of journal logs, as `/.well-known/overa-journal-key` answers them. */
  readonly logKeys?: ReadonlyArray<string>
  /** The seller's TIN as signed: nine digits, and in the sandbox `RS` before them. No link contains it. */
  readonly tin?: string
}

/** What a text proves, for a program: the outcome, and the findings that it follows from. */
export interface Verification {
  readonly outcome: Outcome
  readonly findings: ReadonlyArray<Finding>
}

const signerOf = ([name, text]: readonly [string, string]) => {
  const key = readSignerKey(name, text)
  if (key === null) throw new TypeError(`signers.${name} is no RSA-2048 public key or certificate in PEM.`)
  return key
}

const logKeysOf = (text: string, at: number) => {
  const keys = readLogKeys(text)
  if (keys.length === 0) throw new TypeError(`logKeys[${at}] is no verifier key of a log, as /.well-known/overa-journal-key answers it.`)
  return keys
}

/** A key that cannot be read is a mistake of the caller's: left out, it would turn every proof into a claim. */
const knowledgeOf = ({ logKeys = [], signers = {}, tin }: VerifyOptions): Knowledge =>
  ({ signers: Object.entries(signers).map(signerOf), logKeys: logKeys.flatMap(logKeysOf), tin: tin ?? null })

/** A text that is of another kind proves nothing of what was asked. */
const verified = (kind: FileKind, text: string, options: VerifyOptions): Verification => {
  const report: Report = textReport(kind, text, knowledgeOf(options))
  const asked = report.kind === kind ? report : { kind: "UNKNOWN", findings: [finding("CLAIMED", "unreadable", `no ${kind}`)] } as const
  return { outcome: outcomeOf(asked), findings: asked.findings }
}

/**
 * Checks a receipt by its verification link: the text of its QR code, or any text that contains the link. Nothing is asked of the network.
 *
 * @throws TypeError for a key that cannot be read.
 */
export const verifyReceipt = (link: string, options: VerifyOptions = {}): Verification => verified("LINK", link, options)

/**
 * Checks a proof, as `GET /v1/fiscal-documents/{id}/proof` answers it, from the request to its place in the journal's log.
 *
 * @param proof Its text, or the value that its JSON was parsed to.
 * @throws TypeError for a key that cannot be read.
 * @throws NumbersNotExact where the runtime is too old to read amounts exactly; its message says which to use.
 */
export const verifyProof = (proof: string | object, options: VerifyOptions = {}): Verification =>
  verified("PROOF", typeof proof === "string" ? proof : JSON.stringify(proof), options)

/**
 * Checks each receipt of a journal's export (CSV) against its own link. Only a log can show that no receipt is missing.
 *
 * @throws TypeError for a key that cannot be read.
 */
export const verifyExport = (csv: string, options: VerifyOptions = {}): Verification => verified("EXPORT", csv, options)
