import { type EnvironmentName, environmentNames } from "../EnvironmentName.ts"
import { type Answer, jsonAnswer } from "../server/Answer.ts"
import type { SimulatedEnvironment, Simulation } from "../Simulation.ts"
import { environmentParameters } from "./getEnvironmentParameters.ts"
import { taxRateGroupJson } from "./getStatus.ts"

/** The public services of the shared host `api.*`; certificates name its address as `taxCoreApi` (V-PFR §1.1, §9). */
export const sharedServiceNames = ["tax-rates", "configuration", "environments", "encryption-certificate"] as const
export type SharedServiceName = (typeof sharedServiceNames)[number]

/** Unlike in the status, the current group is in a list (V-PFR §5). */
const taxRates = (simulation: Simulation, environment: EnvironmentName): string => {
  const current = simulation.taxRates.validAt(environment, simulation.now())
  const groups = (list: ReadonlyArray<Parameters<typeof taxRateGroupJson>[0]>) => `[${list.map(taxRateGroupJson).join(",")}]`
  return `{"currentTaxRates":${groups(current === undefined ? [] : [current])},"allTaxRates":${groups(simulation.taxRates.all(environment))}}`
}

const environments = (simulation: Simulation): string =>
  JSON.stringify(environmentNames.map((name) => ({
    name: name === "sandbox" ? "СИМУЛАТОР Sandbox" : "СИМУЛАТОР Production",
    url: new URL(simulation.environments[name].url).host,
    description: "СИМУЛАТОР ПФР, није Пореска управа",
    environmentName: name.toUpperCase()
  })))

const bodies: Readonly<Record<SharedServiceName, (simulation: Simulation, environment: SimulatedEnvironment) => string | Promise<string>>> = {
  "tax-rates": (simulation, { name }) => taxRates(simulation, name),
  "configuration": (_simulation, environment) => JSON.stringify(environmentParameters(environment)),
  "environments": environments,
  // A JSON string, not an object: the certificate's DER in base64.
  "encryption-certificate": async (_simulation, { authority }) => JSON.stringify((await authority.encryptionCertificate()).toString("base64"))
}

/** One of the shared services. No certificate is requested, and no fault applies: the real ones are on another host. */
export const answerShared = async (simulation: Simulation, environment: SimulatedEnvironment, service: SharedServiceName): Promise<Answer> =>
  jsonAnswer(200, await bodies[service](simulation, environment))
