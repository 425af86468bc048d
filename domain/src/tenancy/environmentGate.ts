import { Result } from "effect"
import { PfrEnvironmentDisabled, PfrSandboxNotConfigured, RestoreInProgress } from "../documents/errors.ts"
import type { Environment } from "./Environment.ts"
import type { EnvironmentSettings } from "./EnvironmentSettings.ts"

/**
 * Steps 8a and 8b of the order of checks: the adapter is configured; traffic is on, and production has its ESIR number, without which a receipt would
 * lack what the law requires on it (Decisions §2). While a restore is declared nothing is issued at all (Decisions §15).
 */
export const environmentGate = (
  settings: Pick<EnvironmentSettings, "adapterConfigured" | "restoring" | "trafficEnabled" | "esirNumber">,
  environment: Environment
): Result.Result<void, PfrSandboxNotConfigured | RestoreInProgress | PfrEnvironmentDisabled> => {
  if (!settings.adapterConfigured) return Result.fail(new PfrSandboxNotConfigured({}))
  if (settings.restoring) return Result.fail(new RestoreInProgress({}))
  const lacksEsirNumber = environment === "production" && settings.esirNumber === ""
  return settings.trafficEnabled && !lacksEsirNumber ? Result.void : Result.fail(new PfrEnvironmentDisabled({}))
}
