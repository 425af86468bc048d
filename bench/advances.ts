/**
 * Compares the cost of the hundredth payment of an advance case with that of the second, over the real path: a sandbox of its own with PostgreSQL and
 * the simulator. Some cases get ninety payments each. Then, alternately and so under the same load, the second payment of a new case and the next one
 * of a long case (the ninety-first to the hundred-and-tenth) are timed until the whole answer is read. Prints both medians, the size of the answers,
 * and the ratio; more than 1.2 fails.
 *
 *     node --conditions=@overa/source bench/advances.ts [payments before] [cases]
 */
import { advancePath, sampleCase, samplePayment } from "../contract-tests/src/http/sampleAdvance.ts"
import { sandboxTarget } from "../contract-tests/src/http/sandboxTarget.ts"
import { startSandboxProcess } from "../contract-tests/src/support/sandboxProcess.ts"
import { tellFigure } from "./support/figures.ts"
import { median } from "./support/load.ts"
import { Poster, type Posted } from "./support/Poster.ts"

const before = Number(process.argv[2] ?? 90)
const cases = Number(process.argv[3] ?? 6)
const timedPayments = 20
const ratioLimit = 1.2
const warmUpPairs = 10

const sandbox = await startSandboxProcess()
try {
  const target = await sandboxTarget(sandbox.file)
  const poster = new Poster(target)
  const open = async () => (await poster.issue(advancePath, sampleCase(target))).id
  const pay = (id: string): Promise<Posted> => poster.issue(`${advancePath}/${id}/payments`, samplePayment(target, 100))

  const grown = async (): Promise<string> => {
    const id = await open()
    for (let payment = 0; payment < before; payment++) await pay(id)
    return id
  }
  const long = await Promise.all(Array.from({ length: cases }, grown))

  const second: Array<Posted> = []
  const late: Array<Posted> = []
  for (let pair = 0; pair < timedPayments * cases; pair++) {
    const fresh = await open()
    await pay(fresh)
    const [one, other] = [await pay(fresh), await pay(long[pair % cases] ?? fresh)]
    if (pair < warmUpPairs) continue
    second.push(one)
    late.push(other)
  }
  const [ofSecond, ofLate] = [second, late].map((posted) => median(posted.map(({ millis }) => millis)))
  const [smaller, larger] = [second, late].map((posted) => Math.round(median(posted.map(({ bytes }) => bytes)) / 1_024))
  // Over consecutive pairs: a slow moment of the machine affects both.
  const ratio = median(late.map(({ millis }, pair) => millis / (second[pair]?.millis ?? Number.NaN)))
  process.stdout.write(
    `the second payment ${ofSecond?.toFixed(2)} ms (answer ${smaller} KiB), the one after ${before} to ${before + timedPayments} others ` +
      `${ofLate?.toFixed(2)} ms (answer ${larger} KiB), ratio ${ratio.toFixed(3)} (limit ${ratioLimit})\n`
  )
  tellFigure({ name: "advances: hundredth payment / second", value: ratio, better: "lower" })
  if (ratio > ratioLimit) process.exitCode = 1
} finally {
  await sandbox.stop()
}
