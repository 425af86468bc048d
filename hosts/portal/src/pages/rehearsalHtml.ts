import { isReady, type RehearsalActor, type RehearsalStep, type RehearsalStepName } from "@overa/domain"
import { all, el, type Html } from "../html/el.ts"
import { badge, notice } from "../html/parts.ts"
import type { PersonVisit } from "../http/Visit.ts"
import type { Say } from "../language/Language.ts"

const names: Readonly<Record<RehearsalStepName, readonly [serbian: string, english: string]>> = {
  installation: ["Инсталација", "Installation"],
  premise: ["Пословни простор", "Premise"],
  certificate: ["Сертификат", "Certificate"],
  chain: ["Порекло сертификата", "Origin of the certificate"],
  "v-pfr": ["В-ПФР", "V-PFR"],
  clock: ["Часовник", "Clock"],
  rates: ["Пореске стопе", "Tax rates"],
  licence: ["Лиценца", "Licence"],
  credential: ["Акредитив", "Credential"],
  mail: ["Е-пошта", "E-mail"],
  webhooks: ["Догађаји", "Events"],
  "back-up": ["Резервна копија", "Back-up"],
  training: ["Рачун обуке", "Training receipt"],
  pak: ["ПАК", "PAK"],
  "read-back": ["Поновно читање", "Reading it back"],
  paper: ["Папир", "Paper"]
}

const stateBadge = (say: Say, state: RehearsalStep["state"]): Html => {
  switch (state) {
    case "GREEN":
      return badge("good", say("Ради", "Works"))
    case "RED":
      return badge("bad", say("Не ради", "Does not work"))
    case "NOT_USED":
      return badge("plain", say("Не користи се", "Not used"))
    case "NOT_TRIED":
      return badge("wait", say("Није пробано", "Not tried"))
  }
}

const actorWords = (say: Say, who: RehearsalActor): string =>
  who === "the owner" ? say("Власник", "The owner") : who === "the operator" ? say("Оператер", "The operator") : say("Пореска управа", "The tax authority")

/** Details of the installation are for its operators: an owner reads that they put the step right. */
const stepHtml = ({ say }: PersonVisit, { found, state, step, todo }: RehearsalStep, isForOperator: boolean): Html => {
  const isOthers = !isForOperator && todo !== null && todo.who === "the operator"
  return el(
    "li",
    { class: "card" },
    el("h2", {}, say(...names[step]), " ", stateBadge(say, state)),
    el("p", {}, isOthers ? say("Ово решава оператер; пошаљите му ову страницу.", "The operator puts this right; send this page to the operator.") : say(...found)),
    todo === null || isOthers ? null : el("p", {}, el("strong", {}, actorWords(say, todo.who)), " ", say(...todo.what), ".")
  )
}

/** The steps of a rehearsal that has just run. */
export const rehearsalHtml = (visit: PersonVisit, title: string, steps: ReadonlyArray<RehearsalStep>, isForOperator: boolean): Html => {
  const { say } = visit
  return all(
    el("h1", {}, title),
    isReady(steps)
      ? notice("good", el("p", {}, say("Спремно: сваки корак ради.", "Ready: every step works.")))
      : notice("bad", el("p", {}, say("Није спремно: погледајте кораке који не раде.", "Not ready: see the steps that do not work."))),
    el("ol", { class: "plain steps" }, steps.map((step) => stepHtml(visit, step, isForOperator)))
  )
}
