/** The victim: issues twenty sales a second, at fixed times whatever the result of the earlier ones, and reports how long each took. */
import { setTimeout } from "node:timers/promises"
import { ask, type Ground, saleOf, tokenOf } from "./Ground.ts"

const perSecond = 20

/** The victim's measurements. */
export interface VictimFigures {
  readonly sales: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** Every result other than 201, by its kind. */
  readonly failures: Readonly<Record<string, number>>
}

const sell = async (ground: Ground, token: string, seconds: number): Promise<VictimFigures> => {
  const times: Array<number> = []
  const failures: Record<string, number> = {}
  const fail = (what: string) => (failures[what] = (failures[what] ?? 0) + 1)
  const one = async () => {
    const from = performance.now()
    const answer = await ask(ground.url, token, "/v1/fiscal-documents", saleOf(ground, 3)).catch((error: unknown) => String(error))
    if (typeof answer === "string") return fail(answer.slice(0, 80))
    if (answer.status !== 201) return fail(`${answer.status} ${answer.text.slice(0, 120)}`)
    return times.push(performance.now() - from)
  }
  const from = performance.now()
  const underWay: Array<Promise<unknown>> = []
  for (let number = 0; number < seconds * perSecond; number += 1) {
    await setTimeout(Math.max(0, from + (number * 1_000) / perSecond - performance.now()))
    underWay.push(one())
  }
  await Promise.all(underWay)
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number) => Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) * 10) / 10
  return { sales: sorted.length, p50: at(0.5), p99: at(0.99), longest: at(1), failures }
}

process.on("message", async ({ ground, seconds }: { readonly ground: Ground; readonly seconds: number }) => {
  // A new token for each measurement, fetched before the attack reaches its full load.
  process.send?.(await sell(ground, await tokenOf(ground), seconds))
})
process.once("disconnect", () => process.exit())
