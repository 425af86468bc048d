import { Schema } from "effect"
import { logoFault, LogoMediaType } from "./logoFault.ts"

/** The bounds of a branding; a logo's are in `logoFault.ts`. */
export const brandingLimits = { contactLines: 6, contactLine: 100, thankYouNote: 500 } as const

const ownText = (maximum: number) =>
  Schema.String.check(Schema.isBetweenCodePoints(1, maximum), Schema.isPattern(/^\P{Cc}*$/u))

/** A shop's logo: the file's exact bytes. */
export const BrandingLogo = Schema.Struct({
  mediaType: LogoMediaType,
  bytes: Schema.Uint8Array
}).check(Schema.makeFilter((logo) => logoFault(logo) ?? undefined))
export interface BrandingLogo extends Schema.Schema.Type<typeof BrandingLogo> {}

/**
 * What a taxpayer puts around its receipts, never inside the fiscal part: a header of logo and contact lines, and a closing note.
 * A version is immutable: a document keeps the id of the one it was issued under, so that a reprint never changes (Decisions §6).
 */
export const Branding = Schema.Struct({
  logo: Schema.NullOr(BrandingLogo),
  /** Printed under the logo as given: name, telephone, web address. */
  contactLines: Schema.Array(ownText(brandingLimits.contactLine)).check(
    Schema.isMaxLength(brandingLimits.contactLines)
  ),
  /** The last thing on the paper; may have several lines. */
  thankYouNote: Schema.NullOr(
    Schema.String.check(
      Schema.isBetweenCodePoints(1, brandingLimits.thankYouNote),
      Schema.isPattern(/^(?:\n|\P{Cc})*$/u)
    )
  )
})
export interface Branding extends Schema.Schema.Type<typeof Branding> {}
