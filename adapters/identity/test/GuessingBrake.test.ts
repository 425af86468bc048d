import { describe, expect, it } from "vitest"
import { GuessingBrake } from "../src/GuessingBrake.ts"

const fail = (brake: GuessingBrake, times: number, now = 0): void => {
  for (let count = 0; count < times; count++) brake.failed("client\naddress", now)
}

describe("slowing down who guesses secrets", () => {
  it("lets five wrong secrets pass at full speed", () => {
    const brake = new GuessingBrake()
    fail(brake, 4)
    expect(brake.pauseMillis("client\naddress", 0)).toBe(0)
  })

  it.each([[5, 1_000], [6, 2_000], [8, 8_000], [30, 60_000]])("pauses after %i failures for %i ms", (failures, pause) => {
    const brake = new GuessingBrake()
    fail(brake, failures)
    expect(brake.pauseMillis("client\naddress", 0)).toBe(pause)
    expect(brake.pauseMillis("client\naddress", pause)).toBe(0)
  })

  it("holds up nobody else", () => {
    const brake = new GuessingBrake()
    fail(brake, 20)
    expect(brake.pauseMillis("client\nanother address", 0)).toBe(0)
  })

  it("forgets after the right secret, and after a quiet quarter of an hour", () => {
    const brake = new GuessingBrake()
    fail(brake, 10)
    brake.succeeded("client\naddress")
    expect(brake.pauseMillis("client\naddress", 0)).toBe(0)
    fail(brake, 10)
    fail(brake, 1, 15 * 60_000 + 1)
    expect(brake.pauseMillis("client\naddress", 15 * 60_000 + 1)).toBe(0)
  })
})
