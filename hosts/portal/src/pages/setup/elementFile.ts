import { type ElementFault, isPac, type PfxUnreadable } from "@overa/adapter-vpfr"
import { DateTime, Effect, Result, Schema } from "effect"
import type { Faults } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { day } from "../../language/formats.ts"
import { checkedElement } from "../checkedElement.ts"
import type { ElementPlace } from "./elementPlace.ts"

const DraftText = Schema.fromJsonString(Schema.Struct({ file: Schema.String, password: Schema.String, pac: Schema.String }))

/** An element's file as it was sent, with the two secrets that belong to it. */
export type ElementDraft = typeof DraftText.Type

/** The draft in the sent form, or what the form lacks. */
export const sentDraft = ({ form, say }: MemberVisit): Result.Result<ElementDraft, Faults> => {
  const file = form?.file("file") ?? null
  const pac = form?.text("pac") ?? ""
  const faults: Faults = {
    ...(file === null ? { file: say("Изаберите датотеку.", "Choose a file.") } : {}),
    ...(isPac(pac) ? {} : { pac: say("ПАК има шест слова или цифара.", "A PAC has six letters or digits.") })
  }
  return file === null || Object.keys(faults).length > 0
    ? Result.fail(faults)
    : Result.succeed({ file: Buffer.from(file.bytes).toString("base64"), password: form?.exact("password") ?? "", pac })
}

const useOf = (premiseId: string): string => `element ${premiseId}`

/** The draft in the page that shows its certificate. */
export const sealedDraft = (visit: MemberVisit, premiseId: string, draft: ElementDraft): string =>
  visit.draft.seal(useOf(premiseId), Schema.encodeSync(DraftText)(draft))

/** The draft of the page that showed the certificate; a page of another premise or session has no draft for this one. */
export const keptDraft = (visit: MemberVisit, premiseId: string): Result.Result<ElementDraft, Faults> => {
  const text = visit.draft.open(useOf(premiseId), visit.form?.exact("element") ?? "")
  const read = Schema.decodeUnknownResult(DraftText)(text)
  return Result.mapError(read, () => ({
    file: visit.say("Ова страница више не важи. Изаберите датотеку поново.", "This page is no longer valid. Choose the file again.")
  }))
}

const unreadable = (visit: MemberVisit, { fault }: PfxUnreadable): Faults =>
  fault === "WRONG_PASSWORD"
    ? { password: visit.say("Лозинка не отвара ову датотеку. Препишите је из писма Пореске управе.", "The password does not open this file. Copy it from the tax authority's letter.") }
    : { file: visit.say("Ово није датотека безбедносног елемента. Изаберите .pfx коју сте добили од Пореске управе.", "This is no security element's file. Choose the .pfx you got from the tax authority.") }

const misplaced = ({ say }: MemberVisit, fault: ElementFault): string => {
  switch (fault._tag) {
    case "Expired":
      return say(`Сертификат је истекао ${day(DateTime.makeUnsafe(fault.atMillis))} Затражите нови.`, `The certificate expired on ${day(DateTime.makeUnsafe(fault.atMillis))} Ask for a new one.`)
    case "NotYetValid":
      return say(`Сертификат важи тек од ${day(DateTime.makeUnsafe(fault.fromMillis))}`, `The certificate is valid only from ${day(DateTime.makeUnsafe(fault.fromMillis))}`)
    case "NoRoots":
      return say("Ово окружење још није подешено. Обратите се оператеру.", "This environment is not configured yet. Contact the operator.")
    case "OtherEnvironment":
      return say("Ово је елемент другог окружења. Промените окружење у заглављу.", "This is an element of the other environment. Switch the environment at the top.")
    case "ForeignRoot":
      return say("Сертификат није издала Пореска управа.", "The certificate was not issued by the tax authority.")
    case "NoTin":
      return say("Сертификат не наводи ПИБ.", "The certificate names no tax id.")
    case "OtherTin":
      return say(`Елемент је издат на ПИБ ${fault.tin}. Изаберите датотеку овог обвезника.`, `The element was issued to tax id ${fault.tin}. Choose this taxpayer's file.`)
  }
}

/** Opens the draft's file and checks that it belongs to its premise: dates, chain, environment, tax id. */
export const readDraft = Effect.fnUntraced(function*(visit: MemberVisit, { entry: { taxpayer } }: ElementPlace, draft: ElementDraft) {
  const sent = { bytes: new Uint8Array(Buffer.from(draft.file, "base64")), password: draft.password, pac: draft.pac }
  const checked = yield* checkedElement(sent, { environment: visit.environment, taxIdentifier: taxpayer.taxIdentifier }, visit.organizationId)
  return Result.mapError(checked, (fault): Faults => ({ file: misplaced(visit, fault) }))
}, (effect, visit) => Effect.catchTag(effect, "PfxUnreadable", (error) => Effect.succeed(Result.fail(unreadable(visit, error)))))
