import { MemberRole, roleTexts } from "@overa/domain"
import type { Say } from "../../language/Language.ts"

export const roleWords = (say: Say, role: MemberRole): string => say(...roleTexts[role])

/** Every role with what it may do, for a choice field. */
export const roleOptions = (say: Say) => MemberRole.literals.map((role) => [role, roleWords(say, role)] as const)

/** A role that a form names; null for any other text. */
export const readRole = (text: string): MemberRole | null => MemberRole.literals.find((role) => role === text) ?? null
