/** The attacker: runs one attack for the given number of seconds. */
import { setPriority } from "node:os"
import { attacks, ordinaryDay } from "./attacks.ts"
import type { Ground } from "./Ground.ts"

// An attacker has a machine of its own: it must not take this one's processors from the host, the database and the victim's client.
setPriority(15)

process.on("message", async ({ ground, name, seconds }: { readonly ground: Ground; readonly name: string; readonly seconds: number }) => {
  const attack = [ordinaryDay, ...attacks].find((each) => each.name === name)
  const seen = await attack?.run(ground, AbortSignal.timeout(seconds * 1_000))
  process.send?.(seen ?? {})
})
process.once("disconnect", () => process.exit())
