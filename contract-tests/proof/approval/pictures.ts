import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PNG } from "pngjs"
import { blackAndWhite, greyOfPng } from "../../src/support/decodeQr.ts"
import { readPdf, type TextPiece } from "../../src/support/pdfText.ts"
import { qrReaders } from "../../src/support/qrReaders.ts"
import type { Picture, Sample } from "./Sample.ts"

/** As a thermal printer prints it; a quarter of the file. */
const blackAndWhitePng = (png: Uint8Array): Uint8Array => {
  const picture = PNG.sync.read(Buffer.from(png))
  const { data } = blackAndWhite(greyOfPng(png))
  for (let at = 0; at < data.length; at++) picture.data.fill(data[at] ?? 255, at * 4, at * 4 + 3)
  return PNG.sync.write(picture, { colorType: 0 })
}

/** The first page of a PDF as a picture in black and white, by poppler's `pdftoppm`: sharp enough to be scanned, and small. */
const pictureOf = (pdf: Uint8Array): Uint8Array => {
  const folder = mkdtempSync(join(tmpdir(), "overa-approval-"))
  try {
    writeFileSync(join(folder, "paper.pdf"), pdf)
    execFileSync("pdftoppm", ["-png", "-gray", "-singlefile", "-r", "180", join(folder, "paper.pdf"), join(folder, "paper")])
    return blackAndWhitePng(readFileSync(join(folder, "paper.png")))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const scanned = async (png: Uint8Array): Promise<string | null> => {
  const picture = greyOfPng(png)
  for (const read of Object.values(qrReaders)) {
    const text = await read(picture)
    if (text !== null) return text
  }
  return null
}

/** The lines of a paper: words of one height on the page, in order. */
const linesOf = (pieces: ReadonlyArray<TextPiece>): ReadonlyArray<{ readonly text: string; readonly size: number }> => {
  const lines = new Map<string, Array<TextPiece>>()
  for (const piece of pieces) {
    const key = `${piece.page} ${piece.y.toFixed(1)}`
    lines.set(key, [...lines.get(key) ?? [], piece])
  }
  return [...lines.values()].map((line) => ({
    text: line.toSorted((one, other) => one.x - other.x).map(({ text }) => text.trim()).join(" "),
    size: Math.min(...line.map(({ size }) => size))
  }))
}

/** The notice's letters against those of the other lines; null where the paper has no notice between its frame. */
const noticeRatioOf = (lines: ReturnType<typeof linesOf>): number | null => {
  const said = lines.find(({ text }) => text === "ОВО НИЈЕ ФИСКАЛНИ РАЧУН")
  const others = lines.filter(({ text }) => /^ПФР време|^Бројач рачуна/.test(text)).map(({ size }) => size)
  return said === undefined || others.length === 0 ? null : said.size / Math.max(...others)
}

const papers = ["pdf-a4", "pdf-80mm", "pdf-58mm"]

/** Every format of a receipt as a picture, and what can be measured on its A4 paper. */
export const drawn = async (drawing: (format: string) => Promise<Uint8Array>): Promise<Pick<Sample, "hasSignatureLine" | "noticeRatio" | "pictures">> => {
  const pictures: Array<Picture> = []
  for (const format of papers) {
    const png = pictureOf(await drawing(format))
    pictures.push({ format, png, qr: await scanned(png) })
  }
  const preview = await drawing("preview-png")
  const lines = linesOf((await readPdf(await drawing("pdf-a4"))).pieces)
  return {
    pictures: [...pictures, { format: "preview-png", png: preview, qr: await scanned(preview) }],
    noticeRatio: noticeRatioOf(lines),
    hasSignatureLine: lines.some(({ text }) => /^Потпис купца: ?_{10,}$/.test(text))
  }
}
