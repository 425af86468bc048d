import { logoInProcess } from "@overa/adapter-renderers/logo"
import { Branding, brandingLimits, type LogoMediaType, logoFault } from "@overa/domain"
import { Effect, Option, Result, Schema } from "effect"
import type { Faults } from "../../html/forms.ts"
import type { Visit } from "../../http/Visit.ts"

/** The present look of a taxpayer's receipts; null if none was ever saved. */
export type CurrentBranding = { readonly id: string; readonly branding: Branding } | null

const mediaTypes: Readonly<Record<string, LogoMediaType>> = { png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", svg: "image/svg+xml" }

const KeptLogo = Schema.fromJsonString(Schema.Struct({ mediaType: Schema.Literals(["image/png", "image/jpeg", "image/svg+xml"]), bytes: Schema.String }))
const use = "logo"

/** A chosen logo in the page that shows it, so that it need not be chosen again; opens in the same session alone. */
export const sealedLogo = (visit: Visit, { bytes, mediaType }: NonNullable<Branding["logo"]>): string =>
  visit.draft.seal(use, Schema.encodeSync(KeptLogo)({ mediaType, bytes: Buffer.from(bytes).toString("base64") }))

/** The logo that an earlier page of this form was sent with; null without one. */
const keptLogo = (visit: Visit): Branding["logo"] => {
  const kept = Option.getOrNull(Schema.decodeUnknownOption(KeptLogo)(visit.draft.open(use, visit.form?.exact("chosen") ?? "")))
  return kept === null ? null : { mediaType: kept.mediaType, bytes: new Uint8Array(Buffer.from(kept.bytes, "base64")) }
}

/** The logo that this form has chosen, now or in an earlier page; null without one, and for one that cannot be used. */
export const chosenLogo = (visit: Visit): Branding["logo"] => {
  const { fault, logo } = logoOf(visit, null)
  return fault === null ? logo : null
}

/** The logo after this form: a new one, the current one, or none. */
const logoOf = (visit: Visit, current: CurrentBranding): { readonly logo: Branding["logo"]; readonly fault: string | null } => {
  const file = visit.form?.file("logo") ?? null
  const kept = file === null ? keptLogo(visit) : null
  if (kept !== null) return { logo: kept, fault: null }
  if (file === null) return { logo: visit.form?.text("keep") === "yes" ? current?.branding.logo ?? null : null, fault: null }
  const mediaType = mediaTypes[file.name.split(".").at(-1)?.toLowerCase() ?? ""]
  if (mediaType === undefined) return { logo: null, fault: visit.say("Лого је .png, .jpg или .svg датотека.", "A logo is a .png, .jpg or .svg file.") }
  const logo = { mediaType, bytes: file.bytes }
  const fault = logoFault(logo)
  return { logo, fault: fault === null ? null : visit.say(`Лого не може: највише 256 kB и 2000 тачака, без скрипти и веза.`, `This logo cannot be used: ${fault}.`) }
}

/** The branding in a form, or its faults. Not drawn yet. */
export const draftOf = (visit: Visit, current: CurrentBranding): Branding | Faults => {
  const { fault, logo } = logoOf(visit, current)
  if (fault !== null) return { logo: fault }
  const lines = (visit.form?.exact("lines") ?? "").split("\n").map((line) => line.trim()).filter((line) => line !== "")
  const note = (visit.form?.exact("note") ?? "").trim()
  const read = Schema.decodeUnknownResult(Branding)({ logo, contactLines: lines, thankYouNote: note === "" ? null : note })
  if (Result.isSuccess(read)) return read.success
  const tooMany = lines.length > brandingLimits.contactLines || lines.some((line) => [...line].length > brandingLimits.contactLine)
  return tooMany
    ? { lines: visit.say(`Највише ${brandingLimits.contactLines} редова од ${brandingLimits.contactLine} знакова.`, `At most ${brandingLimits.contactLines} lines of ${brandingLimits.contactLine} characters.`) }
    : { note: visit.say(`Највише ${brandingLimits.thankYouNote} знакова, без посебних знакова.`, `At most ${brandingLimits.thankYouNote} characters, without control characters.`) }
}

export const isFaults = (draft: Branding | Faults): draft is Faults => !("contactLines" in draft)

/** The draft with its logo as a bitmap of limited size, converted once: only this bitmap is stored and drawn. */
export const drawable = Effect.fnUntraced(function*(visit: Visit, draft: Branding, current: CurrentBranding) {
  if (draft.logo === null || draft.logo === current?.branding.logo) return draft
  const logo = yield* logoInProcess(draft.logo, visit.session?.organizationId ?? "")
  const faults: Faults = { logo: visit.say("Овај лого не може да се нацрта: датотека је оштећена, или предуго траје.", "This logo cannot be drawn: its file is damaged, or takes too long.") }
  return logo === null ? faults : { ...draft, logo }
})
