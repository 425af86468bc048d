import { JournalLog } from "@overa/domain"
import { Effect, Exit } from "effect"
import type { HostContext } from "./HostContext.ts"
import type { PublicRoute } from "./router.ts"

const verifierKeys = Effect.flatMap(Effect.service(JournalLog), (log) => log.verifierKeys)

/**
 * `/.well-known/overa-journal-key`: the verifier keys of the journal's log (C2SP signed-note), one a line, the signing one first. Public, because a
 * person who checks a checkpoint may have no credential (Decisions §17).
 */
export const logKeyRoute = (host: HostContext): PublicRoute => ({
  method: "GET",
  path: "/.well-known/overa-journal-key",
  serve: async (context) => {
    const exit = await host.run(verifierKeys)
    context.status = Exit.isSuccess(exit) ? 200 : 503
    context.set("Content-Type", "text/plain; charset=utf-8")
    context.set("Cache-Control", Exit.isSuccess(exit) ? "public, max-age=300" : "no-store")
    context.body = Exit.isSuccess(exit) ? `${exit.value.join("\n")}\n` : "The store does not answer.\n"
  }
})
