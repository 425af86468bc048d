import { Effect, Layer, Redacted } from "effect"
import {
  type ElementCredentials,
  type Environment,
  type InvoiceToSign,
  OrganizationId,
  SecurityElementId,
  SecurityElements,
  SecurityElementUnavailable,
  type Tenant
} from "@overa/domain"
import { readPfx, VpfrConnection, type VpfrConnectionOptions } from "@overa/adapter-vpfr"
import { type Element, type RunningSimulator, type SimulatorOptions, startSimulator } from "@overa/vpfr-simulator"

/** A running simulator and a vault with the elements it issued, as the V-PFR adapter needs them. */
export interface SimulatedVpfr {
  readonly simulator: RunningSimulator
  readonly tenant: Tenant
  /** Issues an element, reads its PFX and puts it into the vault. */
  readonly addElement: (options?: { readonly sameKeyAs?: string; readonly environment?: Environment }) => Promise<IssuedElement>
  readonly vault: Map<string, ElementCredentials>
  readonly layer: (options?: Partial<VpfrConnectionOptions>) => Layer.Layer<VpfrConnection | SecurityElements>
}

export interface IssuedElement {
  readonly id: SecurityElementId
  readonly element: Element
  /** A document of this element. */
  readonly invoice: (content: InvoiceToSign["content"]) => InvoiceToSign
}

const numbered = (prefix: string, number: number) => `${prefix}0000000-0000-7000-8000-${String(number).padStart(12, "0")}`

export const organizationId = OrganizationId.make(numbered("1", 1))

/** The vault for the adapter: exactly the content of the map. */
export const vaultOf = (vault: ReadonlyMap<string, ElementCredentials>) =>
  Layer.succeed(
    SecurityElements,
    SecurityElements.of({
      open: (_organizationId, id) => {
        const credentials = vault.get(id)
        return credentials === undefined
          ? Effect.fail(new SecurityElementUnavailable({ detail: "no such element" }))
          : Effect.succeed(credentials)
      }
    })
  )

const subjectOf = (number: number, environment: Environment) => ({
  environment,
  businessName: `Продавница ${number}`,
  tin: String(100_000_000 + number),
  locationName: `${1_000_000 + number}-Продавница`,
  address: "Кнеза Милоша 1",
  city: "Београд"
})

export const simulatedVpfr = async (simulated: SimulatorOptions = {}): Promise<SimulatedVpfr> => {
  const simulator = await startSimulator(simulated)
  const vault = new Map<string, ElementCredentials>()
  const tenant: Tenant = { organizationId, environment: "sandbox" }
  const addElement: SimulatedVpfr["addElement"] = async ({ environment = "sandbox", sameKeyAs } = {}) => {
    const number = vault.size + 1
    const element = await simulator.issueElement({
      ...subjectOf(number, environment),
      ...(sameKeyAs === undefined ? {} : { sameKeyAs })
    })
    const file = await Effect.runPromise(readPfx(element.pfx, Redacted.make(element.password)))
    const id = SecurityElementId.make(numbered("2", number))
    vault.set(id, {
      environment,
      jid: file.facts.jid,
      tin: file.facts.tin ?? "",
      privateKey: Redacted.make(file.privateKeyPem),
      certificateChain: file.certificateChainPem,
      pac: Redacted.make(element.pac),
      validTo: file.facts.validTo
    })
    const invoice = (content: InvoiceToSign["content"]): InvoiceToSign => ({
      tenant: { organizationId, environment },
      elementId: id,
      jid: element.jid,
      content,
      taxRates: null
    })
    return { id, element, invoice }
  }
  const connection = (environment: Environment) => ({
    baseUrl: simulator[environment].url,
    trustAnchors: simulator.trustAnchorsPem(environment),
    verificationRoot: simulator[environment].verificationUrl
  })
  const layer: SimulatedVpfr["layer"] = (options = {}) =>
    Layer.merge(
      Layer.orDie(VpfrConnection.layer({
        environments: { sandbox: connection("sandbox"), production: connection("production") },
        ...options
      })),
      vaultOf(vault)
    )
  return { simulator, tenant, addElement, vault, layer }
}
