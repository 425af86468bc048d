import { type PasskeyQuestion, type PasskeySite, passkeySite, SentForms } from "@overa/domain"
import { DateTime, Effect, Option, Schema } from "effect"
import { assets } from "../assets/assets.ts"
import { el, type Html } from "../html/el.ts"
import { form } from "../html/forms.ts"
import type { PersonVisit } from "../http/Visit.ts"

/** How long a question waits for its answer: browsers give a person a minute or two. */
const longestMillis = 300_000

/** A new passkey, or the use of one. */
export type PasskeyUseOf = "create" | "use"

const Kept = Schema.fromJsonString(Schema.Struct({ challenge: Schema.String, name: Schema.String, until: Schema.Finite }))
const textOfKept = Schema.encodeSync(Kept)

/** The site of this portal; null where its address is a number, for which browsers make no passkey. */
export const siteOf = (visit: PersonVisit): PasskeySite | null => passkeySite(visit.origin)

const sentence = (when: string, text: string): Html => el("p", { class: "fault", role: "alert", hidden: true, "data-when": when } as object, text)

const sentences = ({ say }: PersonVisit): Html => [
  sentence("refused", say("Прегледач није добио одговор од кључа. Покушајте поново.", "The browser got no answer from the passkey. Try again.")),
  sentence("known", say("Овај уређај већ има ваш приступни кључ.", "This device already has a passkey of yours.")),
  el("noscript", {}, el("p", { class: "fault" }, say("За приступни кључ прегледач мора дозволити JavaScript на овој страници.", "A passkey needs JavaScript, which your browser does not allow on this page.")))
]

/** A form that asks the browser. The question stays in the page, encrypted, and is answered once. */
export const passkeyForm = Effect.fnUntraced(function*(
  visit: PersonVisit,
  given: { readonly use: PasskeyUseOf; readonly action: string; readonly submit: string; readonly kind?: "main" | "danger"; readonly question: PasskeyQuestion; readonly name?: string },
  ...fields: ReadonlyArray<Html>
) {
  const { action, kind = "main", name = "", question: { challenge, options }, submit, use } = given
  const until = DateTime.toEpochMillis(yield* DateTime.now) + longestMillis
  return form(
    visit,
    { action, submit, kind, data: { "data-passkey": use, "data-options": options } },
    ...fields,
    el("input", { type: "hidden", name: "question", value: visit.draft.seal(use, textOfKept({ challenge, name, until })) }),
    el("input", { type: "hidden", name: "answer", value: "" }),
    sentences(visit)
  )
})

/** The question that a form answers; null for one of another session or use, too old, or answered before. */
export const answeredQuestion = Effect.fnUntraced(function*(visit: PersonVisit, use: PasskeyUseOf) {
  const sealed = visit.draft.open(use, visit.form?.exact("question") ?? "")
  const kept = Option.getOrNull(Schema.decodeUnknownOption(Kept)(sealed))
  const now = yield* DateTime.now
  if (kept === null || kept.until < DateTime.toEpochMillis(now)) return null
  const isFirst = yield* (yield* SentForms).claim(visit.session.session, kept.challenge, now)
  return isFirst ? { challenge: kept.challenge, name: kept.name, answer: visit.form?.exact("answer") ?? "" } : null
})

/** The scripts of a page with this form. */
export const passkeyScripts = [assets.passkeyLibrary, assets.passkey]
