import { Option, Schema } from "effect"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import { Form } from "./Form.ts"
import type { SetCookie } from "./Reply.ts"
import type { SealedDrafts } from "./SealedDrafts.ts"

/** How long what was typed waits for its author to sign in again. */
export const keptSeconds = 1_800
/** Browsers keep no longer cookie (RFC 6265 §6.1), and a proxy takes no much longer line. */
const longestCookie = 3_800

const use = "form of an ended session"

/** A form that was sent when its session had ended: nothing of it was done. */
export interface KeptForm {
  /** The person on whose page it was typed. */
  readonly author: string
  /** The address it was sent to, inside the place. */
  readonly action: string
  /** The address of the page that shows it, with its place. */
  readonly page: string
  readonly form: Form
  readonly untilMillis: number
}

const Kept = Schema.fromJsonString(Schema.Struct({
  author: Schema.String,
  action: Schema.String,
  page: Schema.String,
  fields: Schema.Array(Schema.Tuple([Schema.String, Schema.String])),
  until: Schema.Finite
}))
const textOf = Schema.encodeSync(Kept)

/** What belongs to the ended session, and not to what was typed. */
const ofSession = ["proof", "author", "place"]

/** The cookie that keeps the form in the browser in which it was typed, encrypted; null where the form is too long for one. */
export const keptCookie = (drafts: SealedDrafts, { action, author, form, page, untilMillis }: KeptForm): SetCookie | null => {
  const fields = form.entries().filter(([name]) => !ofSession.includes(name))
  const text = textOf({ author, action, page, fields, until: untilMillis })
  const value = drafts.seal(use, deflateRawSync(text).toString("base64url"))
  return value.length > longestCookie ? null : { name: "kept", value, maxAgeSeconds: keptSeconds }
}

const unpacked = (sealed: string): string => inflateRawSync(Buffer.from(sealed, "base64url")).toString("utf8")

/** The form of a cookie; null where it was not made here, or is too old. */
export const openKept = (drafts: SealedDrafts, cookie: string, nowMillis: number): KeptForm | null => {
  const sealed = cookie === "" ? null : drafts.open(use, cookie)
  const found = sealed === null ? null : Option.getOrNull(Schema.decodeUnknownOption(Kept)(unpacked(sealed)))
  if (found === null || found.until < nowMillis) return null
  const { action, author, fields, page, until } = found
  return { author, action, page, form: Form.of(fields), untilMillis: until }
}

/** The cookie is used once. */
export const keptNoMore: SetCookie = { name: "kept", value: null }

const authorUse = "author of a form"

/** Names, in a form, the person on whose page it is; readable by this installation alone. */
export const authorMark = (drafts: SealedDrafts, personId: string): string => drafts.seal(authorUse, personId)

/** The person who was shown the form; null for a form that asks for a secret or a file, which is never kept. */
export const authorOf = (drafts: SealedDrafts, form: Form): string | null => form.has("author") ? drafts.open(authorUse, form.exact("author")) : null
