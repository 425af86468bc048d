import type { Operation, PaperFormat } from "@overa/domain"
import { el, type Html } from "../../html/el.ts"
import { card } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { paperName } from "../paperWords.ts"

const files = [
  ["pdf-a4", "PDF A4"],
  ["pdf-80mm", "PDF 80 mm"],
  ["pdf-58mm", "PDF 58 mm"],
  ["preview-png", "PNG"],
  ["official-text", "TXT"],
  ["canonical-json", "JSON"],
  ["qr-svg", "QR (SVG)"]
] as const

const papers: ReadonlyArray<PaperFormat> = ["80mm", "58mm", "a4"]

/** The seller's paper first. A PDF has the size of its paper, so that the browser prints it as it is. */
const printButtons = ({ say }: MemberVisit, { content: { preferredPaperFormat }, id }: Operation): Html => {
  const ordered = [preferredPaperFormat, ...papers.filter((it) => it !== preferredPaperFormat)]
  return el(
    "div",
    { class: "actions print", role: "group", "aria-label": say("Штампа", "Print") },
    ordered.map((paper, at) =>
      el("a", { class: "button", href: `/receipts/${id}/paper/pdf-${paper}`, target: "_blank", rel: "noopener" }, `${at === 0 ? say("Штампај", "Print") : ""} ${paperName(paper)}`.trim(),
        el("span", { class: "unseen" }, say(" – отвара се у новом прозору", " – opens in a new window"))))
  )
}

/** The receipt as on paper, to read, print and save. */
export const paperCard = (visit: MemberVisit, operation: Operation): Html => {
  const { answer, id } = operation
  const { say } = visit
  const picture = `/receipts/${id}/paper/preview-png`
  return card(
    say("Рачун", "Receipt"),
    printButtons(visit, operation),
    // The words of the paper, to read on any screen; a sheet of A4 is too small for that beside the details.
    answer === null ? null : el("pre", { class: "journal", tabIndex: 0, role: "region", "aria-label": say("Текст рачуна", "The receipt's text") }, answer.pfr.journal),
    el(
      "p",
      { class: operation.content.preferredPaperFormat === "a4" ? "paper sheet" : "paper" },
      el("a", { href: picture }, el("img", { src: picture, alt: say("Рачун као на папиру; отвара се у пуној величини, а исти текст је у TXT датотеци", "The receipt as on paper; opens in full size, and the TXT file has the same words") }))
    ),
    el("ul", { class: "plain actions" }, files.map(([format, name]) => el("li", {}, el("a", { href: `/receipts/${id}/paper/${format}?save=1` }, name)))),
    el(
      "div",
      { class: "actions" },
      el("a", { class: "button", href: `/receipts/${id}/verify` }, say("Провери рачун", "Check the receipt")),
      answer === null ? null : el("a", { href: answer.pfr.verificationUrl, rel: "noreferrer" }, say("Провера код Пореске управе", "Check at the tax authority"))
    )
  )
}
