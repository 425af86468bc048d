import { DateTime } from "effect"
import { green, type InBoth, red, type RehearsalStep } from "./RehearsalStep.ts"

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

const repair: InBoth = [
  "проверава archive_command и његов запис (docs/operations/back-up-and-restore.md)",
  "looks at archive_command and its log (docs/operations/back-up-and-restore.md)"
]

const broken = (found: InBoth, what: InBoth = repair): RehearsalStep => red("back-up", found, "the operator", what)

const ageOf = (hours: number): InBoth => [
  hours === 0 ? "мање од једног сата" : `${hours} ч`,
  hours === 0 ? "less than an hour" : `${hours} ${hours === 1 ? "hour" : "hours"}`
]

/**
 * Whether the database would be there tomorrow. The database's own archiver decides where there is one: a statement never covers an archiver that fails.
 */
export const backUpStep = ({ archive, statedAt }: BackUpFound, now: DateTime.Utc): RehearsalStep => {
  const last = archive?.lastArchivedAt ?? null
  const failed = archive?.lastFailedAt ?? null
  if (failed !== null && (last === null || DateTime.isGreaterThan(failed, last))) {
    return broken([`Архивирање не успева од ${DateTime.formatIso(failed)}.`, `Archiving fails since ${DateTime.formatIso(failed)}.`])
  }
  if (archive !== null && last === null && statedAt === null) return broken(["PostgreSQL још ништа није архивирао.", "PostgreSQL has archived nothing yet."])
  const newest = [last, statedAt].filter((it) => it !== null).reduce<DateTime.Utc | null>((a, b) => a === null || DateTime.isGreaterThan(b, a) ? b : a, null)
  if (newest === null) {
    return broken(["PostgreSQL ништа не архивира, а резервна копија није наведена.", "PostgreSQL archives nothing, and no back-up is stated."], [
      "уводи резервну копију са непрекидним архивирањем, или наводи најновију копију провајдера",
      "sets up a back-up with continuous archiving, or states the provider's newest with --backed-up-at"
    ])
  }
  if (DateTime.isGreaterThan(newest, now)) {
    return broken(["Наведена резервна копија је у будућности.", "The stated back-up lies in the future."], [
      "наводи када је најновија копија завршена", "states when the newest back-up ended: --backed-up-at"
    ])
  }
  const age = ageOf(hoursSince(newest, now))
  const found: InBoth = [`Старост најновије резервне копије: ${age[0]}.`, `The newest back-up is ${age[1]} old.`]
  return hoursSince(newest, now) >= mostHours ? broken(found) : green("back-up", found)
}
