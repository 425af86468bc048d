import type { License } from "@overa/domain"
import type { Html } from "../../html/el.ts"
import type { Say } from "../../language/Language.ts"
import { moment } from "../../language/formats.ts"
import { moduleWords } from "./moduleWords.ts"

/** From when until when a licence holds, and its modules. */
export const licenceFacts = (say: Say, { expiresAt, modules, startsAt }: License): ReadonlyArray<readonly [name: string, value: Html]> => [
  [say("Од", "From"), moment(startsAt)],
  [say("До", "Until"), expiresAt === null ? say("без краја", "without end") : moment(expiresAt)],
  [say("Модули", "Modules"), modules.map((it) => moduleWords(say, it)).join(", ") || "–"]
]
