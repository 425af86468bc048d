/**
 * Measures the V-PFR client against a server in another process: CPU of a kept-alive submission compared with a bare POST, memory of a thousand open
 * elements, and how one hanging element affects the others.
 *
 *   node --expose-gc --conditions=@overa/source bench/vpfr-client.ts
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { performance } from "node:perf_hooks"
import { DateTime, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { Client } from "undici"
import { type InvoiceToSign, type OpenedElement, type SubmissionOutcome, TaxAuthority } from "@overa/domain"
import { VpfrConnection, VpfrTaxAuthority } from "@overa/adapter-vpfr"
import { composeInvoiceRequest } from "../adapters/vpfr/src/composeInvoiceRequest.ts"
import { elementConnector, elementSecureContext } from "../adapters/vpfr/src/mutualTls.ts"
import {
  clientCa,
  content,
  credentials,
  element,
  elementId,
  invoice,
  item,
  jid,
  newRequestId,
  server,
  serverCa,
  vaultOf
} from "../adapters/vpfr/test/support/farEnd.ts"
import { median } from "./support/load.ts"
import { tellFigure } from "./support/figures.ts"

const hangingPac = "HANGS0"
const elements = 1_000
const connections = 8
const basket = content({ items: Array.from({ length: 5 }, (_, index) => item("100", `Артикал број ${index}`)) })

const startFarEnd = async () => {
  const child = fork(new URL("./vpfr-far-end.ts", import.meta.url), { execArgv: ["--conditions=@overa/source"] })
  child.send({ key: server.privateKey, cert: server.certificate, ca: clientCa.certificate, jid, hangingPac })
  const [port] = (await once(child, "message")) as [number]
  return { url: `https://127.0.0.1:${port}`, stop: () => child.disconnect() }
}

const makeClient = (baseUrl: string) => {
  const vault = new Map(Array.from({ length: elements + 1 }, (_, index) => [elementId(index), credentials()] as const))
  vault.set(elementId(0), credentials({ pac: Redacted.make(hangingPac) }))
  const connection = Layer.orDie(VpfrConnection.layer({
    environments: { sandbox: { baseUrl, trustAnchors: serverCa.certificate, verificationRoot: "https://pfr.test/v/?vl=" } },
    connectionsPerElement: connections
  }))
  const runtime = ManagedRuntime.make(VpfrTaxAuthority.layer.pipe(Layer.provide(Layer.merge(connection, vaultOf(vault)))))
  const callerGone = new AbortController().signal
  const invoiceOf = (number: number): InvoiceToSign => invoice({ elementId: elementId(number), content: basket })
  const attempt = () => ({ requestId: newRequestId(), firstByteWithinMillis: 10_000, callerGone, submittedAt: DateTime.makeUnsafe(Date.now()) })
  const submitEffect = (invoiceToSign: InvoiceToSign): Effect.Effect<SubmissionOutcome, unknown, TaxAuthority> =>
    Effect.gen(function*() {
      const authority = yield* TaxAuthority
      const opened: OpenedElement = yield* authority.open(invoiceToSign)
      return yield* opened.submit(invoiceToSign, attempt())
    })
  const mustBeSigned = (outcome: SubmissionOutcome) => {
    if (outcome._tag !== "Signed") throw new Error(JSON.stringify(outcome).slice(0, 500))
  }
  const submit = async (number: number): Promise<void> => mustBeSigned(await runtime.runPromise(submitEffect(invoiceOf(number))))
  /** As in a use case: inside a fiber that is running anyway. As many fibers as the bare client has connections. */
  const submitMany = (total: number): Promise<void> => {
    const sale = invoiceOf(1) // the caller's part, like the bare client's body: made once
    let next = 0
    const lane = Effect.gen(function*() {
      for (; next < total;) {
        next += 1
        mustBeSigned(yield* submitEffect(sale))
      }
    })
    return runtime.runPromise(Effect.forEach(Array.from({ length: connections }), () => lane, { concurrency: connections, discard: true }))
  }
  const hang = () => void runtime.runPromise(submitEffect(invoiceOf(0))).catch(() => undefined)
  return { submit, submitMany, hang, close: () => runtime.dispose() }
}

/** Eight kept connections with the same TLS, the same body, and undici alone. */
const makeBare = (baseUrl: string) => {
  const secureContext = elementSecureContext({
    privateKey: element.privateKey,
    certificateChain: element.certificate,
    trustAnchors: serverCa.certificate
  })
  const connector = elementConnector(secureContext, 10_000)
  const clients = Array.from({ length: connections }, () => new Client(baseUrl, { connect: connector, pipelining: 1, keepAliveTimeout: 60_000 }))
  const body = composeInvoiceRequest(basket, "sandbox")
  const post = async (turn: number): Promise<void> => {
    const headers = { accept: "application/json", "content-type": "application/json", PAC: "ABC123", RequestId: newRequestId() }
    const client = clients[turn % connections]
    const answer = await client?.request({ method: "POST", path: "/api/v3/invoices", headers, body })
    await answer?.body.text()
  }
  return { post, close: async () => void (await Promise.all(clients.map((client) => client.destroy()))) }
}

const run = async (total: number, width: number, once_: (turn: number) => Promise<void>): Promise<void> => {
  let next = 0
  await Promise.all(Array.from({ length: width }, async (_, lane) => {
    for (; next < total;) {
      next += 1
      await once_(lane)
    }
  }))
}

const cpuMicros = async (total: number, work: (total: number) => Promise<void>): Promise<number> => {
  const before = process.cpuUsage()
  await work(total)
  const { system, user } = process.cpuUsage(before)
  return (system + user) / total
}

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
const print = (line: string) => void process.stdout.write(`${line}\n`)

const measureCpu = async (url: string): Promise<void> => {
  const client = makeClient(url)
  const bare = makeBare(url)
  const post = (total: number) => run(total, connections, bare.post)
  await cpuMicros(6_000, client.submitMany)
  await cpuMicros(6_000, post)
  const ours: Array<number> = []
  const theirs: Array<number> = []
  for (let round = 0; round < 31; round += 1) {
    ours.push(await cpuMicros(1_000, client.submitMany))
    theirs.push(await cpuMicros(1_000, post))
  }
  await bare.close()
  await client.close()
  // Over consecutive rounds: a slow moment of the machine affects both.
  const ratio = median(ours.map((micros, round) => micros / (theirs[round] ?? Number.NaN)))
  const leastDisturbed = Math.min(...ours) / Math.min(...theirs)
  const of = (values: ReadonlyArray<number>) => `${Math.min(...values).toFixed(0)} µs (median ${median(values).toFixed(0)})`
  print(`client CPU per kept-alive submission ${of(ours)}, bare POST ${of(theirs)}: median ratio ${ratio.toFixed(2)} (at most 2), of the least disturbed rounds ${leastDisturbed.toFixed(2)}`)
  tellFigure({ name: "V-PFR client: CPU of a submission / bare POST", value: leastDisturbed, better: "lower" })
}

const residentMegabytes = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().rss / 1_048_576
}

const measureMemory = async (url: string): Promise<void> => {
  const client = makeClient(url)
  await run(100, 4, () => client.submit(1))
  const before = residentMegabytes()
  let next = 1
  await run(elements, 16, () => client.submit((next += 1) > elements ? 1 : next))
  print(`${elements} elements with an open connection each add ${(residentMegabytes() - before).toFixed(0)} MB (at most 180)`)
  await client.close()
}

const latencies = async (submit: (number: number) => Promise<void>, total: number): Promise<ReadonlyArray<number>> => {
  const millis: Array<number> = []
  let next = 0
  await run(total, 8, async () => {
    const number = 1 + ((next += 1) % 99)
    const from = performance.now()
    await submit(number)
    millis.push(performance.now() - from)
  })
  return millis
}

const measureIsolation = async (url: string): Promise<void> => {
  const calmClient = makeClient(url)
  const hungClient = makeClient(url)
  const calm: Array<number> = []
  const hung: Array<number> = []
  // Twenty requests of the hanging element: its eight connections and twelve that wait.
  for (let i = 0; i < 20; i += 1) hungClient.hang()
  for (let round = -2; round < 8; round += 1) {
    const order = round % 2 === 0 ? ([[calmClient, calm], [hungClient, hung]] as const) : ([[hungClient, hung], [calmClient, calm]] as const)
    for (const [client, results] of order) {
      const p99 = percentile(await latencies(client.submit, 1_000), 0.99)
      if (round >= 0) results.push(p99)
    }
  }
  const difference = (median(hung) / median(calm) - 1) * 100
  print(`p99 of 99 elements ${median(calm).toFixed(1)} ms, beside a hanging one ${median(hung).toFixed(1)} ms: ${difference.toFixed(0)} % (at most 10)`)
}

const farEnd = await startFarEnd()
await measureCpu(farEnd.url)
await measureMemory(farEnd.url)
await measureIsolation(farEnd.url)
farEnd.stop()
process.exit(0)
