import { join } from "node:path"
import { Effect } from "effect"
import { readPrivate, writePrivate } from "../privateFile.ts"
import type { FarEnd } from "./elements.ts"
import { SeededSandbox } from "./SeededSandbox.ts"
import { seedSandbox } from "./seedSandbox.ts"

const fileOf = (home: string): string => join(home, "seed.json")

/** The seed of an earlier start; null when there was none, or when it was interrupted. */
export const earlierSeed = (home: string) => readPrivate(fileOf(home), SeededSandbox)

/** Seeds, then writes the file last, so that its existence means a complete seed. */
export const firstSeed = Effect.fn("firstSeed")(function*(home: string, farEnd: FarEnd) {
  const seeded = yield* seedSandbox(farEnd)
  yield* writePrivate(fileOf(home), seeded)
  return seeded
})
