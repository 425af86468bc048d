import { DateTime } from "effect"
import { el, type Html } from "../../html/el.ts"
import type { Say } from "../../language/Language.ts"

/** Rows of one list of the first page; the whole list is one click away. */
export const mostRows = 10

/** How long ago, in the largest unit that is not 0. */
export const age = (say: Say, since: DateTime.Utc, now: DateTime.Utc): string => {
  const minutes = Math.max(0, Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since)) / 60_000))
  if (minutes < 60) return `${minutes} ${say("мин", "min")}`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} ${say("сати", "h")}` : `${Math.floor(minutes / 1_440)} ${say("дана", "days")}`
}

/** The names of organizations. */
export type Names = ReadonlyMap<string, string>

/** A shop by its name. */
export const shop = (names: Names, id: string): Html => el("a", { href: `/operator/organizations/${id}` }, names.get(id) ?? id)
