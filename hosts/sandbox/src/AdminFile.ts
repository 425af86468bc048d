import { join } from "node:path"
import { Effect } from "effect"
import type { SharedSettings } from "./hostConfigs.ts"
import { hostVariables, writeRoots } from "./hostVariables.ts"
import { writePrivate } from "./privateFile.ts"

/**
 * Writes `admin.json`: the variables with which `npm run admin` reaches this sandbox, readable by its owner alone. The file stays after the sandbox
 * has stopped; the command then reports that the sandbox does not answer.
 */
export const writeAdminFile = Effect.fn("writeAdminFile")(function*(home: string, settings: SharedSettings) {
  yield* Effect.sync(() => writeRoots(home, settings))
  yield* writePrivate(join(home, "admin.json"), hostVariables(home, settings))
})
