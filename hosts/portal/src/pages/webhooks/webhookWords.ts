import type { ChangeType, WebhookAttempt, WebhookEndpoint } from "@overa/domain"
import type { Html } from "../../html/el.ts"
import { badge } from "../../html/parts.ts"
import type { Say } from "../../language/Language.ts"
import { moment } from "../../language/formats.ts"

type Words = readonly [serbian: string, english: string]

/** What an event says, in the reader's words; the API's own name stands beside it. */
export const typeWords: Readonly<Record<ChangeType, Words>> = {
  "document.fiscalized": ["рачун је издат", "a receipt was issued"],
  "document.found": ["рачун чији је исход био непознат је нађен", "a receipt with an unknown outcome was found"],
  "document.rejected": ["В-ПФР је одбио документ", "the V-PFR rejected a document"],
  "document.not_fiscalized": ["ништа није послато", "nothing was sent"],
  "document.outcome_unknown": ["исход је непознат", "an outcome is unknown"],
  "refund_workflow.changed": ["рефундација је промењена", "a refund changed"],
  "advance_case.changed": ["аванс је промењен", "an advance case changed"],
  "proforma_training_workflow.changed": ["предрачун или обука је промењена", "a proforma or training changed"],
  "receipt_delivery.queued": ["рачун је у реду за слање купцу", "a receipt is queued for its buyer"],
  "receipt_delivery.sent": ["рачун је послат купцу", "a receipt was sent to its buyer"],
  "receipt_delivery.failed": ["слање купцу није успело", "a receipt could not be sent to its buyer"],
  "security_element.activated": ["безбедносни елемент је активиран", "a security element was activated"],
  "security_element.replaced": ["безбедносни елемент је замењен", "a security element was replaced"],
  "security_element.expiring": ["безбедносни елемент ускоро истиче", "a security element expires soon"],
  "security_element.expired": ["безбедносни елемент је истекао", "a security element has expired"],
  "license.changed": ["лиценца је промењена", "the licence changed"],
  "license.expired": ["лиценца је истекла", "the licence has expired"]
}

const pauseWords: Readonly<Record<NonNullable<WebhookEndpoint["pausedBecause"]>, Words>> = {
  REQUESTED: ["Заустављен на ваш захтев; догађаји чекају.", "Paused because you asked for it; events wait."],
  FAILING: ["Заустављен: три дана није примио ниједну поруку. Догађаји чекају; наставите кад адреса проради.", "Paused: it has taken no message for three days. Events wait; resume when the address works."],
  GONE: ["Заустављен: адреса је одговорила да је више нема (410). Догађаји чекају.", "Paused: the address answered that it is gone (410). Events wait."]
}

/** Whether it works, in one word. */
export const stateBadge = (say: Say, { failingSince, status }: WebhookEndpoint): Html => {
  if (status === "PAUSED") return badge("bad", say("Заустављен", "Paused"))
  return failingSince === null ? badge("good", say("Ради", "Works")) : badge("wait", say("Не прима", "Takes nothing"))
}

/** Why it does not work, and what to do; nothing where it works. */
export const troubleWords = (say: Say, { failingSince, pausedBecause }: WebhookEndpoint): string | null => {
  if (pausedBecause !== null) return say(...pauseWords[pausedBecause])
  return failingSince === null ? null : say(`Ниједан покушај није успео од ${moment(failingSince)}. Покушавамо и даље, ништа се не губи.`, `Every attempt has failed since ${moment(failingSince)}. We go on trying, nothing is lost.`)
}

/** How an attempt ended. */
export const attemptWords = (say: Say, { error, statusCode, taken }: WebhookAttempt): Html =>
  taken ? badge("good", String(statusCode)) : statusCode === null ? [badge("bad", say("Без одговора", "No answer")), " ", error ?? ""] : badge("bad", String(statusCode))
