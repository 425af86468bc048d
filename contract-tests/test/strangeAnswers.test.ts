import { Effect, Layer, Logger } from "effect"
import { assert, describe, it } from "vitest"
import { sampleAnswer } from "../src/support/sampleOperations.ts"
import { boundKey, issue, place, run, scriptedVpfr } from "../src/support/useCaseStage.ts"

const keeping = () => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => void lines.push(`${logLevel} ${JSON.stringify(message)}`))
  return { lines, layer: Logger.layer([logger]) }
}

describe("answers that are not what was expected (Decisions §4)", () => {
  it("a number that is stored already leaves the outcome unknown and the element's connections reset", async () => {
    const { layer, script } = scriptedVpfr()
    const answer = sampleAnswer()
    script.outcome = () => Effect.succeed({ _tag: "Signed", answer, remarks: [] })
    await run(layer, Effect.gen(function*() {
      const first = yield* issue(boundKey("key-0000000000000001", {}))
      assert.strictEqual(first.operation.status, "FISCALIZED")
      assert.deepStrictEqual(script.connectionsReset, [])
      const second = yield* issue(boundKey("key-0000000000000002", {}))
      assert.strictEqual(second.operation.status, "OUTCOME_UNKNOWN")
      assert.deepStrictEqual(script.connectionsReset, [place.signer.elementId])
    }))
  })

  it("a difference that leaves the receipt standing is logged, with the document and the number", async () => {
    const { layer, script } = scriptedVpfr()
    const log = keeping()
    const answer = sampleAnswer()
    script.outcome = () => Effect.succeed({ _tag: "Signed", answer, remarks: [{ kind: "TAX_DIFFERS", detail: "label A: signed 1, own 2" }] })
    await run(layer, Effect.gen(function*() {
      const { operation } = yield* issue(boundKey("key-0000000000000001", {}))
      assert.strictEqual(operation.status, "FISCALIZED")
      const lines = log.lines.filter((line) => line.includes("TAX_DIFFERS"))
      assert.strictEqual(lines.length, 1)
      for (const part of ["Warn", operation.id, answer.pfr.invoiceNumber, "label A: signed 1, own 2"]) assert.include(lines[0], part)
    }).pipe(Effect.provide(log.layer)))
  })

  it("an answer without differences is not logged", async () => {
    const { layer } = scriptedVpfr()
    const log = keeping()
    await run(layer, issue(boundKey("key-0000000000000001", {})).pipe(Effect.provide(Layer.fresh(log.layer))))
    assert.deepStrictEqual(log.lines, [])
  })
})
