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
    assert.isNull(circuit.admit())
    circuit.reached()
    fail(4)
    assert.isNull(circuit.admit())
  })

  it("opens after five in a row, lets one probe through a second later, and closes when it succeeds", () => {
    const { circuit, fail, pass } = atClock()
    fail(5)
    assert.strictEqual(circuit.admit(), "unreachable")
    pass(999)
    assert.strictEqual(circuit.admit(), "unreachable")
    pass(1)
    assert.isNull(circuit.admit())
    assert.strictEqual(circuit.admit(), "unreachable")
    circuit.reached()
    assert.isNull(circuit.admit())
  })

  it("asking whether a submission may go uses up nothing", () => {
    const { circuit, fail, pass } = atClock()
    fail(5)
    assert.strictEqual(circuit.refusal(), "unreachable")
    pass(1_000)
    for (let i = 0; i < 3; i += 1) assert.isNull(circuit.refusal())
    assert.isNull(circuit.admit())
    assert.strictEqual(circuit.refusal(), "unreachable")
  })

  it("waits twice as long after each failed probe, up to 15 seconds", () => {
    const { circuit, fail, pass } = atClock()
    fail(5)
    for (const pause of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      pass(pause - 1)
      assert.strictEqual(circuit.admit(), "unreachable")
      pass(1)
      assert.isNull(circuit.admit())
      fail(1)
    }
  })

  it("many requests that fail together count as one failed probe", () => {
    const { circuit, fail, pass } = atClock()
    fail(100)
    pass(1_000)
    assert.isNull(circuit.admit())
    fail(100)
    pass(1_999)
    assert.strictEqual(circuit.admit(), "unreachable")
    pass(1)
    assert.isNull(circuit.admit())
  })

  it("a probe that never reports back blocks nothing for longer than a pause", () => {
    const { circuit, fail, pass } = atClock()
    fail(5)
    pass(1_000)
    assert.isNull(circuit.admit())
    pass(1_000)
    assert.isNull(circuit.admit())
  })

  it("a probe that ended before it showed anything is due again at once", () => {
    const { circuit, fail, pass } = atClock()
    fail(5)
    pass(1_000)
    assert.isNull(circuit.admit())
    circuit.inconclusive()
    assert.isNull(circuit.admit())
    assert.strictEqual(circuit.admit(), "unreachable")
  })

  it("a withdrawn request that was no probe opens nothing early", () => {
    const { circuit, fail } = atClock()
    fail(5)
    circuit.inconclusive()
    assert.strictEqual(circuit.admit(), "unreachable")
  })

  it("opens at once when the far end refuses the element, and waits twice as long after each refused probe, up to five minutes", () => {
    const { circuit, pass } = atClock()
    circuit.refused("status 403")
    for (const pause of [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
      pass(pause - 1)
      assert.strictEqual(circuit.admit(), "refused")
      pass(1)
      assert.isNull(circuit.admit())
      circuit.refused("status 403")
    }
  })

  it("a refused element is found accepted again by a submission alone, not by a far end that merely answers", () => {
    const { circuit, pass } = atClock()
    circuit.refused("status 403")
    circuit.reached()
    assert.strictEqual(circuit.admit(), "refused")
    pass(5_000)
    assert.isNull(circuit.admit())
    circuit.accepted()
    assert.isNull(circuit.admit())
    circuit.refused("status 403")
    pass(5_000)
    assert.isNull(circuit.admit())
  })

  it("each finding is new once until the element is accepted again", () => {
    const { circuit } = atClock()
    assert.deepStrictEqual(["403", "403", "401", "403"].map((finding) => circuit.refused(finding)), [true, false, true, false])
    circuit.reached()
    assert.isFalse(circuit.refused("403"))
    circuit.accepted()
    assert.isTrue(circuit.refused("403"))
  })

  it("a far end that never words its refusal alike is reported a few times, not for ever", () => {
    const { circuit } = atClock()
    const news = Array.from({ length: 100 }, (_, index) => circuit.refused(`refused, incident ${index}`))
    assert.isAtMost(news.filter(Boolean).length, 8)
  })
})
