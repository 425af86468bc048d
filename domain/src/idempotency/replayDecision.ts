import { Result } from "effect"
import type { BoundKey } from "../operations/Operation.ts"
import { readBodyTree } from "../requests/bodyTree.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { fingerprint } from "./boundKey.ts"

/**
 * What a key that exists already means for the request that presents it. `SAME`: the stored operation is its answer. `DIFFERENT`: the key is bound to
 * other content. `OTHER_ENVIRONMENT`: the key belongs to the other environment; this is checked first.
 */
export type ReplayDecision = "SAME" | "DIFFERENT" | "OTHER_ENVIRONMENT"

/**
 * Decides a replay (Decisions §3). Where the stored fingerprint was made by an earlier version of the rules, the stored body is fingerprinted again
 * with the current rules: a retry across an upgrade of the service must not conflict.
 */
export const replayDecision = (
  stored: { readonly existing: BoundKey; readonly environment: Environment },
  request: { readonly presented: BoundKey; readonly environment: Environment }
): ReplayDecision => {
  if (stored.environment !== request.environment) return "OTHER_ENVIRONMENT"
  const { presented } = request
  const existing = stored.existing.fingerprint.version === presented.fingerprint.version
    ? stored.existing.fingerprint.digest
    : todaysDigest(stored.existing)
  return existing === presented.fingerprint.digest ? "SAME" : "DIFFERENT"
}

/** Undefined when the stored body cannot be read; then no request has the same content. */
const todaysDigest = (existing: BoundKey): string | undefined => {
  const tree = readBodyTree(existing.body)
  return Result.isSuccess(tree) ? fingerprint(existing.target, tree.success).digest : undefined
}
