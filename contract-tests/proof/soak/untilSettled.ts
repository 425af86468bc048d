import { setTimeout as pause } from "node:timers/promises"
import { waitingRows } from "./comparisons.ts"

/** Waits until nothing in the store waits for something that the programs do by themselves, or the time is over. */
export const untilSettled = async (databaseUrl: string, withinMillis: number): Promise<void> => {
  const deadline = performance.now() + withinMillis
  while (performance.now() < deadline) {
    const { "items for a person": _person, ...waiting } = await waitingRows(databaseUrl)
    if (Object.values(waiting).every((count) => count === 0)) return
    await pause(1_000)
  }
}
