import { supportedLanguages } from "../receipts/journalWords.ts"
import { type Answer, jsonAnswer } from "../server/Answer.ts"
import type { SimulatedEnvironment } from "../Simulation.ts"

/** The installation's self-description (V-PFR §5); every address is the simulator's own. */
export const environmentParameters = (environment: SimulatedEnvironment) => ({
  organizationName: "СИМУЛАТОР ПФР, није Пореска управа",
  serverTimeZone: "Central Europe Standard Time",
  street: "Саве Машковића 3-5",
  city: "Београд",
  country: "RS",
  endpoints: {
    taxpayerAdminPortal: `${environment.url}/`,
    taxCoreApi: `${environment.url}/`,
    vsdc: `${environment.url}/`,
    root: environment.verificationRoot
  },
  environmentName: environment.name === "sandbox" ? "СИМУЛАТОР СУФ Развој" : "СИМУЛАТОР СУФ",
  logo: `${environment.url}/DownloadContent/TAlogo.png`,
  ntpServer: "http://0.pool.ntp.org:80/",
  supportedLanguages
})

export const getEnvironmentParameters = (environment: SimulatedEnvironment): Answer =>
  jsonAnswer(200, JSON.stringify(environmentParameters(environment)))
