import type { MemberRole } from "./MemberRole.ts"
import { plainLine } from "./securityMail.ts"

/** An invitation to be made. */
export interface Invited {
  readonly organizationName: string
  readonly email: string
  readonly role: MemberRole
}

/** How long an invitation's link works. Source: Decisions §13. */
export const invitationHours = 72

/** What each role may do, in Serbian and English. */
export const roleTexts: Readonly<Record<MemberRole, readonly [serbian: string, english: string]>> = {
  OWNER: ["Власник – све", "Owner – everything"],
  ADMINISTRATOR: ["Администратор – све осим чланова и претплате", "Administrator – everything but members and subscription"],
  ACCOUNTANT: ["Књиговођа – чита и извози", "Accountant – reads and exports"],
  SUPPORT: ["Подршка – чита рачуне и шаље их", "Support – reads receipts and sends them"]
}

/** The link of an invitation. The token stands after `#`, which browsers send to no server, so that no proxy logs it. */
export const invitationLink = (portal: string, token: string): string => `${portal}/invitation#${token}`

/** The message with the link. `say` chooses the language, or says both. */
export const invitationMail = (
  { email, organizationName, role }: Invited,
  { portal, say, token }: { readonly portal: string; readonly token: string; readonly say: (serbian: string, english: string) => string }
) => {
  const organization = plainLine(organizationName)
  const lines = [
    say("Позвани сте у организацију:", "You are invited to the organization:"),
    `${organization} – ${say(...roleTexts[role])}`,
    "",
    say("Отворите овај линк; важи једном и 72 сата:", "Open this link; it works once and for 72 hours:"),
    invitationLink(portal, token),
    "",
    say("Ако страница затражи код, упишите овај:", "If the page asks for a code, enter this one:"),
    token,
    "",
    say("Ако ово не очекујете, не радите ништа.", "If you do not expect this, do nothing.")
  ]
  return { recipient: email, subject: `${say("Позив у организацију", "Invitation to an organization")}: ${organization}`, text: lines.join("\n") }
}
