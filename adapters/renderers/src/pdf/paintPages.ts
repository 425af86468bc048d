import type { Group } from "./flow.ts"
import type { Placed } from "./paginate.ts"
import { paintBars, paintPicture, paintRuns, type PdfCanvas } from "./PdfCanvas.ts"

type Element = PDFKit.PDFStructureElement

const barsOf = (placed: Placed) =>
  placed.rows.flatMap(({ row, top }) => (row.bars ?? []).map((bar) => ({ bar, top })))

/** Paints within marked content and adds the content to its structure element. */
const tagged = (canvas: PdfCanvas, element: Element, tag: string, paint: () => void): void => {
  const content = canvas.document.markStructureContent(tag)
  paint()
  canvas.document.endMarkedContent()
  element.add(content)
}

const paintTable = (canvas: PdfCanvas, table: Element, placed: Placed): void => {
  for (const { repeated, row, top } of placed.rows) {
    if (repeated) {
      canvas.document.markContent("Artifact")
      paintRuns(canvas, row.runs.map((run) => ({ run, top })))
      canvas.document.endMarkedContent()
      continue
    }
    const line = canvas.document.struct("TR")
    table.add(line)
    const tag = row.heads === true ? "TH" : "TD"
    for (const cell of new Set(row.runs.map((run) => run.cell))) {
      const element = canvas.document.struct(tag)
      line.add(element)
      const runs = row.runs.filter((run) => run.cell === cell).map((run) => ({ run, top }))
      tagged(canvas, element, tag, () => paintRuns(canvas, runs))
      element.end()
    }
    line.end()
  }
}

const paintFigure = (canvas: PdfCanvas, figure: Element, placed: Placed): void => {
  for (const { row: { picture }, top } of placed.rows) {
    if (picture === undefined) continue
    tagged(canvas, figure, "Figure", () => paintPicture(canvas, picture, top))
    if (picture.kind === "qr") {
      // On a screen the code is also the link itself (V-PFR §7.3).
      canvas.document.link(picture.x, top, picture.width, picture.height, canvas.verificationUrl)
    }
  }
}

const paintPlaced = (canvas: PdfCanvas, element: Element, placed: Placed): void => {
  const { tag } = placed.group
  if (tag === "Table") paintTable(canvas, element, placed)
  else if (tag === "Figure") paintFigure(canvas, element, placed)
  else {
    const runs = placed.rows.flatMap(({ row, top }) => row.runs.map((run) => ({ run, top })))
    tagged(canvas, element, tag, () => paintRuns(canvas, runs))
  }
}

const saysNothing = ({ rows }: Placed): boolean =>
  rows.every(({ row }) => row.runs.length === 0 && row.picture === undefined)

/** Paints pages in reading order. `startPage` opens each page; an element that continues on the next page stays one element of the structure. */
export const paintPages = (
  canvas: PdfCanvas,
  pages: ReadonlyArray<ReadonlyArray<Placed>>,
  startPage: (index: number) => void
): void => {
  const root = canvas.document.struct("Document")
  canvas.document.addStructure(root)
  const elements = new Map<Group, Element>()
  for (const [index, page] of pages.entries()) {
    startPage(index)
    for (const placed of page) {
      paintBars(canvas, barsOf(placed))
      if (saysNothing(placed)) continue
      let element = elements.get(placed.group)
      if (element === undefined) {
        const { alt, tag } = placed.group
        element = canvas.document.struct(tag, alt === undefined ? {} : { alt })
        root.add(element)
        elements.set(placed.group, element)
      }
      paintPlaced(canvas, element, placed)
    }
  }
}
