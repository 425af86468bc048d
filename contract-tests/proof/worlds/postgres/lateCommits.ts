import { Effect } from "effect"
import type { Random } from "../Random.ts"
import type { World } from "../World.ts"
import type { WorldDatabase } from "./WorldDatabase.ts"

const longestMillis = 240_000

/**
 * In some worlds a commit now and then ends long after it began, while others go on: its transaction has the lower number. Meanwhile a worker seals what
 * the others have committed, as it does every few seconds.
 */
export const planLateCommits = (
  world: World,
  database: WorldDatabase,
  { random, seal }: { readonly random: Random; readonly seal: Effect.Effect<void> }
): void => {
  const sealBeside = Effect.suspend(() => database.runsLate ? seal : Effect.void)
  const fork = (millis: number, effect: Effect.Effect<void>) => world.fork(Effect.andThen(world.sleep(millis), effect), world.clock(0))
  for (let commits = random.chance(0.4) ? random.between(1, 6) : 0; commits > 0; commits--) {
    const [from, lasts] = [random.between(0, 12 * 60_000), random.between(1_000, longestMillis)]
    const next = random.pick(["write", "outcome"] as const)
    fork(from, Effect.orDie(database.beginLate(world)))
    fork(from + lasts, Effect.sync(() => database.ripen(next)))
    for (let passes = 2; passes > 0; passes--) fork(from + random.between(1, 2 * lasts), sealBeside)
  }
}
