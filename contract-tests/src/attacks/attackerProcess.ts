/** The attacker: runs one attack for so many seconds. */
import { attacks } from "./attacks.ts"
import type { Ground } from "./Ground.ts"

process.on("message", async ({ ground, name, seconds }: { readonly ground: Ground; readonly name: string; readonly seconds: number }) => {
  const attack = attacks.find((each) => each.name === name)
  const seen = await attack?.run(ground, AbortSignal.timeout(seconds * 1_000))
  process.send?.(seen ?? {})
})
process.once("disconnect", () => process.exit())
