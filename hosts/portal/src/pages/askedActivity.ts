import type { ActivityFilter } from "@overa/domain"
import { actsNamed } from "./actWords.ts"

/** What the address asks of an activity log: words in its lines, in the reader's language too, and the exact actor. */
export const askedActivity = (query: URLSearchParams) => {
  const [text, actor] = [(query.get("text") ?? "").trim(), (query.get("actor") ?? "").trim()]
  const filter: Pick<Partial<ActivityFilter>, "text" | "acts" | "actor"> = {
    ...(text === "" ? {} : { text, acts: actsNamed(text) }),
    ...(actor === "" ? {} : { actor })
  }
  return { text, actor, filter }
}
