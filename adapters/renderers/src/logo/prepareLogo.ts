import type { BrandingLogo } from "@overa/domain"
import { Cache, Effect, Exit, PartitionedSemaphore } from "effect"
import { fork } from "node:child_process"
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"

/** A logo that takes longer than this was made to do so. */
const longestMillis = 5_000
const heapMegabytes = 192
const kept = 256

const program = fileURLToPath(new URL("./logoProcess.ts", import.meta.url))

/** The process of a logo is killed after this many milliseconds even when it has not begun to draw. */
const longestStartMillis = 30_000

/** Two logos are prepared at a time; if more wait, they run in round robin over holders. */
const turns = PartitionedSemaphore.makeUnsafe<string>({ permits: 2 })

/**
 * Prepares one logo in a separate process; null if it is not a logo, or exceeded its time or memory.
 *
 * @param holder The owner of the logo, for the round robin.
 */
export const logoInProcess = (logo: BrandingLogo, holder = ""): Effect.Effect<BrandingLogo | null> =>
  Effect.callback<BrandingLogo | null>((resume) => {
    const child = fork(program, {
      execArgv: [`--max-old-space-size=${heapMegabytes}`, "--conditions=@overa/source"],
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"]
    })
    let timer: NodeJS.Timeout | undefined
    const end = (bitmap: BrandingLogo | null): void => {
      clearTimeout(timer)
      child.kill("SIGKILL")
      resume(Effect.succeed(bitmap))
    }
    child.once("message", () => {
      timer = setTimeout(() => end(null), longestMillis)
      child.once("message", (bitmap) => end(bitmap as BrandingLogo | null))
      child.send(logo, () => undefined)
    })
    child.once("error", () => end(null))
    child.once("exit", () => end(null))
    return Effect.sync(() => {
      clearTimeout(timer)
      child.kill("SIGKILL")
    })
  }).pipe(Effect.timeoutOrElse({ duration: longestMillis + longestStartMillis, orElse: () => Effect.succeed(null) }), turns.withPermit(holder))

const keyOf = ({ bytes, mediaType }: BrandingLogo): string => createHash("sha256").update(mediaType).update(bytes).digest("base64")

/**
 * Makes a preparer that caches the results of the last logos. Two are prepared at once, each within five seconds, so that one shop's broken logo
 * delays another shop's first receipt only briefly, and its own receipts once.
 */
export const makePrepareLogo = Effect.gen(function*() {
  const logos = new Map<string, BrandingLogo>()
  const cache = yield* Cache.make({
    capacity: kept,
    lookup: (key: string) => {
      const logo = logos.get(key)
      return logo === undefined ? Effect.succeed(null) : logoInProcess(logo)
    }
  })
  return Effect.fnUntraced(function*(logo: BrandingLogo) {
    const key = keyOf(logo)
    logos.set(key, logo)
    const exit = yield* Effect.exit(Cache.get(cache, key))
    logos.delete(key)
    return Exit.isSuccess(exit) ? exit.value : null
  })
})
