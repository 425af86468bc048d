import { startStandIn, type StandInCompany } from "@overa/adapter-company-register"
import { Effect } from "effect"
import { SandboxProblem } from "./SandboxProblem.ts"

/** The stand-in listens on the loopback only; its login is no secret. */
export const registerLogin = {
  userName: "sandbox",
  password: "sandbox",
  licenceId: "00000000-0000-4000-8000-000000000001"
}

/** Buyers whose name and address a sandbox receipt shows. Their tax identifiers have right check digits. */
export const sandboxCompanies: ReadonlyArray<StandInCompany> = [
  { taxIdentifier: "100000008", registrationNumber: "07000001", name: "ПРИМЕР ДОО БЕОГРАД", address: "Кнез Михаилова 1", city: "Београд" },
  { taxIdentifier: "100000016", registrationNumber: "07000002", name: "PRIMER TRGOVINA DOO NOVI SAD", address: "Dunavska 2", city: "Novi Sad" }
]

/** The stand-in of the company register, running until the scope closes. */
export const companyRegister = Effect.acquireRelease(
  Effect.tryPromise({
    try: () => startStandIn(registerLogin, sandboxCompanies),
    catch: (cause) => new SandboxProblem({ line: `the company register's stand-in did not start: ${(cause as Error).message}` })
  }),
  (register) => Effect.promise(() => register.stop())
)
