import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { bundleHost } from "../../../tools/bundleHosts.ts"
import { CrashSite } from "../crash/CrashSite.ts"
import { cpuMillis, heapArguments, imageVariables, residentMegabytes, servedAddress } from "../../src/support/hostProcess.ts"

/** Measurements of a host during one period. */
export interface HostFigures {
  /** The longest time the event loop was blocked, milliseconds. */
  readonly longestLoopMillis: number
  readonly peakMegabytes: number
  /** Processor time of all its threads, in percent of one core. */
  readonly cpuPercent: number
  readonly alive: boolean
}

const watch = fileURLToPath(new URL("./watchLoop.ts", import.meta.url))

/** Starts a program as the image starts it, and waits for the address at which it serves. */
const started = async (program: string, variables: Readonly<Record<string, string>>, more: ReadonlyArray<string> = []) => {
  const child = spawn(process.execPath, [...heapArguments(), ...more, program], {
    env: { ...process.env, ...imageVariables(), ...variables },
    stdio: ["ignore", "pipe", "inherit", "ipc"]
  })
  return { child, url: await servedAddress(child) }
}

type Started = Awaited<ReturnType<typeof started>>

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

const ended = async (child: ChildProcess): Promise<void> => {
  if (!isRunning(child)) return
  const exit = once(child, "exit")
  child.kill("SIGTERM")
  await exit
}

/** A real API and a real portal, started as the image starts them, in processes of their own beside a real PostgreSQL and the simulator. */
export class AttackedHost {
  readonly site: CrashSite
  readonly url: string
  readonly label: string
  readonly portalUrl: string
  private readonly child: ChildProcess
  private readonly portal: ChildProcess
  private peakMegabytes = 0
  private cpuSince = { millis: 0, at: performance.now() }
  private readonly sampling: NodeJS.Timeout

  private constructor(site: CrashSite, api: Started, portal: Started, label: string) {
    this.site = site
    this.child = api.child
    this.url = api.url
    this.portal = portal.child
    this.portalUrl = portal.url
    this.label = label
    this.sampling = setInterval(() => this.sample(), 100)
  }

  static async open(settings: Readonly<Record<string, string>> = {}): Promise<AttackedHost> {
    const site = await CrashSite.open()
    const { OVERA_RATE_LIMIT_BURST: _burst, OVERA_RATE_LIMIT_PER_SECOND: _rate, ...variables } = site.variables("attacked", 0)
    const api = await started((await bundleHost("rest-api", site.home)).file, { ...variables, ...settings }, ["--import", watch])
    const portal = await started((await bundleHost("portal", site.home)).file, { ...variables, OVERA_PORTAL_PORT: "0", ...settings })
    return new AttackedHost(site, api, portal, await site.anyLabel())
  }

  /** Whether both still run. */
  private get isAlive(): boolean {
    return isRunning(this.child) && isRunning(this.portal)
  }

  private sample(): void {
    if (!this.isAlive) return
    for (const { pid = 0 } of [this.child, this.portal]) this.peakMegabytes = Math.max(this.peakMegabytes, residentMegabytes(pid))
  }

  /** The figures since the last call. */
  async figures(): Promise<HostFigures> {
    const peakMegabytes = Math.round(this.peakMegabytes)
    this.peakMegabytes = 0
    if (!this.isAlive) return { longestLoopMillis: Number.POSITIVE_INFINITY, peakMegabytes, cpuPercent: 0, alive: false }
    const [since, now] = [this.cpuSince, { millis: cpuMillis(this.child.pid ?? 0), at: performance.now() }]
    this.cpuSince = now
    const cpuPercent = Math.round((100 * (now.millis - since.millis)) / (now.at - since.at))
    this.child.send("loop")
    const [longestLoopMillis] = await once(this.child, "message") as [number]
    return { longestLoopMillis: Math.round(longestLoopMillis), peakMegabytes, cpuPercent, alive: true }
  }

  async close(): Promise<void> {
    clearInterval(this.sampling)
    await Promise.all([ended(this.portal), ended(this.child)])
    await this.site.close()
  }
}
