import { parseForm } from "./FormDocument.ts"
import { parseJsonExactly } from "./JsonDocument.ts"

/** The media types of a submission (V-PFR §1.1); an absent one is taken for JSON. */
export type BodyForm = "json" | "form"

export const bodyFormOf = (contentType: string | null): BodyForm | null => {
  if (contentType === null || /^(application|text)\/json\s*(;|$)/i.test(contentType)) return "json"
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType) ? "form" : null
}

/** A submission's body, or null where it cannot be read. */
export const parseBody = (body: Uint8Array, form: BodyForm): { readonly parsed: unknown } | null => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body)
    const parsed = form === "json" ? parseJsonExactly(text) : parseForm(text)
    return form === "form" && parsed === null ? null : { parsed }
  } catch {
    return null
  }
}

/** A submission that was signed, as it was stored: JSON begins with a brace, a form never does. */
export const parseKept = (text: string): unknown => /^\s*\{/.test(text) ? parseJsonExactly(text) : parseForm(text)
