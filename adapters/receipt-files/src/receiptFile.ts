import { type ElsewhereFile, type GatheredPiece, gatherText, readElsewhereJournal, receiptGatherer } from "@overa/domain"
import { Result, Stream } from "effect"
import { readPdf } from "./readPdf.ts"
import { readQrCodes } from "./readQrCodes.ts"

/** A file's beginning and its bytes, read anew whenever they are asked for. */
export interface OpenFile {
  readonly name: string
  readonly chunks: () => AsyncIterable<Uint8Array>
  readonly beginning: Uint8Array
}

const startsWith = (bytes: Uint8Array, ...beginning: ReadonlyArray<number>): boolean => beginning.every((byte, at) => bytes[at] === byte)
const isPdf = (bytes: Uint8Array): boolean => startsWith(bytes, 0x25, 0x50, 0x44, 0x46)
/** PNG, JPEG, GIF, BMP, RIFF (WebP). */
const isPicture = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 0x89, 0x50, 0x4e, 0x47) || startsWith(bytes, 0xff, 0xd8, 0xff) || startsWith(bytes, 0x47, 0x49, 0x46, 0x38) ||
  startsWith(bytes, 0x42, 0x4d) || startsWith(bytes, 0x52, 0x49, 0x46, 0x46)
const isUtf16 = (bytes: Uint8Array): boolean => startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff)

/** No PDF and no picture of a receipt is larger. */
const largestDrawn = 25_000_000
/** A line of JSON holds one receipt, of some thousand items at most. */
const longestLine = 4_000_000

const lists = /\.(?:csv|tsv|jsonl|ndjson|links|urls?)$/i

const wholeOf = async (file: OpenFile): Promise<Uint8Array> => {
  const parts: Array<Uint8Array> = []
  let size = 0
  for await (const part of file.chunks()) {
    size += part.length
    if (size > largestDrawn) throw new Error(`it is larger than ${largestDrawn / 1_000_000} MB`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const nothing: ReadonlyArray<GatheredPiece> = [{ _tag: "Nothing", line: 0 }]

const gathered = (text: string): ReadonlyArray<GatheredPiece> => gatherText(text).map((piece) => ({ ...piece, line: 0 }))

/** A PDF's text loses the blanks that a receipt is laid out with: it is taken where it can be read whole, and the link stands for it where not. */
const ofPdf = async (file: OpenFile): Promise<ReadonlyArray<GatheredPiece>> => {
  const { codes, text } = await readPdf(await wholeOf(file))
  const pieces = [...codes.flatMap(gathered), ...gathered(text)]
  const links = new Map(pieces.flatMap((piece) => piece._tag === "Link" ? [[piece.text, piece] as const] : []))
  const journals = pieces.filter((piece) => piece._tag === "Journal" && Result.isSuccess(readElsewhereJournal(piece.text)))
  const found = [...links.values(), ...journals]
  return found.length === 0 ? nothing : found
}

const ofPicture = async (file: OpenFile): Promise<ReadonlyArray<GatheredPiece>> => {
  const found = (await readQrCodes(await wholeOf(file))).flatMap(gathered)
  return found.length === 0 ? nothing : found
}

/** The pieces of a text, read chunk by chunk: only the receipt that is being read is in memory. */
async function* ofText(file: OpenFile): AsyncGenerator<GatheredPiece> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const gatherer = receiptGatherer({ everyLine: lists.test(file.name) })
  let rest = ""
  let found = false
  const taken = function*(pieces: ReadonlyArray<GatheredPiece>) {
    found ||= pieces.length > 0
    yield* pieces
  }
  for await (const chunk of file.chunks()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    if (rest.length > longestLine) throw new Error("a line of it has no end")
    for (const line of lines) yield* taken(gatherer.take(line.replace(/\r$/, "")))
  }
  yield* taken(gatherer.take(rest + decoder.decode()))
  yield* taken(gatherer.end())
  if (!found) yield* nothing
}

async function* piecesOf(file: OpenFile): AsyncGenerator<GatheredPiece> {
  if (isUtf16(file.beginning)) throw new Error("it is a text in UTF-16; save it as UTF-8")
  if (isPdf(file.beginning)) yield* await ofPdf(file)
  else if (isPicture(file.beginning)) yield* await ofPicture(file)
  else yield* ofText(file)
}

const reasonOf = (cause: unknown): string => cause instanceof TypeError ? "it is no text in UTF-8, no PDF and no picture" : cause instanceof Error ? cause.message.slice(0, 200) : "?"

/**
 * A file as an import takes it: a text in UTF-8, CSV, JSON lines, a PDF or a picture. A damaged one becomes a fault that names it, and the others are still
 * read. It may be read more than once.
 */
export const receiptFile = (file: OpenFile): ElsewhereFile => ({
  name: file.name,
  pieces: Stream.fromAsyncIterable({ [Symbol.asyncIterator]: () => piecesOf(file) }, reasonOf).pipe(
    Stream.catch((reason) => Stream.succeed<GatheredPiece>({ _tag: "Unreadable", line: 0, reason }))
  )
})
