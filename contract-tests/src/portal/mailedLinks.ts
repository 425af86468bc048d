import { PersonMailOutbox } from "@overa/domain"
import { Effect } from "effect"
import type { PortalStage } from "./portalStage.ts"

/** Takes every message to people out of the queue, as a worker does that has handed them over. */
export const takeMails = (stage: PortalStage) =>
  stage.run(Effect.gen(function*() {
    const outbox = yield* PersonMailOutbox
    const claimed = yield* outbox.claimDue(1_000, 60_000)
    for (const one of claimed) yield* outbox.remove(one)
    return claimed.map(({ mail }) => mail)
  }))

/** The token of the newest message to this address: what stands after its link's `#`. */
export const mailedToken = async (stage: PortalStage, email: string): Promise<string> => {
  const mail = (await takeMails(stage)).findLast(({ recipient, text }) => recipient === email && text.includes("#"))
  return /#([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? ""
}
