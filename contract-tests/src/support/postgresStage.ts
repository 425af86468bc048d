import { Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll } from "vitest"
import { postgresPorts } from "./postgresPorts.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "./throwawayDatabase.ts"

/** A database of its own for the tests of a file, with every port over it; made before them and dropped after them. */
export const postgresStage = () => {
  let database: ThrowawayDatabase
  const runtimeOf = () => ManagedRuntime.make(postgresPorts(database.url).pipe(Layer.orDie))
  let runtime: ReturnType<typeof runtimeOf>
  beforeAll(async () => {
    database = await throwawayDatabase()
    runtime = runtimeOf()
  }, 60_000)
  afterAll(async () => {
    await runtime.dispose()
    await database.drop()
  })
  const run: ReturnType<typeof runtimeOf>["runPromise"] = (effect, options) => runtime.runPromise(effect, options)
  return { run, url: () => database.url }
}
