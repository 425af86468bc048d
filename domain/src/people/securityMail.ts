import type { DateTime } from "effect"
import { belgradeLocalTime } from "../time/belgradeTime.ts"

/** Something that a person must hear of who did not do it. */
export type SecurityEvent =
  | "NEW_DEVICE"
  | "PASSWORD_CHANGED"
  | "ACCOUNT_BEGUN_ANEW"
  | "SECOND_FACTOR_SET"
  | "SECOND_FACTOR_REMOVED"
  | "PASSKEY_ADDED"
  | "PASSKEY_REMOVED"
  | "SECOND_FACTOR_GUESSED"
  | "RECOVERY_CODES_MADE"
  | "RECOVERY_CODE_USED"
  | "ISSUER_ACCOUNT_LINKED"
  | "NEW_MEMBER"
  | "NEW_CREDENTIAL"
  | "CREDENTIAL_ROTATED"
  | "WEBHOOK_PAUSED"
  | "EVERYTHING_TAKEN"

const words: Readonly<Record<SecurityEvent, readonly [serbian: string, english: string]>> = {
  NEW_DEVICE: ["Пријава са новог уређаја", "Sign-in on a new device"],
  PASSWORD_CHANGED: ["Лозинка је промењена", "The password was changed"],
  ACCOUNT_BEGUN_ANEW: ["Адреса налога је потврђена; лозинка и други фактори који су раније постављени више не важе", "The account's address was confirmed; a password and second factors that were set before have ended"],
  SECOND_FACTOR_SET: ["Апликација за кодове је укључена", "An authenticator app was set up"],
  SECOND_FACTOR_REMOVED: ["Други фактор је уклоњен", "The second factor was removed"],
  PASSKEY_ADDED: ["Приступни кључ је додат", "A passkey was added"],
  PASSKEY_REMOVED: ["Приступни кључ је уклоњен", "A passkey was removed"],
  SECOND_FACTOR_GUESSED: ["Неко зна вашу лозинку и погађа код другог фактора; промените лозинку", "Somebody knows your password and guesses the code of your second factor; change the password"],
  RECOVERY_CODES_MADE: ["Направљени су нови резервни кодови; ранији више не важе", "New recovery codes were made; earlier ones have ended"],
  RECOVERY_CODE_USED: ["Пријава резервним кодом уместо другог фактора", "Sign-in with a recovery code instead of the second factor"],
  ISSUER_ACCOUNT_LINKED: ["На ваш налог се од сада може пријавити и преко другог издаваоца", "Your account can be signed in to by an account at the sign-in issuer from now on"],
  NEW_CREDENTIAL: ["Организација има нови акредитив: програм може да издаје рачуне у њено име", "The organization has a new credential: a program can issue receipts in its name"],
  CREDENTIAL_ROTATED: ["Акредитив организације има нову тајну", "A credential of the organization has a new secret"],
  WEBHOOK_PAUSED: ["Адреса за догађаје не прима ништа и паузирана је; када поново ради, укључите је", "An address for events takes nothing and was paused; resume it when it works again"],
  EVERYTHING_TAKEN: ["Неко преузима све податке организације у једној архиви", "Somebody takes all data of the organization, in one archive"],
  NEW_MEMBER: ["Организација има новог члана", "The organization has a new member"]
}

/** A text of somebody's choice in a line of a message: short, on one line, without marks that move other text, and nothing that mail readers make a link of. */
export const plainLine = (text: string): string =>
  Array.from(text.replaceAll(/[\p{C}\s]+/gu, " ").replaceAll("://", ": //").replaceAll(/\bwww\./giu, "www ").trim()).slice(0, 160).join("")

/**
 * The message about an event, in Serbian and English: what happened, when, and what to do. It has no link, because people should not learn to follow links in such messages.
 */
export const securityMail = (recipient: string, event: SecurityEvent, at: DateTime.Utc, about: string) => {
  const [serbian, english] = words[event]
  const time = belgradeLocalTime(at).replace("T", " ")
  const facts = about === "" ? [] : [plainLine(about)]
  return {
    recipient,
    subject: `${serbian} / ${english}`,
    text: [
      `${serbian}.`,
      ...facts,
      time,
      "Ако то нисте били ви, промените лозинку и јавите се оператеру инсталације.",
      "",
      `${english}.`,
      ...facts,
      `${time} (Belgrade)`,
      "If this was not you, change your password and tell the operator of the installation."
    ].join("\n")
  }
}
