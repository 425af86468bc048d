import { DateTime } from "effect"
import type { PortalSession } from "./Person.ts"

const minute = 60_000

/** Source: Decisions §13; a session that waits for its second factor has ten minutes. */
export const sessionLimits = { idleMillis: 30 * minute, longestMillis: 12 * 60 * minute, passwordStageMillis: 10 * minute } as const

/** Whether a session is still valid. */
export const isAlive = (session: Pick<PortalSession, "stage" | "createdAt" | "seenAt">, now: DateTime.Utc): boolean => {
  const at = DateTime.toEpochMillis(now)
  const age = at - DateTime.toEpochMillis(session.createdAt)
  const longest = session.stage === "COMPLETE" ? sessionLimits.longestMillis : sessionLimits.passwordStageMillis
  return age < longest && at - DateTime.toEpochMillis(session.seenAt) < sessionLimits.idleMillis
}
