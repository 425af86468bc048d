import { NumbersNotExact } from "@overa/domain"
import { Result } from "effect"
import { linksOfPdf } from "../read/linksOfPdf.ts"
import { readLogKeys, readSignerKey } from "../read/readKey.ts"
import { readProof } from "../read/readProof.ts"
import { checkCheckpoint, checkpointComparison, isCheckpoint } from "./checkCheckpoint.ts"
import { checkExport, readExport } from "./checkExport.ts"
import { checkLink, linkIn } from "./checkLink.ts"
import { LeavingCheck, leavingHead } from "./checkLeaving.ts"
import { checkProof } from "./checkProof.ts"
import { type FileKind, type Finding, finding, type Report } from "./Finding.ts"
import type { FileSource, GivenFile, ReadQrCode } from "./GivenFile.ts"
import type { Knowledge } from "./Knowledge.ts"

/** Keys and certificates are smaller. */
const largestKeyFile = 20_000

/** No file that this program reads is larger. */
export const largestFile = 25_000_000

const report = (name: string, kind: FileKind, findings: ReadonlyArray<Finding>, checkpoint: string | null = null): Report => ({ name, kind, findings, checkpoint })

const linkReport = (name: string, kind: FileKind, link: string | null, knowledge: Knowledge): Report => {
  if (link === null) return report(name, kind, [finding("CLAIMED", kind === "PICTURE" ? "noQrCode" : "noLink")])
  const checked = checkLink(link, knowledge)
  return report(name, kind, Result.isSuccess(checked) ? checked.success : [finding("CONTRADICTED", "unreadable", checked.failure.reason)])
}

const startsWith = (bytes: Uint8Array, ...beginning: ReadonlyArray<number>): boolean => beginning.every((byte, at) => bytes[at] === byte)

/** PNG, JPEG, GIF, BMP, RIFF (WebP). */
const isPicture = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 0x89, 0x50, 0x4e, 0x47) || startsWith(bytes, 0xff, 0xd8, 0xff) || startsWith(bytes, 0x47, 0x49, 0x46, 0x38) ||
  startsWith(bytes, 0x42, 0x4d) || startsWith(bytes, 0x52, 0x49, 0x46, 0x46)

const isPdf = (bytes: Uint8Array): boolean => startsWith(bytes, 0x25, 0x50, 0x44, 0x46)
const isSvg = (text: string): boolean => /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)?<svg[\s>]/.test(text.slice(0, 4_000))

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null // JSON.parse has no other way to say "no JSON"
  }
}

const reportOfText = (name: string, text: string, knowledge: Knowledge): Report => {
  if (readSignerKey(name, text) !== null || (text.length < largestKeyFile && readLogKeys(text).length > 0)) return report(name, "KEY", [finding("CLAIMED", "keyRead")])
  if (isCheckpoint(text)) return report(name, "CHECKPOINT", checkCheckpoint(text, knowledge), text)
  const proof = readProof(/^\s*\{/.test(text) ? jsonOf(text) : null)
  if (proof !== null) return report(name, "PROOF", checkProof(proof, knowledge), proof.journal?.checkpoint ?? null)
  const rows = readExport(text)
  if (rows !== null) return report(name, "EXPORT", checkExport(rows, knowledge))
  const link = linkIn(text)
  return link === null ? report(name, "UNKNOWN", [finding("CLAIMED", "noLink")]) : linkReport(name, "LINK", link, knowledge)
}

const tooLarge = (name: string): Report => report(name, "UNKNOWN", [finding("CLAIMED", "tooLarge", Math.round(largestFile / 1_000_000))])

const damaged = (name: string, error: unknown): Report =>
  report(name, "UNKNOWN", [finding("CLAIMED", "unreadable", error instanceof Error ? error.message.slice(0, 200) : "?")])

/**
 * What a text proves. Whatever it contains, it is reported and not thrown.
 *
 * @throws NumbersNotExact in an engine too old to read amounts exactly: that says nothing about the text.
 */
export const textReport = (name: string, text: string, knowledge: Knowledge): Report => {
  if (text.length > largestFile) return tooLarge(name)
  try {
    return reportOfText(name, text, knowledge)
  } catch (error) {
    if (error instanceof NumbersNotExact) throw error
    return damaged(name, error)
  }
}

const fileReport = async ({ bytes, name }: GivenFile, knowledge: Knowledge, readQrCode: ReadQrCode): Promise<Report> => {
  if (bytes.length > largestFile) return tooLarge(name)
  if (isPdf(bytes)) return linkReport(name, "PDF", (await linksOfPdf(bytes)).map(linkIn).find((link) => link !== null) ?? null, knowledge)
  const text = isPicture(bytes) ? null : new TextDecoder().decode(bytes)
  if (text !== null && !isSvg(text)) return textReport(name, text, knowledge)
  const read = await readQrCode(bytes)
  return linkReport(name, "PICTURE", read === null ? null : linkIn(read), knowledge)
}

/** A dropped file may be damaged in any way; whatever happens while it is read, the other files are still reported. */
const safely = (file: GivenFile, knowledge: Knowledge, readQrCode: ReadQrCode): Promise<Report> =>
  fileReport(file, knowledge, readQrCode).catch((error: unknown) => damaged(file.name, error))

/** An archive breaks off, or is damaged: what comes after the place cannot be read. */
export class ArchiveBroken extends Error {
  readonly path: string

  constructor(path: string, reason: string) {
    super(reason)
    this.path = path
  }
}

/** The keys that a file is, by its name and text. */
const keysIn = ({ bytes, name }: GivenFile): Pick<Knowledge, "signers" | "logKeys"> => {
  if (bytes.length >= largestKeyFile) return { signers: [], logKeys: [] }
  const text = new TextDecoder().decode(bytes)
  const signer = readSignerKey(name.replace(/^.*\//, "").replace(/\.[a-z]+$/i, ""), text)
  return { signers: signer === null ? [] : [signer], logKeys: readLogKeys(text) }
}

/** Keys among the files, added to the known ones: a reader drops them beside the receipts. And the first files of what organizations have taken along. */
const firstReading = async (files: FileSource, knowledge: Knowledge) => {
  const [signers, logKeys, leavings] = [[...knowledge.signers], [...knowledge.logKeys], [] as Array<LeavingCheck>]
  try {
    for await (const file of files()) {
      const keys = keysIn(file)
      signers.push(...keys.signers)
      logKeys.push(...keys.logKeys)
      const head = leavingHead(file)
      if (head !== null) leavings.push(new LeavingCheck(head))
    }
  } catch (error) {
    // The second reading breaks at the same place, and says so.
    if (!(error instanceof ArchiveBroken)) throw error
  }
  return { known: { ...knowledge, signers, logKeys }, leavings }
}

/**
 * What the files prove, what they only claim, and where they contradict each other, report by report. The files are read twice, one after the other, so that
 * the memory does not grow with them; nothing after a broken archive is read. The network is not used.
 */
export const checkEach = async function*(files: FileSource, knowledge: Knowledge, readQrCode: ReadQrCode): AsyncGenerator<Report> {
  const { known, leavings } = await firstReading(files, knowledge)
  const compare = checkpointComparison()
  const between: Array<Finding> = []
  try {
    for await (const file of files()) {
      for (const leaving of leavings) await leaving.see(file)
      const found = await safely(file, known, readQrCode)
      between.push(...compare(found))
      yield found
    }
  } catch (error) {
    if (!(error instanceof ArchiveBroken)) throw error
    yield report(error.path, "LEAVING", [finding("CONTRADICTED", "archiveBroken", error.message)])
  }
  for (const leaving of leavings) yield leaving.report()
  if (between.length > 0) yield report("⇄", "CHECKPOINT", between)
}

/** The reports about files that are all at hand. */
export const checkFiles = async (files: ReadonlyArray<GivenFile>, knowledge: Knowledge, readQrCode: ReadQrCode): Promise<ReadonlyArray<Report>> => {
  const again = async function*(): AsyncGenerator<GivenFile> {
    yield* files
  }
  const reports: Array<Report> = []
  for await (const one of checkEach(again, knowledge, readQrCode)) reports.push(one)
  return reports
}
