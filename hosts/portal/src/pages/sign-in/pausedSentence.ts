import type { SignInPaused } from "@overa/domain"
import type { Visit } from "../../http/Visit.ts"

/** How long to wait after wrong tries. */
export const pausedSentence = (visit: Visit, { seconds }: SignInPaused): string => {
  const [count, unit, english] = seconds < 120 ? [seconds, "с", "s"] : [Math.ceil(seconds / 60), "мин", "min"]
  return visit.say(
    `Превише погрешних покушаја. Покушајте поново за ${count} ${unit}, или са уређаја са којег сте се већ пријављивали.`,
    `Too many wrong tries. Try again in ${count} ${english}, or from a device on which you have signed in before.`
  )
}
