import { type Environment, InstallationOversight } from "@overa/domain"
import { Effect } from "effect"
import type { VpfrEnvironment } from "./VpfrConnection.ts"

/** The roots that elements may come from, PEM, by environment: the configured file's, and those that an operator has added since. */
export const trustedRoots = Effect.fnUntraced(function*(configured: Partial<Record<Environment, VpfrEnvironment>>) {
  const keys = yield* (yield* InstallationOversight).referenceKeys
  const of = (environment: Environment): string => {
    const added = keys.filter((key) => key.kind === "TRUST_ROOT" && key.environment === environment).map((key) => key.pem)
    return [configured[environment]?.trustAnchors ?? "", ...added].join("\n")
  }
  return { sandbox: of("sandbox"), production: of("production") }
})
