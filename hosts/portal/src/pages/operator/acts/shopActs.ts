import { BrandingStore, DeliveryActs, deliveryFormats, DeliveryLocale, DeliverySettings, noDeliverySettings } from "@overa/domain"
import { Effect, Option, Result, Schema } from "effect"
import { languageNames } from "../../../language/Language.ts"
import { draftOf, drawable, isFaults } from "../../setup/brandingDraft.ts"
import { oneOf, optional } from "../actInput.ts"
import { type ActField, ActInvalid, type OperatorAct } from "../OperatorAct.ts"
import { taxpayerOf } from "./tenancyActs.ts"

const changeDelivery: OperatorAct = {
  path: "/operator/organizations/:id/taxpayers/:taxpayer/delivery",
  title: ["Слање рачуна е-поштом", "Receipts by e-mail"],
  fields: Effect.fnUntraced(function*(visit) {
    const delivery = (yield* taxpayerOf(visit)).delivery ?? noDeliverySettings
    return [
      { kind: "choice", name: "enabled", words: ["Слање", "Delivery"], options: [["on", ["укључено", "on"]], ["off", ["искључено", "off"]]], value: delivery.enabled ? "on" : "off" },
      { kind: "text", name: "sender", words: ["Име пошиљаоца", "Sender's name"], more: { value: delivery.senderName ?? "" } },
      { kind: "text", name: "replyTo", words: ["Одговори на", "Reply to"], more: { type: "email", value: delivery.replyTo ?? "" } },
      { kind: "choice", name: "locale", words: ["Језик поруке", "Language of the message"], options: DeliveryLocale.literals.map((it) => [it, languageNames[it]] as const), value: delivery.locale },
      { kind: "ticks", name: "format", words: ["Прилози (ниједан: PDF папира)", "Attachments (none: the paper's PDF)"], values: deliveryFormats, checked: delivery.formats ?? [] }
    ] satisfies ReadonlyArray<ActField>
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    const { organizationId, taxpayer } = yield* taxpayerOf(visit)
    const formats = deliveryFormats.filter((it) => visit.form?.texts("format").includes(it))
    const read = Schema.decodeUnknownResult(DeliverySettings)({
      enabled: (yield* oneOf(visit, "enabled", ["on", "off"])) === "on",
      senderName: optional(visit, "sender"),
      replyTo: optional(visit, "replyTo"),
      locale: yield* oneOf(visit, "locale", DeliveryLocale.literals),
      formats: formats.length === 0 ? null : formats
    })
    if (Result.isFailure(read)) {
      const isSender = String(read.failure).includes("senderName")
      return yield* new ActInvalid(isSender
        ? { field: "sender", sentence: visit.say("Највише 100 знакова, без посебних знакова.", "At most 100 characters, without control characters.") }
        : { field: "replyTo", sentence: visit.say("Ово није адреса.", "This is no address.") })
    }
    yield* (yield* DeliveryActs).changeDelivery(act, organizationId, taxpayer.id, read.success)
    return `/operator/organizations/${organizationId}?done=saved`
  })
}

const changeBranding: OperatorAct = {
  path: "/operator/organizations/:id/taxpayers/:taxpayer/branding",
  title: ["Изглед рачуна", "Look of receipts"],
  warning: ["Важи за рачуне издате од сада; раније издати остају какви су.", "It holds for receipts issued from now on; earlier ones stay as they are."],
  files: true,
  fields: Effect.fnUntraced(function*(visit) {
    const { organizationId, taxpayer } = yield* taxpayerOf(visit)
    const current = Option.getOrNull(yield* (yield* BrandingStore).current({ organizationId, environment: taxpayer.environment }, taxpayer.id))
    return [
      { kind: "text", name: "logo", words: ["Нови лого (PNG, JPEG или SVG)", "New logo (PNG, JPEG or SVG)"], more: { type: "file", accept: ".png,.jpg,.jpeg,.svg" } },
      { kind: "choice", name: "keep", words: ["Ако нови није изабран, садашњи лого", "Where none is chosen, the present logo"], options: [["yes", visit.say("остаје", "stays")], ["no", visit.say("уклања се", "goes")]] },
      { kind: "text", name: "lines", words: ["Контакт, ред по ред", "Contact, line by line"], more: { rows: 4, value: current?.branding.contactLines.join("\n") ?? "" } },
      { kind: "text", name: "note", words: ["Порука на крају", "Note at the end"], more: { rows: 3, value: current?.branding.thankYouNote ?? "" } }
    ] satisfies ReadonlyArray<ActField>
  }),
  run: Effect.fnUntraced(function*(visit, act) {
    const { organizationId, taxpayer } = yield* taxpayerOf(visit)
    const store = yield* BrandingStore
    const tenant = { organizationId, environment: taxpayer.environment }
    const current = Option.getOrNull(yield* store.current(tenant, taxpayer.id))
    const draft = draftOf(visit, current)
    const branding = isFaults(draft) ? draft : yield* drawable(visit, draft, current)
    if (isFaults(branding)) {
      const [field = "act", sentence = ""] = Object.entries(branding)[0] ?? []
      return yield* new ActInvalid({ field, sentence })
    }
    yield* store.save(act, tenant, taxpayer.id, branding)
    return `/operator/organizations/${organizationId}?done=branding-saved`
  })
}

/** A taxpayer's settings that its buyers see. */
export const shopActs: ReadonlyArray<OperatorAct> = [changeDelivery, changeBranding]
