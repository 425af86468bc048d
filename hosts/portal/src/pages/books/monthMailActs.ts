import { firstMonthToMail, MonthMails } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { redirect } from "../../http/Reply.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotAllowed, NotFound } from "../../http/visitOf.ts"
import { PortalSettings } from "../../layers.ts"
import { actOf } from "../personAct.ts"
import { askedMonth, monthAddress } from "./askedMonth.ts"
import { ownerOf, typedChoice } from "./monthMail.ts"

/** The visit of the page that the form came from. */
export const visitOfPage = (visit: MemberVisit): MemberVisit =>
  ({ ...visit, query: new URLSearchParams(["taxpayer", "month"].map((name) => [name, visit.form?.text(name) ?? ""])) })

const asked = Effect.fnUntraced(function*(visit: MemberVisit) {
  return (yield* askedMonth(visitOfPage(visit))) ?? (yield* new NotFound({}))
})

/** Switches the month by mail on, or changes it; null where no file is chosen. */
export const switchOn = Effect.fnUntraced(function*(visit: MemberVisit) {
  const page = yield* asked(visit)
  if (!(yield* PortalSettings).mailConfigured) return yield* new NotFound({})
  const choice = typedChoice(visit)
  if (choice.formats.length === 0) return null
  const isOn = yield* (yield* MonthMails).switchOn(actOf(visit), ownerOf(visit, page), { ...choice, portal: visit.origin, firstMonth: firstMonthToMail(yield* DateTime.now) })
  return isOn ? redirect(monthAddress("/books", page, { done: "month-mail-on" })) : yield* new NotAllowed({})
})

export const switchOff = Effect.fnUntraced(function*(visit: MemberVisit) {
  const page = yield* asked(visit)
  yield* (yield* MonthMails).switchOff(actOf(visit), ownerOf(visit, page))
  return redirect(monthAddress("/books", page, { done: "month-mail-off" }))
})
