import type { SignInPaused } from "@overa/domain"
import type { Visit } from "../../http/Visit.ts"

/** How long to wait after wrong tries. */
export const pausedSentence = (visit: Visit, { seconds }: SignInPaused): string =>
  visit.say(
    `Превише погрешних покушаја са овог уређаја. Покушајте поново за ${seconds} с.`,
    `Too many wrong tries from this device. Try again in ${seconds} s.`
  )
