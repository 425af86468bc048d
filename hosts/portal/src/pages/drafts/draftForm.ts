import { all, el, type Html } from "../../html/el.ts"
import { form } from "../../html/forms.ts"
import { card, facts, notice } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount } from "../../language/formats.ts"
import { cashierField } from "../receipts/cashier.ts"
import type { DraftKind, Paper, Shown } from "./DraftKind.ts"

/** A button that changes the entries and issues nothing; what is missing may be missing still. */
export const entryButton = ({ address }: Pick<Shown<unknown, unknown>, "address">, act: string, value: string, label: Html): Html =>
  el("button", { type: "submit", class: "quiet", formAction: `${address}/entry`, formNoValidate: true, name: act, value }, label)

const paperHtml = ({ say }: MemberVisit, { receipt, title }: Paper): Html => {
  const name = title ?? say("Преглед рачуна", "Preview of the receipt")
  return all(
    title === null ? null : el("h3", {}, title),
    facts([[say("Укупно", "Total"), el("strong", {}, `${amount(receipt.totalAmount)} RSD`)]]),
    receipt.journalPreview === null ? null : el("pre", { class: "journal", tabIndex: 0, role: "region", "aria-label": name }, receipt.journalPreview)
  )
}

/** The document as it will be, and the button that issues exactly this. */
const previewHtml = <Subject, Typed>(kind: DraftKind<Subject, Typed>, visit: MemberVisit, { changed, preview, refusal, typed }: Shown<Subject, Typed>): Html => {
  const { say } = visit
  return el(
    "div",
    { id: "preview", "aria-live": "polite" },
    refusal === null ? null : notice("bad", el("p", {}, refusal)),
    changed ? notice("wait", el("p", {}, say("Унос се променио од последњег прегледа. Ништа није издато; погледајте га поново.", "The entries have changed since the preview. Nothing was issued; look at it again."))) : null,
    preview === null ? el("p", { class: "hint" }, say("Овде ће бити рачун какав би био потписан. Попуните унос, па притисните „Прегледај“.", "The receipt as it would be signed will be here. Fill in the entries and press “Preview”.")) : [
      preview.papers.map((paper) => paperHtml(visit, paper)),
      el("input", { type: "hidden", name: "seen", value: preview.seen }),
      el("p", { class: "hint" }, say("Издат рачун се не може повући, само рефундирати.", "A receipt that is issued cannot be taken back, only refunded.")),
      el("button", { type: "submit", class: "main" }, kind.issueWords(visit, typed))
    ]
  )
}

const sourceHtml = ({ say }: MemberVisit, { source }: Pick<Shown<unknown, unknown>, "source">): Html =>
  source === null ? null : [
    notice("wait", el("p", {}, say("Уместо документа који није издат: ", "Instead of the document that was not issued: "), el("a", { href: `/receipts/${source.id}` }, source.content.clientReference), say(". Исправите унос.", ". Correct the entries."))),
    el("input", { type: "hidden", name: "from", value: source.id })
  ]

/** What the script says by itself. */
const said = ({ say }: MemberVisit) => ({
  "data-offline": say("Нема везе са сервером. Унос остаје на овој страници; ништа није издато.", "The server cannot be reached. Your entries stay on this page; nothing was issued."),
  "data-sending": say("Шаље се В-ПФР-у. Ако потраје, отвара се страница документа; ништа не шаљите поново.", "It is being sent to the V-PFR. If that takes long, the document's page opens; do not send anything again.")
})

/** The whole form: entries and preview. The entries are in the page and in nothing of ours. */
export const draftFormHtml = <Subject, Typed>(kind: DraftKind<Subject, Typed>, visit: MemberVisit, shown: Shown<Subject, Typed>): Html => {
  const { say } = visit
  return form(
    visit,
    { action: shown.address, submit: null, data: { "data-issue": "yes", "data-fresh": visit.form === null && visit.kept === null ? "yes" : "no", ...said(visit) } },
    el(
      "div",
      { class: "columns" },
      el("div", {}, card(say("Унос", "Entries"), sourceHtml(visit, shown), kind.entries(visit, shown), cashierField(visit, shown.faults), entryButton(shown, "act", "preview", say("Прегледај", "Preview")))),
      el("div", {}, card(say("Преглед", "Preview"), previewHtml(kind, visit, shown)))
    )
  )
}

