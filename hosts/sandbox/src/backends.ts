import { join } from "node:path"
import { Console, Effect } from "effect"
import { companyRegister } from "./companyRegister.ts"
import { embeddedPostgres, type RunningPostgres } from "./EmbeddedPostgres.ts"
import { mailCatcher } from "./mail/mailCatcher.ts"
import { databaseName, type SharedSettings } from "./hostConfigs.ts"
import { sandboxSecrets } from "./SandboxSecrets.ts"
import { trustAnchors } from "./SimulatorControl.ts"
import { type RunningSimulator, simulatorProcess } from "./SimulatorProcess.ts"

const sayRecovered = (postgres: RunningPostgres, simulator: RunningSimulator) => {
  const names = [...(postgres.recovered ? ["PostgreSQL"] : []), ...(simulator.recovered ? ["the V-PFR simulator"] : [])]
  return names.length === 0
    ? Effect.void
    : Console.log(`The last start was killed and left ${names.join(" and ")} running; stopped and started again, nothing is lost.`)
}

/**
 * The store and the V-PFR simulator, which both keep their data from start to start. `meanwhile` runs while the simulator starts: modules that load
 * slowly are loaded in that time, so that a later start answers within three seconds.
 */
export const openBackends = Effect.fn("openBackends")(function*<A>(home: string, meanwhile: Effect.Effect<A>) {
  const secrets = yield* sandboxSecrets(home)
  const postgres = yield* embeddedPostgres({ folder: join(home, "postgres"), password: secrets.postgresPassword })
  const [simulator, loaded] = yield* Effect.all([simulatorProcess(home), meanwhile], { concurrency: "unbounded" })
  yield* sayRecovered(postgres, simulator)
  const anchors = yield* trustAnchors(simulator.controlUrl)
  const roots = { sandbox: anchors.sandbox.rootPem, production: anchors.production.rootPem }
  const { url: registerUrl } = yield* companyRegister
  const mail = yield* mailCatcher
  const settings: SharedSettings = {
    databaseUrl: postgres.url(databaseName),
    secrets,
    simulator,
    roots,
    registerUrl,
    smtpUrl: mail.smtpUrl
  }
  return { postgres, simulator, settings, loaded, mail }
})
