import { assert, describe, it } from "@effect/vitest"
import { CircuitBreaker } from "../src/CircuitBreaker.ts"

const atClock = () => {
  let now = 1_000
  const circuit = new CircuitBreaker(() => now)
  const pass = (millis: number) => {
    now += millis
  }
  const fail = (times: number) => {
    for (let i = 0; i < times; i += 1) circuit.unreachable()
  }
  return { circuit, pass, fail }
}

describe("The circuit of an element (Decisions §4)", () => {
  it("stays closed through single lost connections", () => {
    const { circuit, fail } = atClock()
    fail(4)
    assert.isNull(circuit.refusal())
    circuit.reached()
    fail(4)
    assert.isNull(circuit.refusal())
  })

  it("opens after five in a row, lets one probe through a second later, and closes when it succeeds", () => {
    const { circuit, fail, pass } = atClock()
    fail(5)
    assert.strictEqual(circuit.refusal(), "unreachable")
    pass(999)
    assert.strictEqual(circuit.refusal(), "unreachable")
    pass(1)
    assert.isNull(circuit.refusal())
    assert.strictEqual(circuit.refusal(), "unreachable")
    circuit.reached()
    assert.isNull(circuit.refusal())
  })

  it("waits twice as long after each failed probe, up to 15 seconds", () => {
    const { circuit, fail, pass } = atClock()
    fail(5)
    for (const pause of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      pass(pause - 1)
      assert.strictEqual(circuit.refusal(), "unreachable")
      pass(1)
      assert.isNull(circuit.refusal())
      fail(1)
    }
  })

  it("a probe that never reports back blocks nothing for longer than a pause", () => {
    const { circuit, fail, pass } = atClock()
    fail(5)
    pass(1_000)
    assert.isNull(circuit.refusal())
    pass(1_000)
    assert.isNull(circuit.refusal())
  })

  it("opens at once when the far end refuses the element", () => {
    const { circuit, pass } = atClock()
    circuit.refused()
    assert.strictEqual(circuit.refusal(), "refused")
    pass(5_000)
    assert.isNull(circuit.refusal())
    circuit.refused()
    pass(9_999)
    assert.strictEqual(circuit.refusal(), "refused")
  })
})
