import { Effect } from "effect"
import type { Random } from "../Random.ts"
import type { World } from "../World.ts"
import type { WorldDatabase } from "./WorldDatabase.ts"

const longestMillis = 240_000
/** Shops send their orders within the first minutes. */
const latestMillis = 6 * 60_000

/**
 * In some worlds a commit now and then ends long after it began, while others go on: its transaction has the lower number. Most are receipts, which a
 * worker's pass comes before; the others are the first write of a document after a while.
 */
export const planLateCommits = (world: World, database: WorldDatabase, { random, seal }: { readonly random: Random; readonly seal: Effect.Effect<void> }): void => {
  const fork = (millis: number, effect: Effect.Effect<void>) => world.fork(Effect.andThen(world.sleep(millis), effect), world.clock(0))
  for (let commits = random.chance(0.4) ? random.between(1, 6) : 0; commits > 0; commits--) {
    const [from, lasts] = [random.between(0, latestMillis), random.between(1_000, longestMillis)]
    const isReceipt = random.chance(0.75)
    fork(from, Effect.orDie(database.beginLate(world, isReceipt ? seal : null)))
    if (!isReceipt) fork(from + lasts, Effect.sync(() => database.ripen()))
  }
}
