import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Environment, Environment as Environments } from "@overa/domain"
import { mailSender, type SharedSettings } from "./hostConfigs.ts"

const rootFile = (home: string, environment: Environment): string => join(home, "roots", `${environment}.pem`)

/** Writes the trust roots to files beside the data, for the variables that name them. */
export const writeRoots = (home: string, settings: Pick<SharedSettings, "roots">): void => {
  mkdirSync(join(home, "roots"), { recursive: true })
  for (const environment of Environments.literals) writeFileSync(rootFile(home, environment), settings.roots[environment])
}

const vpfrVariables = (home: string, { simulator }: SharedSettings, environment: Environment): Record<string, string> => {
  const prefix = `OVERA_VPFR_${environment.toUpperCase()}`
  return {
    [`${prefix}_URL`]: simulator[environment].url,
    [`${prefix}_CA_FILE`]: rootFile(home, environment),
    [`${prefix}_VERIFICATION_ROOT`]: simulator[environment].verificationUrl
  }
}

/** The sandbox's settings as the variables a production host or the operator's command reads from its environment. */
export const hostVariables = (home: string, settings: SharedSettings): Record<string, string> => ({
  DATABASE_URL: settings.databaseUrl,
  OVERA_SECRET_KEYS: settings.secrets.secretKeys,
  OVERA_CREDENTIAL_KEY: settings.secrets.credentialKey,
  OVERA_SMTP_URL: settings.smtpUrl,
  OVERA_MAIL_SENDER: mailSender,
  ...vpfrVariables(home, settings, "sandbox"),
  ...vpfrVariables(home, settings, "production")
})
