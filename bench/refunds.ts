/**
 * Compares the cost of the thousandth partial refund, and the thousandth copy, of a receipt with that of the first, over the real path: a sandbox of
 * its own with PostgreSQL and the simulator. One receipt is refunded and copied a thousand times; then, alternately and so under the same load, the
 * first refund or copy of a new receipt and the next one of the often refunded receipt are timed. Prints both medians and their ratio; more than 1.3
 * fails.
 *
 *     node --conditions=@overa/source bench/refunds.ts [how many before] [pairs]
 */
import { sampleSale } from "../contract-tests/src/http/sampleSale.ts"
import { sandboxTarget } from "../contract-tests/src/http/sandboxTarget.ts"
import { startSandboxProcess } from "../contract-tests/src/support/sandboxProcess.ts"
import { median } from "./support/load.ts"
import { Poster } from "./support/Poster.ts"

const before = Number(process.argv[2] ?? 1_000)
const pairs = Number(process.argv[3] ?? 100)
const atOnce = 8
const ratioLimit = 1.3
const warmUpPairs = 10

const sandbox = await startSandboxProcess()
try {
  const target = await sandboxTarget(sandbox.file)
  const poster = new Poster(target)
  const { businessPremiseId, cashier, clientReference, items: [line], taxpayerId } = sampleSale(target)
  const sale = { ...sampleSale(target), items: [{ ...line, quantity: 10_000, unitPrice: 1 }], payments: [{ type: "CARD", amount: 10_000 }] }
  const sell = async () => (await poster.issue("/v1/fiscal-documents", sale)).id
  const refund = (original: string) =>
    poster.issue("/v1/refund-workflows", {
      taxpayerId,
      businessPremiseId,
      clientReference,
      cashier,
      original: { source: "SVC", fiscalDocumentId: original },
      buyer: { id: "20:123456789" },
      items: [{ ...line, quantity: 1, unitPrice: 1, originalLineIndex: 0 }],
      payments: [{ type: "CARD", amount: 1 }]
    })
  const copy = (original: string) => poster.issue(`/v1/fiscal-documents/${original}/copies`, { cashier })

  const worn = await sell()
  const wear = async () => {
    for (let done = 0; done < before / atOnce; done++) {
      await refund(worn)
      await copy(worn)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, wear))

  for (const [name, act] of [["partial refund", refund], ["copy", copy]] as const) {
    const fresh: Array<number> = []
    const late: Array<number> = []
    for (let pair = 0; pair < pairs + warmUpPairs; pair++) {
      const first = (await act(await sell())).millis
      const next = (await act(worn)).millis
      if (pair >= warmUpPairs) {
        fresh.push(first)
        late.push(next)
      }
    }
    const ratio = median(late) / median(fresh)
    process.stdout.write(
      `${name}: the first ${median(fresh).toFixed(2)} ms, the one after ${before} others ${median(late).toFixed(2)} ms, ratio ${ratio.toFixed(3)} (limit ${ratioLimit})\n`
    )
    if (ratio > ratioLimit) process.exitCode = 1
  }
} finally {
  await sandbox.stop()
}
