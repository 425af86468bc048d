import { openCertificateAuthority } from "./certificates/certificateAuthority.ts"
import type { Element, IssueElement } from "./certificates/Element.ts"
import { ElementRegister } from "./certificates/ElementRegister.ts"
import { ControlServer } from "./control/ControlServer.ts"
import { openDataDirectory, type DataDirectory } from "./DataDirectory.ts"
import { type EnvironmentName, environmentNames } from "./EnvironmentName.ts"
import type { Fault, FaultOrder } from "./faults/Fault.ts"
import { FaultBoard } from "./faults/FaultBoard.ts"
import { ReceiptStore, type ReceiptSummary } from "./receipts/ReceiptStore.ts"
import { openSigners } from "./receipts/Signer.ts"
import { EnvironmentServer } from "./server/EnvironmentServer.ts"
import type { SimulatedEnvironment, Simulation } from "./Simulation.ts"
import type { SimulatorOptions } from "./SimulatorOptions.ts"
import { TaxRateRegister } from "./taxes/TaxRateRegister.ts"
import { VerificationServer } from "./verification/VerificationServer.ts"

export interface RunningEnvironment {
  /** The V-SDC's base address, without a path: `https://127.0.0.1:7443`. */
  readonly url: string
  /** What every link begins with, `…/v/?vl=` included. */
  readonly verificationUrl: string
}

export interface RunningSimulator extends Readonly<Record<EnvironmentName, RunningEnvironment>> {
  readonly controlUrl: string
  readonly issueElement: (request: IssueElement) => Promise<Element>
  readonly revokeElement: (jid: string) => Promise<void>
  /** The environment's root certificate in PEM: what a client configures as its trust anchor. */
  readonly trustAnchorsPem: (environment: EnvironmentName) => string
  readonly addFault: (fault: FaultOrder) => Promise<Fault>
  readonly clearFaults: () => Promise<void>
  /** The receipts signed for a RequestId, oldest first; with null all of them. */
  readonly receipts: (requestId: string | null) => ReadonlyArray<ReceiptSummary>
  /** Closes every port and connection; resolves once what was signed is on disk. */
  readonly stop: () => Promise<void>
}

const openEnvironment = async (
  directory: DataDirectory,
  name: EnvironmentName,
  signerCount: number
): Promise<SimulatedEnvironment> => {
  const [authority, signers, receipts] = await Promise.all([
    // TLS connects real machines: its certificates follow the real clock, whatever time the receipts have.
    openCertificateAuthority(directory, name, Date.now()),
    openSigners(directory, name, signerCount),
    ReceiptStore.open(directory, name)
  ])
  let turn = 0
  const nextSigner = () => {
    const signer = signers[turn++ % signers.length]
    if (signer === undefined) throw new RangeError("An environment needs at least one signer.")
    return signer
  }
  return { name, authority, signers, receipts, url: "", verificationRoot: "", nextSigner }
}

const openSimulation = async (directory: DataDirectory, options: SimulatorOptions): Promise<Simulation> => {
  const now = options.now ?? Date.now
  const signers = options.signers ?? 3
  if (!Number.isInteger(signers) || signers < 1 || signers > 20) throw new RangeError("signers must be a whole number from 1 to 20.")
  const [sandbox, production, taxRates] = await Promise.all([
    openEnvironment(directory, "sandbox", signers),
    openEnvironment(directory, "production", signers),
    TaxRateRegister.open(directory, now())
  ])
  const environments = { sandbox, production }
  const addresses = (name: EnvironmentName) => ({
    get taxCoreApi() {
      return `${environments[name].url}/`
    },
    get vsdc() {
      return `${environments[name].url}/`
    }
  })
  const elements = await ElementRegister.open(
    directory,
    { sandbox: sandbox.authority, production: production.authority },
    { sandbox: addresses("sandbox"), production: addresses("production") },
    now
  )
  return {
    now,
    settings: {
      notFoundForm: options.notFoundForm ?? "200-null",
      headerForm: options.headerForm ?? "centred",
      pacRefusalStatus: options.pacRefusalStatus ?? 400,
      labelOrder: options.labelOrder ?? "first-use",
      internalDataBytes: options.internalDataBytes ?? 256,
      paymentDecimals: options.paymentDecimals ?? 2
    },
    faults: new FaultBoard(),
    elements,
    taxRates,
    environments
  }
}

interface Closable {
  readonly close: () => Promise<void>
}

const openServers = async (simulation: Simulation, options: SimulatorOptions, opened: Array<Closable>): Promise<string> => {
  const host = options.host ?? "127.0.0.1"
  const shown = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  for (const name of environmentNames) {
    const environment = simulation.environments[name]
    const chosen = options.environments?.[name] ?? {}
    const identity = await environment.authority.serverIdentity(
      [...new Set(["localhost", "127.0.0.1", "::1", shown, ...(options.hostNames ?? [])])],
      Date.now()
    )
    const mode = options.clientCertificate ?? "handshake"
    const https = new EnvironmentServer(simulation, environment, { host, port: chosen.port ?? 0, identity, mode })
    opened.push(https)
    environment.url = `https://${shown}:${await https.open()}`
    const page = new VerificationServer(simulation, environment)
    opened.push(page)
    const pagePort = await page.open(host, chosen.verificationPort ?? 0)
    environment.verificationRoot = chosen.verificationRoot ?? `http://${shown}:${pagePort}/v/?vl=`
  }
  const control = new ControlServer(simulation)
  opened.push(control)
  return `http://127.0.0.1:${await control.open(options.controlPort ?? 0)}`
}

const closeAll = async (opened: ReadonlyArray<Closable>, directory: DataDirectory): Promise<void> => {
  for (const each of opened.toReversed()) await each.close()
  directory.close()
}

/** Starts both environments and the control API in this process. */
export const startSimulator = async (options: SimulatorOptions = {}): Promise<RunningSimulator> => {
  const directory = await openDataDirectory(options.dataDirectory)
  const opened: Array<Closable> = []
  try {
    const simulation = await openSimulation(directory, options)
    const { elements, environments, faults } = simulation
    opened.push(elements, environments.sandbox.receipts, environments.production.receipts)
    const controlUrl = await openServers(simulation, options, opened)
    const running = (name: EnvironmentName): RunningEnvironment => ({
      url: environments[name].url,
      verificationUrl: environments[name].verificationRoot
    })
    let stopping: Promise<void> | undefined
    return {
      sandbox: running("sandbox"),
      production: running("production"),
      controlUrl,
      issueElement: (request) => elements.issue(request),
      revokeElement: (jid) => elements.revoke(jid),
      trustAnchorsPem: (name) => environments[name].authority.rootPem,
      addFault: (fault) => faults.add(fault),
      clearFaults: async () => {
        await faults.clear()
      },
      receipts: (requestId) =>
        environmentNames.flatMap((name) => {
          const { receipts } = environments[name]
          return requestId === null ? receipts.all() : receipts.withRequestId(requestId)
        }),
      stop: () => stopping ??= closeAll(opened, directory)
    }
  } catch (cause) {
    await closeAll(opened, directory)
    throw cause
  }
}
