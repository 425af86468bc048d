import {
  type CalendarMonth, firstMonthToMail, type MonthMail, monthMailAnchor, monthMailDueAt, MonthMailFormat, monthMailFormatNames, type MonthMailLanguage, type MonthMailOwner, MonthMails
} from "@overa/domain"
import { DateTime, Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, form, tick } from "../../html/forms.ts"
import { badge, facts } from "../../html/parts.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { isLanguage, languageNames, languages } from "../../language/Language.ts"
import { moment, reportedTime } from "../../language/formats.ts"
import { PortalSettings } from "../../layers.ts"
import type { AskedMonth } from "./askedMonth.ts"

/** Who gets the month by mail: the person who is signed in, and nobody else. */
export const ownerOf = ({ person, tenant }: MemberVisit, { taxpayer }: Pick<AskedMonth, "taxpayer">): MonthMailOwner => ({ ...tenant, personId: person.id, taxpayerId: taxpayer.id })

/** The formats and the language of the form. */
export const typedChoice = ({ form: sent, language }: MemberVisit) => {
  const asked = sent?.text("language") ?? ""
  return { formats: MonthMailFormat.literals.filter((format) => sent?.text(format) === "yes"), language: isLanguage(asked) ? asked : language }
}

const untyped = ({ language }: MemberVisit): { readonly formats: ReadonlyArray<MonthMailFormat>; readonly language: MonthMailLanguage } => ({ formats: ["xlsx", "pdf"], language })

/** When a month's message comes: `02.12.2026. 07:00`. */
const dueWords = (month: CalendarMonth): string => moment(monthMailDueAt(month)).slice(0, -3)

/** The taxpayer and the month of the page, which the act comes back to. */
const marks = ({ month, taxpayer }: AskedMonth): Html =>
  all(el("input", { type: "hidden", name: "taxpayer", value: taxpayer.id }), el("input", { type: "hidden", name: "month", value: month }))

const languageLabel = ({ say }: MemberVisit, language: MonthMailLanguage): string =>
  language === "en" ? languageNames.en : `${languageNames[language]} (${language === "sr-Cyrl" ? say("ћирилица", "Cyrillic") : say("латиница", "Latin")})`

const choiceForm = (visit: MemberVisit, asked: AskedMonth, on: MonthMail | null, faults: Faults): Html => {
  const { say } = visit
  const shown = faults["xlsx-yes"] === undefined ? on ?? untyped(visit) : typedChoice(visit)
  return form(
    visit,
    { action: "/books/mail", submit: on === null ? say("Укључи слање", "Switch it on") : say("Сачувај", "Save"), kind: on === null ? "main" : "quiet", label: say("Месец е-поштом", "The month by e-mail") },
    marks(asked),
    el(
      "fieldset",
      {},
      el("legend", {}, say("Датотеке", "Files")),
      faults["xlsx-yes"] === undefined ? null : el("p", { class: "fault" }, faults["xlsx-yes"]),
      MonthMailFormat.literals.map((format) => tick({ name: format, label: say(...monthMailFormatNames[format]), checked: shown.formats.includes(format) }))
    ),
    choice({ name: "language", scope: "mail", label: say("Језик поруке и датотека", "Language of the message and the files"), value: shown.language, options: languages.map((it) => [it, languageLabel(visit, it)] as const) })
  )
}

const state = ({ person, say }: MemberVisit, { lastMonth, isWaiting, nextMonth }: MonthMail): Html => facts([
  [say("Стање", "State"), badge("good", say("Укључено", "On"))],
  [say("Прима", "Recipient"), person.email],
  [say("Следећи месец", "Next month"), `${reportedTime(nextMonth)} – ${dueWords(nextMonth)}`],
  ...(lastMonth === null ? [] : [[say("Последњи месец", "Last month"), all(reportedTime(lastMonth), isWaiting ? [" ", badge("wait", say("Чека слање", "Waits to be sent"))] : null)] as const])
])

const explained = ({ person, say }: MemberVisit, now: DateTime.Utc): Html => {
  const month = firstMonthToMail(now)
  return all(
    el("p", {}, say(
      "Када се месец заврши, стиже вам једна порука са линковима до датотека. Датотеке се отварају тек када се пријавите, па порука нема ниједан износ ни купца.",
      "When a month is over you get one message with links to its files. The files open only once you are signed in, so the message has no amount and no buyer."
    )),
    el("p", {}, say("Порука иде само на вашу адресу: ", "The message goes to your own address alone: "), el("strong", {}, person.email), ". ",
      say("Прва стиже ", "The first one comes "), dueWords(month), " ", say("за месец ", "for the month "), reportedTime(month))
  )
}

/** Switching the month by mail on, changing it, and switching it off. */
export const monthMailCard = Effect.fnUntraced(function*(visit: MemberVisit, asked: AskedMonth, faults: Faults = {}) {
  const { say } = visit
  const around = (...content: ReadonlyArray<Html>): Html => el("section", { class: "card", id: monthMailAnchor }, el("h2", {}, say("Месец е-поштом", "The month by e-mail")), ...content)
  const on = Option.getOrNull(yield* (yield* MonthMails).find(ownerOf(visit, asked)))
  const { mailConfigured } = yield* PortalSettings
  if (!mailConfigured && on === null) return around(el("p", { class: "empty" }, say("Ова инсталација не шаље е-пошту.", "This installation sends no e-mail.")))
  return around(
    on === null ? explained(visit, yield* DateTime.now) : state(visit, on),
    choiceForm(visit, asked, on, faults),
    on === null ? null : form(visit, { action: "/books/mail/off", submit: say("Искључи слање", "Switch it off"), kind: "quiet" }, marks(asked))
  )
})
