import { MemberRole } from "@overa/domain"
import type { Say } from "../../language/Language.ts"

const words: Readonly<Record<MemberRole, readonly [serbian: string, english: string]>> = {
  OWNER: ["Власник – све", "Owner – everything"],
  ADMINISTRATOR: ["Администратор – све осим чланова и претплате", "Administrator – everything but members and subscription"],
  ACCOUNTANT: ["Књиговођа – чита и извози", "Accountant – reads and exports"],
  SUPPORT: ["Подршка – чита рачуне и шаље их", "Support – reads receipts and sends them"]
}

export const roleWords = (say: Say, role: MemberRole): string => say(...words[role])

/** Every role with what it may do, for a choice field. */
export const roleOptions = (say: Say) => MemberRole.literals.map((role) => [role, roleWords(say, role)] as const)

/** A role that a form names; null for any other text. */
export const readRole = (text: string): MemberRole | null => MemberRole.literals.find((role) => role === text) ?? null
