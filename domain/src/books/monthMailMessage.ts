import { plainLine } from "../people/securityMail.ts"
import { toLatin } from "../search/foldText.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { CalendarMonth } from "../time/CalendarMonth.ts"
import type { MonthMailChoice, MonthMailFormat, MonthMailLanguage } from "./monthMail.ts"

/** The month that a message tells of. */
export interface MonthMailSubject extends MonthMailChoice {
  readonly organizationId: string
  readonly environment: Environment
  readonly taxpayer: { readonly id: string; readonly name: string; readonly taxIdentifier: string }
  readonly month: CalendarMonth
  /** The portal's address, without a final slash. */
  readonly portal: string
  /** Documents of the month whose outcome is not known yet. */
  readonly undecided: number
}

type Say = (serbian: string, english: string) => string

const sayIn = (language: MonthMailLanguage): Say => (serbian, english) => language === "en" ? english : language === "sr-Latn" ? toLatin(serbian) : serbian

/** The part of the month's page where the message is switched on and off. */
export const monthMailAnchor = "month-mail"

const addressOf = ({ environment, month, organizationId, portal, taxpayer }: MonthMailSubject, path: string, more = ""): string =>
  `${portal}/o/${organizationId}/${environment}${path}?taxpayer=${taxpayer.id}&month=${month}${more}`

/** The names of the files, as the portal's page has them. */
export const monthMailFormatNames: Readonly<Record<MonthMailFormat, readonly [serbian: string, english: string]>> = {
  xlsx: ["Excel (XLSX)", "Excel (XLSX)"],
  csv: ["Списак као CSV", "The list as CSV"],
  pdf: ["PDF за потпис", "PDF to sign"]
}

const files = (subject: MonthMailSubject, say: Say): ReadonlyArray<string> =>
  subject.formats.flatMap((format) => [`${say(...monthMailFormatNames[format])}:`, addressOf(subject, `/books/${format}`, `&headings=${subject.language}`)])

const undecidedLines = ({ undecided }: MonthMailSubject, say: Say): ReadonlyArray<string> => undecided === 0 ? [] : [
  "",
  say(
    `Документи овог месеца чији исход још није познат: ${undecided}. Када се одлуче, датотеке ће их имати; преузмите их тада поново.`,
    `Documents of this month whose outcome is not known yet: ${undecided}. Once they are decided the files have them; download them again then.`
  )
]

/**
 * The message that a month is complete. It leads to the files and has none: whoever opens them signs in, with the second factor, and still has the role (docs/adr/0378). It names the
 * taxpayer and the month, no figure and no buyer.
 */
export const monthMailMessage = (subject: MonthMailSubject): { readonly subject: string; readonly text: string } => {
  const say = sayIn(subject.language)
  const name = plainLine(subject.taxpayer.name)
  const month = `${subject.month.split("-").toReversed().join(".")}.`
  const test = subject.environment === "sandbox" ? ` (${say("тестно окружење", "sandbox")})` : ""
  return {
    subject: `${say("Књиговодство", "Books")} ${month} – ${name}${test}`,
    text: [
      `${say("Месец за књиговођу", "The month for the bookkeeper")}: ${month}`,
      `${name} (${subject.taxpayer.taxIdentifier})${test}`,
      "",
      say("Датотеке се отварају када се пријавите у портал:", "The files open once you are signed in to the portal:"),
      ...files(subject, say),
      ...undecidedLines(subject, say),
      "",
      say("Ова порука стиже вама јер сте је укључили. Мења се и искључује овде:", "You get this message because you switched it on. Change it or switch it off here:"),
      `${addressOf(subject, "/books")}#${monthMailAnchor}`
    ].join("\n")
  }
}
