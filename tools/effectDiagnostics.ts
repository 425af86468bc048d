import { spawnSync } from "node:child_process"

type Severity = "error" | "off"

/** Effects that would silently not run, or run wrongly: forbidden everywhere. */
const everywhere: Record<string, Severity> = {
  floatingEffect: "error",
  floatingEffectInVitest: "error",
  missingReturnYieldStar: "error",
  missingStarInYieldEffectGen: "error",
  effectInVoidSuccess: "error",
  effectInFailure: "error",
  promiseInEffectSuccess: "error",
  lazyPromiseInEffectSync: "error",
  catchUnfailableEffect: "error",
  tryCatchInEffectGen: "error",
  runEffectInsideEffect: "error",
  schemaSyncInEffect: "error",
  schemaNumber: "error",
  serviceNotAsClass: "error",
  scopeInLayerEffect: "error",
  outdatedApi: "error",
  // An effect returned as a value, to be run later, is intended; the types ensure that it is run.
  returnEffectInGen: "off"
}

/** The domain is pure: no clock, no randomness, no environment, no Node (house rule of the dependency direction). */
const inTheDomain: Record<string, Severity> = {
  ...everywhere,
  globalDate: "error",
  globalDateInEffect: "error",
  globalRandom: "error",
  globalRandomInEffect: "error",
  globalTimers: "error",
  globalConsole: "error",
  globalFetch: "error",
  processEnv: "error",
  nodeBuiltinImport: "error",
  cryptoRandomUUID: "error"
}

const passes = (project: string, severities: Record<string, Severity>): boolean => {
  const lspconfig = JSON.stringify({ diagnosticSeverity: severities })
  const args = ["diagnostics", "--project", project, "--format", "text", "--severity", "error", "--lspconfig", lspconfig]
  return spawnSync("effect-tsgo", args, { stdio: "inherit" }).status === 0
}

const results = [passes("domain/tsconfig.build.json", inTheDomain), passes("tsconfig.json", everywhere)]
process.exitCode = results.every(Boolean) ? 0 : 1
