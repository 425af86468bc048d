import type { Environment } from "@overa/domain"
import type { PortalConfig } from "@overa/portal"
import type { RestApiConfig } from "@overa/rest-api"
import type { WorkerConfig } from "@overa/worker"
import { Redacted } from "effect"
import { registerLogin } from "./companyRegister.ts"
import type { SandboxSecrets } from "./SandboxSecrets.ts"
import type { RunningSimulator } from "./SimulatorProcess.ts"

export const databaseName = "overa"

/** The settings that both hosts of the sandbox share; a production host reads the same ones from its environment. */
export interface SharedSettings {
  readonly databaseUrl: string
  readonly secrets: SandboxSecrets
  readonly simulator: Pick<RunningSimulator, Environment>
  readonly roots: Readonly<Record<Environment, string>>
  /** The stand-in of the company register. */
  readonly registerUrl: string
  /** The mail catcher. */
  readonly smtpUrl: string
}

const vpfrOf = ({ roots, simulator }: SharedSettings, environment: Environment) => ({
  baseUrl: simulator[environment].url,
  trustAnchors: roots[environment],
  verificationRoot: simulator[environment].verificationUrl
})

/** What the REST host and the worker share: the store, its keys, and both environments of the V-PFR. */
export const storeAndVpfr = (settings: SharedSettings) => ({
  databaseUrl: Redacted.make(settings.databaseUrl),
  encryptionKeys: Redacted.make(settings.secrets.secretKeys),
  credentialKey: Redacted.make<Uint8Array>(Buffer.from(settings.secrets.credentialKey, "base64")),
  vpfr: { sandbox: vpfrOf(settings, "sandbox"), production: vpfrOf(settings, "production") }
})

export const restApiSettings = (settings: SharedSettings, port: number): RestApiConfig => ({
  ...storeAndVpfr(settings),
  // Every program on this machine may read the file with the sandbox's secrets, so the API is not offered to the network.
  listenHost: "127.0.0.1",
  port,
  baseUrl: null,
  hostId: "sandbox api",
  contactEmail: "operator@overa.example",
  identity: { issuer: `http://127.0.0.1:${port}`, audience: "overa-api", external: null },
  companyRegister: {
    url: settings.registerUrl,
    userName: registerLogin.userName,
    password: Redacted.make(registerLogin.password),
    licenceId: registerLogin.licenceId
  },
  mailConfigured: true,
  trustProxy: null,
  rateLimit: { perSecond: 20_000, burst: 40_000 },
  securityContact: null,
  registrations: { taxpayers: 50, premises: 50 },
  capacity: { requests: 1_024, bodyBytes: 8_388_608, answerBytes: 33_554_432 }
})

/** The sender address of messages; it receives none. */
export const mailSender = "receipts@sandbox.overa.example"

const mailOf = (settings: Pick<SharedSettings, "smtpUrl">) => ({ url: Redacted.make(settings.smtpUrl), sender: mailSender, trustAnchors: null })

/** The portal's settings; the same as the API's where both have them. */
export const portalSettings = (settings: SharedSettings, port: number): PortalConfig => {
  const { companyRegister, listenHost, mailConfigured, registrations, trustProxy } = restApiSettings(settings, port)
  // By its name and not by its number: browsers offer passkeys for localhost, and for no numeric address.
  const baseUrl = port === 0 ? null : `http://localhost:${port}`
  return { ...storeAndVpfr(settings), listenHost, port, baseUrl, companyRegister, mailConfigured, registrations, trustProxy, mail: mailOf(settings), signInIssuer: null, hostId: "sandbox portal" }
}

export const workerSettings = (settings: SharedSettings): WorkerConfig => ({
  ...storeAndVpfr(settings),
  hostId: "sandbox worker",
  mail: mailOf(settings),
  // A receiver that somebody tries out is on this machine.
  webhooks: { proxy: null, allowPrivate: true }
})
