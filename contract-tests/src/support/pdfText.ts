import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"

/** A piece of text with its place in a PDF: points from the left and from the bottom of its page. */
export interface TextPiece {
  readonly page: number
  readonly x: number
  readonly y: number
  /** Its right end, points from the left. */
  readonly right: number
  /** Height of its letters in points. */
  readonly size: number
  readonly text: string
}

export interface ReadPdf {
  readonly info: Readonly<Record<string, unknown>>
  readonly pages: ReadonlyArray<{ readonly width: number; readonly height: number; readonly roles: ReadonlyArray<string> }>
  readonly pieces: ReadonlyArray<TextPiece>
  readonly links: ReadonlyArray<string>
}

interface StructureNode {
  readonly role?: string
  readonly children?: ReadonlyArray<StructureNode>
}

/** The roles of a structure tree in reading order. */
const rolesOf = (node: StructureNode): ReadonlyArray<string> => [
  ...(node.role === undefined || node.role === "Root" ? [] : [node.role]),
  ...(node.children ?? []).flatMap(rolesOf)
]

/** Reads a PDF with a foreign reader. */
export const readPdf = async (bytes: Uint8Array): Promise<ReadPdf> => {
  const task = getDocument({ data: Uint8Array.from(bytes), verbosity: 0 })
  const document = await task.promise
  try {
    const pages = []
    const pieces: Array<TextPiece> = []
    const links: Array<string> = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      const { height, width } = page.getViewport({ scale: 1 })
      const tree = await page.getStructTree()
      pages.push({ width, height, roles: rolesOf(tree as StructureNode) })
      const content = await page.getTextContent()
      for (const item of content.items) {
        if (!("str" in item) || item.str.trim() === "") continue
        const [, , , size = 0, x = 0, y = 0] = item.transform as ReadonlyArray<number>
        pieces.push({ page: number, x, y, right: x + item.width, size: Math.abs(size), text: item.str })
      }
      for (const annotation of await page.getAnnotations()) {
        if (typeof annotation.url === "string") links.push(annotation.url)
      }
    }
    const { info } = await document.getMetadata()
    return { info: info as Readonly<Record<string, unknown>>, pages, pieces, links }
  } finally {
    await task.destroy()
  }
}

/** Pieces on one line, from left to right; lines from the top of the first page down. */
const linesOf = (pieces: ReadonlyArray<TextPiece>): ReadonlyArray<ReadonlyArray<TextPiece>> => {
  const lines = new Map<string, Array<TextPiece>>()
  for (const piece of pieces) {
    const key = `${piece.page}:${piece.y.toFixed(1)}`
    lines.set(key, [...(lines.get(key) ?? []), piece])
  }
  return [...lines.values()]
    .map((line) => line.toSorted((a, b) => a.x - b.x))
    .toSorted(([a], [b]) => (a?.page ?? 0) - (b?.page ?? 0) || (b?.y ?? 0) - (a?.y ?? 0))
}

/** The text as it is read: one line a line, pieces joined by single blanks. */
export const pdfLines = ({ pieces }: ReadPdf): ReadonlyArray<string> =>
  linesOf(pieces).map((line) => line.map(({ text }) => text).join(" "))

/** The same lines with every piece in its column of a fixed-width type: blanks where the paper is blank. */
export const pdfColumns = (
  { pieces }: ReadPdf,
  grid: { readonly x: number; readonly advance: number }
): ReadonlyArray<string> =>
  linesOf(pieces).map((line) => {
    let text = ""
    for (const piece of line) {
      const column = Math.round((piece.x - grid.x) / grid.advance)
      text = [...text].length < column ? text.padEnd(text.length + column - [...text].length) + piece.text : text + piece.text
    }
    return text
  })
