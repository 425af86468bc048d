import { type Branding, BrandingStore, type Operation, RecentDocuments, ReceiptRenderer, TaxpayerId } from "@overa/domain"
import { sha256 } from "@overa/host-kit"
import { Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, field, form, tick } from "../../html/forms.ts"
import { notice } from "../../html/parts.ts"
import { page, redirect, type Reply } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { actOf } from "../personAct.ts"
import { chosenLogo, type CurrentBranding, draftOf, drawable, isFaults, sealedLogo } from "./brandingDraft.ts"
import { ownTaxpayer } from "./setupPage.ts"

/** The taxpayer's last receipt; null before the first. */
const lastReceipt = Effect.fnUntraced(function*(visit: MemberVisit, taxpayerId: string) {
  const recent = yield* (yield* RecentDocuments).page(visit.tenant, null, 50)
  return recent.find((it) => it.taxpayerId === taxpayerId && it.status === "FISCALIZED") ?? null
})

/** The paper of the taxpayer's last receipt with this branding, as PNG; null before the first receipt. */
const drawn = Effect.fnUntraced(function*(visit: MemberVisit, taxpayerId: string, branding: Branding | null) {
  const last = yield* lastReceipt(visit, taxpayerId)
  if (last === null || last.answer === null) return null
  // The renderer identifies a drawing by its branding's id; a draft has none, so a digest of its content is used.
  const brandingId = branding === null ? null : `draft ${sha256(JSON.stringify({ ...branding, logo: Buffer.from(branding.logo?.bytes ?? []).toString("base64") }))}`
  const operation: Operation = { ...last, content: { ...last.content, brandingId } }
  const { bytes } = yield* (yield* ReceiptRenderer).render({ operation, answer: last.answer }, Effect.succeed(branding), "preview-png")
  return bytes
})

const paperOf = (taxpayerId: string): string => `/setup/branding/${taxpayerId}/paper`

/** Where the page's picture is: what is saved has an address, so that the page comes without it; what is only looked at is in the page. */
const pictureOf = Effect.fnUntraced(function*(visit: MemberVisit, taxpayerId: string, current: CurrentBranding, draft: Branding | null) {
  if (draft === null) return (yield* lastReceipt(visit, taxpayerId)) === null ? null : `${paperOf(taxpayerId)}?of=${current?.id ?? "none"}`
  const bytes = yield* drawn(visit, taxpayerId, draft)
  return bytes === null ? null : `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`
})

const fields = (visit: MemberVisit, current: CurrentBranding, faults: Faults): Html => {
  const { say } = visit
  const branding = current?.branding ?? null
  const sent = visit.form
  const chosen = sent === null ? null : chosenLogo(visit)
  return all(
    chosen === null ? null : el("input", { type: "hidden", name: "chosen", value: sealedLogo(visit, chosen) }),
    chosen === null ? null : el("p", { class: "hint" }, say("Изабрани лого је на овој страници и чува се са осталим.", "The logo you chose is in this page and is saved with the rest.")),
    el("input", { type: "hidden", name: "replaces", value: sent?.text("replaces") ?? current?.id ?? "" }),
    field({ name: "logo", label: say("Нови лого", "New logo"), type: "file", accept: ".png,.jpg,.jpeg,.svg", hint: say("PNG, JPEG или SVG, највише 256 kB.", "PNG, JPEG or SVG, at most 256 kB."), fault: faults["logo"] }),
    branding?.logo === null || branding === null ? null : tick({ name: "keep", label: say("Задржи садашњи лого ако нови није изабран", "Keep the current logo if none is chosen"), checked: sent === null || sent.text("keep") === "yes" }),
    field({ name: "lines", label: say("Контакт, ред по ред", "Contact, line by line"), rows: 4, value: sent?.exact("lines") ?? branding?.contactLines.join("\n") ?? "", fault: faults["lines"] }),
    field({ name: "note", label: say("Порука на крају", "Note at the end"), rows: 3, value: sent?.exact("note") ?? branding?.thankYouNote ?? "", fault: faults["note"] })
  )
}

const paper = (visit: MemberVisit, picture: string | null): Html =>
  el(
    "div",
    { class: "paper" },
    picture === null
      ? el("p", {}, visit.say("Папир се приказује после првог рачуна.", "The paper is shown after the first receipt."))
      : el("img", { src: picture, alt: visit.say("Рачун са овим изгледом", "A receipt with this look") })
  )

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}, draft: Branding | null = null) {
  const { say } = visit
  const { taxpayer } = yield* ownTaxpayer(visit, visit.params["taxpayer"] ?? "")
  const current = Option.getOrNull(yield* (yield* BrandingStore).current(visit.tenant, TaxpayerId.make(taxpayer.id)))
  const picture = yield* pictureOf(visit, taxpayer.id, current, draft)
  const title = say("Изглед рачуна", "Look of receipts")
  const path = `/setup/branding/${taxpayer.id}`
  const content = all(
    el("h1", {}, title),
    el("p", {}, taxpayer.name),
    faults["replaces"] === undefined ? faultSummary(visit, faults) : notice("wait", el("p", {}, faults["replaces"])),
    draft === null ? null : notice("wait", el("p", {}, say("Ово је само приказ; још није сачувано.", "This is only a look; it is not saved yet."))),
    el(
      "div",
      { class: "columns" },
      el("div", { class: "card" }, form(
        visit,
        { action: path, submit: say("Сачувај", "Save"), files: true },
        fields(visit, current, faults),
        el("button", { type: "submit", name: "look", value: "yes", class: "quiet" }, say("Погледај на папиру", "Look at it on paper"))
      )),
      paper(visit, picture)
    )
  )
  return page(title, content, faultStatus(faults))
})

const save = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { taxpayer } = yield* ownTaxpayer(visit, visit.params["taxpayer"] ?? "")
  const store = yield* BrandingStore
  const taxpayerId = TaxpayerId.make(taxpayer.id)
  const current = Option.getOrNull(yield* store.current(visit.tenant, taxpayerId))
  const draft = draftOf(visit, current)
  if (isFaults(draft)) return yield* show(visit, draft)
  if (visit.form?.text("look") === "yes") return yield* show(visit, {}, draft)
  const branding = yield* drawable(visit, draft, current)
  if (isFaults(branding)) return yield* show(visit, branding)
  yield* store.save(actOf(visit), visit.tenant, taxpayerId, branding, visit.form?.text("replaces") || null)
  return redirect("/setup?done=branding-saved")
}, (effect, visit) =>
  Effect.catchTag(effect, "BrandingChanged", () =>
    show(visit, { replaces: visit.say("Неко је у међувремену сачувао други изглед. Отворите страницу поново да га видите; ваш унос је испод.", "Somebody has saved another look meanwhile. Open the page again to see it; what you entered is below.") })))

const showPaper = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { taxpayer } = yield* ownTaxpayer(visit, visit.params["taxpayer"] ?? "")
  const current = Option.getOrNull(yield* (yield* BrandingStore).current(visit.tenant, TaxpayerId.make(taxpayer.id)))
  const bytes = yield* drawn(visit, taxpayer.id, current?.branding ?? null)
  if (bytes === null) return yield* new NotFound({})
  return { _tag: "File", bytes, mediaType: "image/png", fileName: "paper.png", inline: true } satisfies Reply
})

/** Logo, contact and note around the receipts, with the paper beside the form. */
export const brandingRoutes = [
  memberRoute("GET", "/setup/branding/:taxpayer", "setup:write", (visit) => show(visit)),
  memberRoute("POST", "/setup/branding/:taxpayer", "setup:write", save),
  memberRoute("GET", "/setup/branding/:taxpayer/paper", "setup:write", showPaper)
]
