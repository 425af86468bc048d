import type { Person } from "@overa/domain"
import type { Place } from "../http/Place.ts"
import { environmentWords } from "../language/environmentWords.ts"
import type { Say } from "../language/Language.ts"

/** The place by its names, as the header has them; an organization in which the person has no role is not named. */
export const placeWords = (say: Say, { memberships }: Person, { environment, organizationId }: Place): string => {
  const name = memberships.find((it) => it.organizationId === organizationId)?.organizationName ?? say("друга организација", "another organization")
  return `${name}, ${environmentWords(say, environment)}`
}
