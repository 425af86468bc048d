import { describe, expect, it } from "vitest"
import { type Deed, runDeliveries } from "./deliveryWorld.ts"

const worlds = Number(process.env["DELIVERY_WORLDS"] ?? 200)

const isCopy = (deed: Deed): boolean => deed.startsWith("taken")
/** After these the service cannot know whether the server has the message. */
const isUncertain = (deed: Deed): boolean => deed === "taken, answer lost" || deed === "taken, worker killed" || deed === "killed before"

describe("receipts by e-mail in simulated worlds (Decisions §12)", () => {
  it(`no message is lost, none goes a third time, and a second time only where the first may have been taken: ${worlds} worlds`, async () => {
    const seen = new Set<string>()
    for (let seed = 1; seed <= worlds; seed += 1) {
      const { deeds, memory } = await runDeliveries(seed)
      for (const { delivery } of memory.kept.values()) {
        const told = deeds.get(delivery.id) ?? []
        const copies = told.filter(isCopy).length
        const what = `seed ${seed}: ${delivery.status} ${delivery.failure ?? ""} after ${told.join("; ")}`
        expect(delivery.status, what).not.toBe("QUEUED")
        expect(copies, what).toBeLessThanOrEqual(2)
        expect(told.filter(isUncertain).length, what).toBeLessThanOrEqual(2)
        if (copies === 2) expect(isUncertain(told.find(isCopy) ?? "no"), what).toBe(true)
        if (delivery.status === "SENT") expect(told.at(-1), what).toBe("taken, told")
        if (delivery.failure === "REFUSED") expect(told.at(-1), what).toBe("no")
        if (delivery.failure === "EXHAUSTED") expect(told.at(-1), what).toMatch(/later|lost before|down/)
        if (told.includes("taken, told")) expect(told.indexOf("taken, told"), what).toBe(told.length - 1)
        seen.add(`${delivery.status} ${delivery.failure ?? ""} ${copies}`)
      }
    }
    // The worlds contain the cases that the claims are about; otherwise they would prove nothing.
    for (const end of ["SENT  1", "SENT  2", "FAILED REFUSED 0", "FAILED UNCERTAIN 2"]) expect([...seen]).toContain(end)
  }, 300_000)
})
