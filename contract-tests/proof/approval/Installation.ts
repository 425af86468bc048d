import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { runAdmin } from "@overa/admin"
import { decodeVerificationLink, readJournal } from "@overa/domain"
import { Result } from "effect"
import { accessToken } from "../../src/support/accessToken.ts"
import { startSandboxProcess } from "../../src/support/sandboxProcess.ts"
import { drawn } from "./pictures.ts"
import type { Json, Sample } from "./Sample.ts"

export interface ApiAnswer {
  readonly status: number
  readonly json: Json
}

/** One request to the service, as the report shows it. */
export interface Step {
  readonly request: string
  readonly body: Json
  readonly status: number
  readonly answer: string
}

const summary = (json: Json): string => {
  const signed = json?.pfr ?? json?.refund?.pfr ?? json?.document?.pfr ?? json?.current?.pfr ?? json?.finalSale?.pfr
  return signed?.invoiceNumber ?? json?.code ?? (json?.errors === undefined ? json?.status ?? "" : JSON.stringify(json.errors))
}

/** The running service, its shop, and the requests that were made. */
export class Installation {
  readonly site: Json
  #token: string
  #steps: Array<Step> = []

  constructor(site: Json, token: string) {
    this.site = site
    this.#token = token
  }

  get place(): { readonly taxpayerId: string; readonly businessPremiseId: string } {
    return { taxpayerId: this.site.taxpayerId, businessPremiseId: this.site.businessPremiseId }
  }

  /** The simulator's control; null where another V-PFR signs. */
  get control(): string | null {
    return this.site.vpfr?.controlUrl ?? null
  }

  /** The requests since the last call. */
  takeSteps(): ReadonlyArray<Step> {
    const taken = this.#steps
    this.#steps = []
    return taken
  }

  /** A token ends before a slow machine is through the book. A request without a valid one has done nothing, so it is sent again with a new one. */
  async #ask(path: string, init: RequestInit = {}): Promise<Response> {
    const send = () => fetch(`${this.site.baseUrl}${path}`, { ...init, headers: { ...init.headers, Authorization: `Bearer ${this.#token}` } })
    const answer = await send()
    if (answer.status !== 401) return answer
    await answer.body?.cancel()
    this.#token = await accessToken(this.site, this.site)
    return send()
  }

  async call(method: string, path: string, body?: Json, key: string | null = null): Promise<ApiAnswer> {
    const headers = { "Content-Type": "application/json", ...(key === null ? {} : { "Idempotency-Key": key }) }
    const answer = await this.#ask(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const json = await answer.json() as Json
    this.#steps.push({ request: `${method} ${path}`, body: body ?? null, status: answer.status, answer: summary(json) })
    return { status: answer.status, json }
  }

  post(path: string, body: Json, key = `approval-${randomUUID()}`): Promise<ApiAnswer> {
    return this.call("POST", path, body, key)
  }

  /** The bytes of one representation. */
  async drawing(id: string, format: string): Promise<Uint8Array> {
    const answer = await this.#ask(`/v1/fiscal-documents/${id}/representations/${format}`)
    if (!answer.ok) throw new Error(`${format} of ${id}: ${answer.status}`)
    return new Uint8Array(await answer.arrayBuffer())
  }

  /** Everything about one signed document that the book compares. */
  async sample(about: Pick<Sample, "asked" | "number" | "title" | "withBuyer">, id: string): Promise<Sample> {
    const { json: document } = await this.call("GET", `/v1/fiscal-documents/${id}`)
    this.#steps.pop()
    if (document.pfr === null || document.pfr === undefined) throw new Error(`${about.title} has no receipt: ${JSON.stringify(document)}`)
    return {
      ...about,
      document,
      sent: await this.#sentFor(document.pfr.invoiceNumber),
      printed: Result.getOrThrow(readJournal(document.pfr.journal)),
      link: Result.getOrThrow(decodeVerificationLink(document.pfr.verificationUrl)),
      text: new TextDecoder().decode(await this.drawing(id, "official-text")),
      portal: await publicCheck(document.pfr.verificationUrl),
      ...await drawn((format) => this.drawing(id, format))
    }
  }

  async #sentFor(invoiceNumber: string): Promise<Json | null> {
    if (this.control === null) return null
    const answer = await fetch(`${this.control}/receipts/${invoiceNumber}`)
    return answer.ok ? JSON.parse((await answer.json() as Json).request) as Json : null
  }
}

/** The tax authority's answer to the receipt's link; null where it cannot be reached. */
const publicCheck = async (url: string): Promise<Sample["portal"]> => {
  const answer = await fetch(url, { headers: { Accept: "application/json" } }).catch(() => null)
  return answer?.ok === true ? await answer.json() as Sample["portal"] : null
}

/** A number for the samples: the tax authority has assigned none yet. */
const trialEsirNumber = "999/0.1.0"

const setEsirNumber = async (home: string): Promise<void> => {
  const refused: Array<string> = []
  const code = await runAdmin(["environment", "set", "sandbox", "--esir", trialEsirNumber, "--reason", "the test book"], {
    environment: { OVERA_HOME: home }, write: () => undefined, writeError: (text) => refused.push(text), nextLine: () => Promise.resolve(null), ask: null, userName: "approval"
  })
  if (code !== 0) throw new Error(refused.join(""))
}

/** An installation that already runs, by a file like the sandbox's `sandbox.json`; without one, a sandbox with the simulator. */
export const openInstallation = async (file: string | undefined): Promise<{ readonly installation: Installation; readonly close: () => Promise<void> }> => {
  const sandbox = file === undefined ? await startSandboxProcess() : null
  if (sandbox !== null) await setEsirNumber(dirname(sandbox.file))
  const site = JSON.parse(readFileSync(file ?? sandbox?.file ?? "", "utf8")) as Json
  return { installation: new Installation(site, await accessToken(site, site)), close: async () => sandbox?.stop() }
}
