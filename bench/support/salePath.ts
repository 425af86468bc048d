import { type ChildProcess, fork, spawn } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerIdentifiers } from "@overa/adapter-identity"
import { layerPostgres, migrate } from "@overa/adapter-postgres"
import { AccessActs, CredentialActs, ElementActs, InstallationActs, OrganizationActs, Scope, TaxpayerActs, webhookScope } from "@overa/domain"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { clientCa, element, jid, server, serverCa } from "../../adapters/vpfr/test/support/farEnd.ts"
import { newTokenKey } from "@overa/adapter-identity"
import { cpuMillis, heapArguments, imageVariables, residentMegabytes, servedAddress } from "../../contract-tests/src/support/hostProcess.ts"
import { bundleHost } from "../../tools/bundleHosts.ts"
import { leanCaller } from "./leanHttp.ts"

const act = { actor: "bench", reason: "measuring" }

/** One shop with an element that the minimal signer trusts, and a credential. */
const seed = Effect.gen(function*() {
  const accessActs = yield* AccessActs
  const credentialActs = yield* CredentialActs
  const installationActs = yield* InstallationActs
  const elementActs = yield* ElementActs
  const organizationActs = yield* OrganizationActs
  const taxpayerActs = yield* TaxpayerActs
  yield* accessActs.addTokenKey(act, yield* newTokenKey)
  yield* installationActs.changeEnvironment(act, "sandbox", { trafficEnabled: true, esirNumber: "1/1.0", vatCategories: ["VAT"] })
  yield* elementActs.addToPool(act, {
    jid,
    tin: "100000008",
    subject: "CN=bench",
    issuer: "CN=bench",
    serialNumber: "01",
    fingerprintSha256: randomBytes(32).toString("hex"),
    validFrom: DateTime.makeUnsafe("2020-01-01T00:00:00Z"),
    validTo: DateTime.makeUnsafe("2199-01-01T00:00:00Z"),
    privateKey: Redacted.make(element.privateKey),
    certificateChain: element.certificate,
    pac: Redacted.make("ABC123")
  })
  const organizationId = yield* organizationActs.createOrganization(act, "Bench")
  const { premises, taxpayer } = yield* taxpayerActs.createTaxpayer(act, organizationId, "sandbox", {
    taxIdentifier: "100000008",
    name: "Bench",
    address: null,
    city: null,
    vatStatus: "IN_VAT",
    businessPremises: [{ puIdentifier: "1", name: "Web", address: null, city: null }]
  })
  const issued = yield* credentialActs.issueCredential(act, organizationId, "sandbox", [...Scope.literals, webhookScope])
  return {
    taxpayerId: taxpayer.id,
    businessPremiseId: premises[0]?.premise.id ?? "",
    clientId: issued.clientId,
    clientSecret: Redacted.value(issued.clientSecret)
  }
})

const startSigner = async () => {
  const child = fork(new URL("./minimalSigner.ts", import.meta.url), { execArgv: ["--conditions=@overa/source"] })
  child.send({ key: server.privateKey, cert: server.certificate, ca: clientCa.certificate, jid })
  const [port] = (await once(child, "message")) as [number]
  return { url: `https://127.0.0.1:${port}`, delay: (delayMillis: number) => child.send({ delayMillis }), stop: () => child.disconnect() }
}

interface Host {
  readonly child: ChildProcess
  readonly url: string
}

/** The real host's own main, in a process of its own. */
const startHost = async (environment: Readonly<Record<string, string>>, nodeArguments: ReadonlyArray<string>, main: string): Promise<Host> => {
  const profile = process.env["OVERA_BENCH_PROFILE"]
  const profiling = profile === undefined ? [] : profile === "perf" ? ["--perf-basic-prof"] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]
  const child = spawn(process.execPath, [...profiling, ...nodeArguments, "--conditions=@overa/source", main], {
    env: { ...process.env, ...imageVariables(), ...environment },
    stdio: ["ignore", "pipe", "inherit"]
  })
  return { child, url: await servedAddress(child) }
}

const saleOf = (shop: { readonly taxpayerId: string; readonly businessPremiseId: string }) =>
  JSON.stringify({
    ...shop,
    clientReference: "order",
    invoiceType: "NORMAL",
    transactionType: "SALE",
    cashier: { id: "web" },
    items: Array.from({ length: 10 }, (_, index) => ({
      name: `Књига „Дервиш и смрт“, тврди повез, издање ${index}`,
      unitOfMeasure: "ком",
      quantity: 1,
      unitPrice: 125.5,
      gtin: "8600000000017",
      taxLabels: ["A"]
    })),
    payments: [{ type: "CARD", amount: 1_255 }],
    metadata: { order: "x".repeat(300) }
  })

const stopHost = async ({ child }: Host): Promise<void> => {
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  await ended
}

interface HostOptions {
  /** Further variables of each host. */
  readonly settings?: Readonly<Record<string, string>>
  /** Those of its Node; default the image's. */
  readonly nodeArguments?: ReadonlyArray<string>
  /** Default the bundle, as in the image; a profile names places in the sources. */
  readonly runs?: "bundle" | "source"
}

/**
 * Koa, PostgreSQL and a minimal signer over mutual TLS, each in a process of its own. `sell(n)` is one sale through all of it, round robin over the
 * first n hosts, as with a load balancer.
 */
export const salePath = async (
  databaseUrl: string,
  hostCount: number,
  { nodeArguments = heapArguments(), runs = "bundle", settings = {} }: HostOptions = {}
) => {
  const home = mkdtempSync(join(tmpdir(), "overa-bench-"))
  const main = runs === "bundle" ? (await bundleHost("rest-api", home)).file : new URL("../../hosts/rest-api/src/main.ts", import.meta.url).pathname
  const keys = { secret: `k1:${randomBytes(32).toString("base64")}`, credential: randomBytes(32) }
  const ports = layerPostgres({
    database: { url: Redacted.make(databaseUrl), applicationName: "bench" },
    encryptionKeys: Redacted.make(keys.secret),
    credentialKey: Redacted.make<Uint8Array>(keys.credential),
    host: { hostId: "bench", bootId: randomUUID(), configuredAdapters: new Set(["sandbox"]) }
  }).pipe(Layer.provide(layerIdentifiers))
  const shop = await Effect.runPromise(Effect.provide(Effect.andThen(migrate(), seed), ports))
  const signer = await startSigner()
  const caFile = join(home, "ca.pem")
  writeFileSync(caFile, serverCa.certificate)
  const shared = {
    OVERA_LISTEN_HOST: "127.0.0.1",
    DATABASE_URL: databaseUrl,
    OVERA_SECRET_KEYS: keys.secret,
    OVERA_CREDENTIAL_KEY: keys.credential.toString("base64"),
    OVERA_VPFR_SANDBOX_URL: signer.url,
    OVERA_VPFR_SANDBOX_CA_FILE: caFile
  }
  const startOne = (number: number) => startHost({
    ...shared,
    PORT: "0",
    OVERA_HOST_ID: `bench-${number}`,
    OVERA_RATE_LIMIT_PER_SECOND: "1000000",
    OVERA_RATE_LIMIT_BURST: "1000000",
    ...settings
  }, nodeArguments, main)
  const first = await startOne(0)
  const hosts = [first]
  while (hosts.length < hostCount) hosts.push(await startOne(hosts.length))
  const callers = hosts.map(({ url }) => leanCaller(url))
  const bearer = async (): Promise<string> => {
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: shop.clientId, client_secret: shop.clientSecret })
    const granted = await fetch(`${first.url}/oauth/token`, { method: "POST", body })
    const { access_token } = await granted.json() as { readonly access_token: string }
    return `Bearer ${access_token}`
  }
  let authorization = await bearer()
  // A token is valid for five minutes; a long run takes longer.
  const renewal = setInterval(async () => {
    authorization = await bearer()
  }, 120_000)
  const body = Buffer.from(saleOf({ taxpayerId: shop.taxpayerId, businessPremiseId: shop.businessPremiseId }))
  let begun = 0
  let sold = 0
  return {
    /** The variables that a worker of this installation needs too. */
    workerSettings: shared,
    /** Asks the API for something else than a sale. */
    ask: async (path: string, content: object): Promise<void> => {
      const answer = await fetch(`${first.url}${path}`, { method: "POST", headers: { authorization, "content-type": "application/json" }, body: JSON.stringify(content) })
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    },
    sold: (): number => sold,
    urls: hosts.map(({ url }) => url),
    sell: (by: number) => async (): Promise<void> => {
      const caller = callers[(begun += 1) % by]
      if (caller === undefined) throw new Error(`there are ${callers.length} hosts`)
      const headers = `authorization: ${authorization}\r\ncontent-type: application/json\r\nidempotency-key: ${randomUUID()}\r\n`
      const answer = await caller.post("/v1/fiscal-documents", headers, body)
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body.subarray(0, 300).toString()}`)
      sold += 1
    },
    delay: signer.delay,
    /** Of all hosts together. */
    cpuMillis: (): number => hosts.reduce((sum, host) => sum + cpuMillis(host.child.pid ?? 0), 0),
    /** Of each host. */
    rssMegabytes: (): ReadonlyArray<number> => hosts.map(({ child }) => residentMegabytes(child.pid ?? 0)),
    stop: async () => {
      clearInterval(renewal)
      callers.forEach((caller) => caller.close())
      for (const host of hosts) await stopHost(host)
      signer.stop()
      rmSync(home, { recursive: true, force: true })
    }
  }
}
