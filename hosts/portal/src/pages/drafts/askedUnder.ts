import type { KeyedRequest } from "@overa/domain"
import { sha256 } from "@overa/host-kit"
import type { MemberVisit } from "../../http/Visit.ts"
import { keyedRequestOf } from "../receipts/issueForm.ts"
import type { Asked } from "./DraftKind.ts"

/** What a request names by its target and canonical body. */
export const seenOf = (...requests: ReadonlyArray<KeyedRequest>): string => sha256(requests.map(({ boundKey }) => boundKey.fingerprint.digest).join(" "))

/** A document of one request, made under the key of the draft. */
export const askedUnder = (
  visit: MemberVisit,
  { body, draft, target }: { readonly draft: string; readonly target: string; readonly body: unknown },
  doing: (request: KeyedRequest) => Pick<Asked, "issued" | "tried">
): Asked => {
  const request = keyedRequestOf(visit, target, body, draft)
  return { seen: seenOf(request), ...doing(request) }
}
