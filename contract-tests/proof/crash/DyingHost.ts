import { freePort } from "../../src/support/freePort.ts"
import { contradictions, readBooks } from "./compareBooks.ts"
import type { CrashPoint } from "./CrashPoint.ts"
import { CrashSite } from "./CrashSite.ts"
import { MortalProcess } from "./MortalProcess.ts"

/** A site with a host and a worker that run throughout, and a second host that is made to crash and starts again under its name. */
export class DyingHost {
  readonly site: CrashSite
  readonly livingUrl: string
  readonly dyingUrl: string
  private readonly port: number
  private readonly name: string
  private readonly around: ReadonlyArray<MortalProcess>
  private started: Array<MortalProcess> = []

  private constructor(site: CrashSite, name: string, ports: { readonly living: number; readonly dying: number }, around: ReadonlyArray<MortalProcess>) {
    this.site = site
    this.name = name
    this.port = ports.dying
    this.livingUrl = `http://127.0.0.1:${ports.living}`
    this.dyingUrl = `http://127.0.0.1:${ports.dying}`
    this.around = around
  }

  static async open(name: string): Promise<DyingHost> {
    const site = await CrashSite.open()
    const ports = { living: await freePort(), dying: await freePort() }
    const living = (role: "api" | "worker") => MortalProcess.start({ role, variables: site.variables(`${name} ${role}`, ports.living) })
    return new DyingHost(site, name, ports, await Promise.all([living("api"), living("worker")]))
  }

  /** Starts the host; with a point, it crashes there. */
  async start(point?: CrashPoint, hit?: number): Promise<MortalProcess> {
    const variables = this.site.variables(`${this.name} dying`, this.port)
    const host = await MortalProcess.start({ role: "api", variables, ...(point === undefined ? {} : { point }), ...(hit === undefined ? {} : { hit }) })
    this.started.push(host)
    return host
  }

  /** The host crashes while it processes a request, and starts again. Answers the caller's result. */
  async diesOver<A>(send: () => Promise<A>, at: { readonly point: CrashPoint; readonly hit: number }): Promise<A> {
    const host = await this.start(at.point, at.hit)
    const answer = await send()
    await host.ended
    await this.start()
    return answer
  }

  /** The contradictions between the store and the V-PFR. */
  async contradictions(): Promise<ReadonlyArray<string>> {
    return contradictions(await readBooks(this.site.settings.databaseUrl, this.site.controlUrl))
  }

  /** Stops what one test started. */
  async rest(): Promise<void> {
    await this.site.clearFaults()
    await Promise.all(this.started.filter(({ alive }) => alive).map((host) => host.kill()))
    this.started = []
  }

  async close(): Promise<void> {
    await this.rest()
    await Promise.all(this.around.map((host) => host.kill()))
    await this.site.close()
  }
}
