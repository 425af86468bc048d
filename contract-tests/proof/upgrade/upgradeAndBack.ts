import { setTimeout as pause } from "node:timers/promises"
import { compareAll } from "../soak/comparisons.ts"
import { untilSettled } from "../soak/untilSettled.ts"
import { Traffic } from "../soak/Traffic.ts"
import type { InstalledRelease } from "./installRelease.ts"
import { replaced, UpgradeSite } from "./UpgradeSite.ts"

/** How long shops sell in each state, and how fast. */
export interface UpgradeRun {
  readonly seconds: number
  readonly errandsPerSecond: number
  readonly say: (line: string) => void
}

/** One state of the installation while shops sell. */
interface Stage {
  readonly name: string
  /** Errands that were finished in it. */
  readonly done: number
  readonly seconds: number
}

/** One line of the matrix. */
export interface UpgradeVerdict {
  readonly from: InstalledRelease
  readonly to: InstalledRelease
  readonly stages: ReadonlyArray<Stage>
  readonly receipts: number
  /** A sentence for each thing that does not agree at the end. */
  readonly faults: ReadonlyArray<string>
}

const answerMillis = 120_000

/** Sells with the older release, migrates and replaces every program while shops sell, goes back, and compares everything with the newer one's eyes. */
export const upgradeAndBack = async (from: InstalledRelease, to: InstalledRelease, asked: UpgradeRun): Promise<UpgradeVerdict> => {
  const site = await UpgradeSite.open(from.folder)
  const stages: Array<Stage> = []
  const finished = () => site.shops.reduce((sum, { ledger }) => sum + ledger.millis.length, 0)
  const stage = async (name: string, work: () => Promise<unknown>) => {
    const [before, began] = [finished(), performance.now()]
    await work()
    stages.push({ name, done: finished() - before, seconds: (performance.now() - began) / 1_000 })
    asked.say(`${from.name} → ${to.name}: ${name}: ${finished() - before} errands`)
  }
  const replaceAll = async (release: InstalledRelease) => {
    for (const program of replaced) await site.replace(program, release.folder)
  }
  try {
    await Promise.all(replaced.map((program) => site.replace(program, from.folder)))
    const traffic = new Traffic(site.shops, asked.errandsPerSecond)
    const selling = traffic.run()
    const sell = () => pause(asked.seconds * 1_000)
    await stage("old", sell)
    await stage("schema", () => site.admin(to.folder, ["schema", "migrate"]))
    await stage("replacing", () => replaceAll(to))
    await stage("new", sell)
    await stage("going back", () => replaceAll(from))
    await stage("old again", sell)
    await stage("forward again", () => replaceAll(to))
    await traffic.close(answerMillis)
    await selling
    await untilSettled(site.databaseUrl, answerMillis)
    await site.admin(to.folder, ["journal", "verify"])
    const comparisons = await compareAll(site)
    return { from, to, stages, receipts: site.shops.reduce((sum, { ledger }) => sum + ledger.receipts.length, 0), faults: comparisons.flatMap(({ faults }) => faults) }
  } finally {
    await site.close()
  }
}
