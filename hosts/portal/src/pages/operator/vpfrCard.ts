import type { VpfrAnswers } from "@overa/domain"
import type { DateTime } from "effect"
import { el, type Html } from "../../html/el.ts"
import { badge, card, table } from "../../html/parts.ts"
import { environmentWords } from "../../language/environmentWords.ts"
import type { Say } from "../../language/Language.ts"
import { age, mostRows, type Names, shop } from "./morningParts.ts"

const failures = ({ noAnswer, notSent }: VpfrAnswers): number => noAnswer + notSent

/** The V-PFR did not answer the latest attempt that has ended. */
export const isUnanswered = ({ lastOutcome }: VpfrAnswers): boolean => lastOutcome === "NO_ANSWER" || lastOutcome === "NOT_SENT"

const state = (say: Say, answers: VpfrAnswers): Html => {
  if (isUnanswered(answers)) return badge("bad", say("не одговара", "does not answer"))
  return failures(answers) === 0 ? badge("good", say("одговара", "answers")) : badge("wait", say("одговара поново", "answers again"))
}

/** Those that do not answer first, then those that failed most, then the slowest. */
const worstFirst = (one: VpfrAnswers, other: VpfrAnswers): number =>
  Number(isUnanswered(other)) - Number(isUnanswered(one)) || failures(other) - failures(one) || (other.p95Millis ?? 0) - (one.p95Millis ?? 0)

const inMillis = (millis: number | null): string => millis === null ? "–" : `${Math.round(millis)} ms`

/** How the V-PFR answers each element, the worst first. */
export const vpfrCard = (say: Say, answers: ReadonlyArray<VpfrAnswers>, names: Names, now: DateTime.Utc): Html => {
  const title = say("В-ПФР за последња 24 сата", "The V-PFR in the last 24 hours")
  const row = (it: VpfrAnswers): ReadonlyArray<Html> => [
    shop(names, it.organizationId), it.jid, environmentWords(say, it.environment), state(say, it),
    it.lastAnswerAt === null ? "–" : age(say, it.lastAnswerAt, now), String(it.sent), String(it.signed), String(it.rejected), String(it.notSent), String(it.noAnswer),
    inMillis(it.medianMillis), inMillis(it.p95Millis)
  ]
  const drawn = table(
    [
      say("Продавница", "Shop"), "JID", say("Окружење", "Environment"), say("Стање", "State"), say("Последњи одговор пре", "Last answer, ago"), say("Покушаја", "Attempts"),
      say("Потписано", "Signed"), say("Одбијено", "Rejected"), say("Није послато", "Not sent"), say("Без одговора", "No answer"), say("Медијана", "Median"), "p95"
    ],
    answers.toSorted(worstFirst).slice(0, mostRows).map(row),
    { caption: title, empty: say("Ништа није слато у последња 24 сата.", "Nothing was sent in the last 24 hours."), numbers: [4, 5, 6, 7, 8, 9, 10, 11] }
  )
  return el("div", { id: "vpfr" }, card(title, drawn, el("p", { class: "hint" }, say(
    "По елементу, из сачуваних покушаја; код продавнице са много рачуна последњих 200. Време је од слања до сачуваног одговора.",
    "By element, from the stored attempts; of a shop with many receipts the latest 200. The time is from the sending to the stored answer."
  ))))
}
