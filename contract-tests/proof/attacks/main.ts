/**
 * Every attack against a real host, while another organization issues twenty sales a second.
 *
 *   npm run attack                        every attack, 20 s each
 *   npm run attack -- --seconds 5 pdfs    some of them, shorter
 *   npm run attack -- --write             also writes the figures into docs/operations/limits.md
 *
 * Exits with 1 when a sale of the victim failed, its p99 was above five times its quiet p99, the host's memory was above one and a half times its
 * quiet peak, or the host crashed. Nothing else may run on the machine meanwhile.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { parseArgs } from "node:util"
import { setTimeout } from "node:timers/promises"
import { AttackedHost, type HostFigures } from "./AttackedHost.ts"
import type { Attack, Seen } from "./attackKinds.ts"
import { attacks, ordinaryDay } from "./attacks.ts"
import type { Ground } from "./Ground.ts"
import { writeFigures } from "./limitsPage.ts"
import type { VictimFigures } from "./victimProcess.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "20" }, write: { type: "boolean", default: false } }
})
const seconds = Number(values.seconds)
const chosen = positionals.length === 0 ? attacks : attacks.filter(({ name }) => positionals.includes(name))

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const helper = (file: string): ChildProcess =>
  fork(new URL(file, import.meta.url), { execArgv: ["--conditions=@overa/source"] })

const told = async <A>(child: ChildProcess, order: Readonly<Record<string, unknown>>): Promise<A> => {
  child.send(order)
  const [answer] = await once(child, "message") as [A]
  return answer
}

export interface Point {
  readonly what: string
  readonly victim: VictimFigures
  readonly host: HostFigures
  readonly seen: Seen
}

const problemsOf = (point: Point, quiet: Point): ReadonlyArray<string> => [
  ...(point.host.alive ? [] : ["the host died"]),
  ...Object.entries(point.victim.failures).map(([what, count]) => `${count} sales failed: ${what}`),
  ...(point.victim.p99 <= 5 * quiet.victim.p99 ? [] : [`p99 is ${(point.victim.p99 / quiet.victim.p99).toFixed(1)} times the quiet one`]),
  ...(point.host.peakMegabytes <= 1.5 * quiet.host.peakMegabytes ? [] : [`memory is ${(point.host.peakMegabytes / quiet.host.peakMegabytes).toFixed(2)} times the quiet peak`])
]

const lineOf = ({ host, seen, victim, what }: Point): string =>
  `${what}: ${victim.sales} sales, p50 ${victim.p50} ms, p99 ${victim.p99} ms, longest ${victim.longest} ms | loop away ${host.longestLoopMillis} ms, ${host.peakMegabytes} MB, ${host.cpuPercent} % of a core | attacker saw ${JSON.stringify(seen)}`

const host = await AttackedHost.open()
const victim = helper("./victimProcess.ts")
const victimGround: Ground = { url: host.url, portalUrl: host.portalUrl, shop: host.site.seeded.other, label: host.label }
const attackerGround: Ground = { url: host.url, portalUrl: host.portalUrl, shop: host.site.seeded.sandbox, label: host.label }

const quietPoint = async (length: number): Promise<Point> => {
  await host.figures()
  const figures = await told<VictimFigures>(victim, { ground: victimGround, seconds: length })
  return { what: "nobody attacks", victim: figures, host: await host.figures(), seen: {} }
}

const attackPoint = async (attack: Attack): Promise<Point> => {
  const attacker = helper("./attackerProcess.ts")
  await host.figures()
  const attacked = told<Seen>(attacker, { ground: attackerGround, name: attack.name, seconds: seconds + 2 })
  await setTimeout(500)
  const figures = await told<VictimFigures>(victim, { ground: victimGround, seconds })
  const figuresOfHost = await host.figures()
  const seen = await Promise.race([attacked, setTimeout(30_000, {} as Seen, { ref: false })])
  attacker.kill("SIGKILL")
  return { what: attack.what, victim: figures, host: figuresOfHost, seen }
}

const run = async (): Promise<boolean> => {
  // A host that has just started is slower, and smaller, than it will ever be again.
  await attackPoint(ordinaryDay)
  const quiet = await quietPoint(seconds)
  say(lineOf(quiet))
  const points: Array<Point> = [quiet]
  let good = true
  for (const attack of chosen) {
    const point = await attackPoint(attack)
    const problems = problemsOf(point, quiet)
    good &&= problems.length === 0
    points.push(point)
    say(`${problems.length === 0 ? "held" : "FAILED"}  ${lineOf(point)}`)
    for (const problem of problems) say(`        ${problem}`)
    if (!point.host.alive) break
    await setTimeout(2_000)
  }
  if (values.write) writeFigures(points, seconds)
  return good
}

try {
  process.exitCode = await run() ? 0 : 1
} finally {
  victim.disconnect()
  await host.close()
}
