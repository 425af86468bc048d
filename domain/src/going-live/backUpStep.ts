import { DateTime } from "effect"
import { green, red, type RehearsalStep } from "./RehearsalStep.ts"

/** A back-up that is older than this says that nobody backs up. */
const mostHours = 24

/** What is known of the database's back-up. */
export interface BackUpFound {
  /** What PostgreSQL says of its archiver; null: it archives nothing itself. */
  readonly archive: { readonly lastArchivedAt: DateTime.Utc | null; readonly lastFailedAt: DateTime.Utc | null } | null
  /** What the operator knows from elsewhere, such as the provider's page; null: nothing. */
  readonly statedAt: DateTime.Utc | null
}

const hoursSince = (instant: DateTime.Utc, now: DateTime.Utc): number =>
  Math.floor((now.epochMilliseconds - instant.epochMilliseconds) / 3_600_000)

const repair = "looks at archive_command and its log (docs/operations/back-up-and-restore.md)"

/**
 * Whether the database would be there tomorrow. The database's own archiver decides where there is one: a statement never covers an archiver that fails.
 */
export const backUpStep = ({ archive, statedAt }: BackUpFound, now: DateTime.Utc): RehearsalStep => {
  const last = archive?.lastArchivedAt ?? null
  const failed = archive?.lastFailedAt ?? null
  if (failed !== null && (last === null || DateTime.isGreaterThan(failed, last))) {
    return red("back-up", `Archiving fails since ${DateTime.formatIso(failed)}.`, "the operator", repair)
  }
  if (archive !== null && last === null && statedAt === null) return red("back-up", "PostgreSQL has archived nothing yet.", "the operator", repair)
  const newest = [last, statedAt].filter((it) => it !== null).reduce<DateTime.Utc | null>((a, b) => a === null || DateTime.isGreaterThan(b, a) ? b : a, null)
  if (newest === null) {
    return red("back-up", "PostgreSQL archives nothing, and no back-up is stated.", "the operator", "sets up a back-up with continuous archiving, or states the provider's newest with --backed-up-at")
  }
  if (DateTime.isGreaterThan(newest, now)) return red("back-up", "The stated back-up lies in the future.", "the operator", "states when the newest back-up ended: --backed-up-at")
  const hours = hoursSince(newest, now)
  return hours >= mostHours
    ? red("back-up", `The newest back-up is ${hours} hours old.`, "the operator", repair)
    : green("back-up", `The newest back-up is ${hours === 0 ? "less than an hour" : `${hours} ${hours === 1 ? "hour" : "hours"}`} old.`)
}
