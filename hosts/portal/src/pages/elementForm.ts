import { type ElementFault, type ElementTarget, isPac, type PfxUnreadable } from "@overa/adapter-vpfr"
import { DateTime, Effect, Result } from "effect"
import { all, type Html } from "../html/el.ts"
import { type Faults, field } from "../html/forms.ts"
import type { Visit } from "../http/Visit.ts"
import { day } from "../language/formats.ts"
import { checkedElement } from "./checkedElement.ts"

/** An element's file as it was sent, with the two secrets that belong to it. */
export interface ElementDraft {
  readonly file: string
  readonly password: string
  readonly pac: string
}

/** The fields of an element's file; `required`: the form is for nothing else. */
export const elementFields = ({ say }: Visit, faults: Faults, required: boolean): Html =>
  all(
    field({ name: "file", label: say("Датотека (.pfx или .p12)", "File (.pfx or .p12)"), type: "file", accept: ".pfx,.p12", required, fault: faults["file"] }),
    field({ name: "password", label: say("Лозинка датотеке", "Password of the file"), type: "password", autocomplete: "off", required, fault: faults["password"] }),
    field({ name: "pac", label: say("ПАК", "PAC"), type: "password", autocomplete: "off", required, hint: say("Шест слова или цифара.", "Six letters or digits."), fault: faults["pac"] })
  )

const draftFaults = ({ form, say }: Visit): Faults => ({
  ...(form?.file("file") ? {} : { file: say("Изаберите датотеку.", "Choose a file.") }),
  ...(isPac(form?.text("pac") ?? "") ? {} : { pac: say("ПАК има шест слова или цифара.", "A PAC has six letters or digits.") })
})

const draftIn = ({ form }: Visit): ElementDraft => ({
  file: Buffer.from(form?.file("file")?.bytes ?? new Uint8Array()).toString("base64"),
  password: form?.exact("password") ?? "",
  pac: form?.text("pac") ?? ""
})

/** The draft in the sent form, or what the form lacks. */
export const sentDraft = (visit: Visit): Result.Result<ElementDraft, Faults> => {
  const faults = draftFaults(visit)
  return Object.keys(faults).length > 0 ? Result.fail(faults) : Result.succeed(draftIn(visit))
}

const unreadable = (visit: Visit, { fault }: PfxUnreadable): Faults =>
  fault === "WRONG_PASSWORD"
    ? { password: visit.say("Лозинка не отвара ову датотеку. Препишите је из писма Пореске управе.", "The password does not open this file. Copy it from the tax authority's letter.") }
    : { file: visit.say("Ово није датотека безбедносног елемента. Изаберите .pfx коју сте добили од Пореске управе.", "This is no security element's file. Choose the .pfx you got from the tax authority.") }

const misplaced = ({ say }: Visit, fault: ElementFault): string => {
  switch (fault._tag) {
    case "Expired":
      return say(`Сертификат је истекао ${day(DateTime.makeUnsafe(fault.atMillis))} Затражите нови.`, `The certificate expired on ${day(DateTime.makeUnsafe(fault.atMillis))} Ask for a new one.`)
    case "NotYetValid":
      return say(`Сертификат важи тек од ${day(DateTime.makeUnsafe(fault.fromMillis))}`, `The certificate is valid only from ${day(DateTime.makeUnsafe(fault.fromMillis))}`)
    case "NoRoots":
      return say("Ово окружење још није подешено. Обратите се оператеру.", "This environment is not configured yet. Contact the operator.")
    case "OtherEnvironment":
      return say("Ово је елемент другог окружења. Изаберите то окружење или другу датотеку.", "This is an element of the other environment. Choose that environment, or another file.")
    case "ForeignRoot":
      return say("Сертификат није издала Пореска управа.", "The certificate was not issued by the tax authority.")
    case "NoTin":
      return say("Сертификат не наводи ПИБ.", "The certificate names no tax id.")
    case "OtherTin":
      return say(`Елемент је издат на ПИБ ${fault.tin}. Изаберите датотеку овог обвезника.`, `The element was issued to tax id ${fault.tin}. Choose this taxpayer's file.`)
  }
}

/**
 * Opens the draft's file and checks that it belongs to its place: dates, chain, environment, tax id. Answers the element, or what is wrong, by field. `holder`: see
 * `readPfx`.
 */
export const readElement = Effect.fnUntraced(function*(visit: Visit, target: ElementTarget, draft: ElementDraft, holder?: string) {
  const sent = { bytes: new Uint8Array(Buffer.from(draft.file, "base64")), password: draft.password, pac: draft.pac }
  return Result.mapError(yield* checkedElement(sent, target, holder), (fault): Faults => ({ file: misplaced(visit, fault) }))
}, (effect, visit) => Effect.catchTag(effect, "PfxUnreadable", (error) => Effect.succeed(Result.fail(unreadable(visit, error)))))

/** The element of the sent form, read and compared with its place; else every fault, by field. */
export const sentElement = Effect.fnUntraced(function*(visit: Visit, target: ElementTarget, holder?: string) {
  const lacking = draftFaults(visit)
  const read = lacking["file"] === undefined ? yield* readElement(visit, target, draftIn(visit), holder) : Result.fail<Faults>({})
  if (Result.isSuccess(read) && Object.keys(lacking).length === 0) return read
  return Result.fail<Faults>({ ...lacking, ...(Result.isFailure(read) ? read.failure : {}) })
})
