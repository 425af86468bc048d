import { makeSecrets } from "@overa/adapter-postgres"
import { VpfrConnection } from "@overa/adapter-vpfr"
import { it } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Exit, Layer, Redacted, Result } from "effect"
import { describe, expect } from "vitest"
import { startFailure } from "../src/startFailure.ts"
import { tracing } from "../src/tracing.ts"

describe("why a host did not start", () => {
  it.each(["k", "k:abcd", "", "k:", "k:AAAA,k:AAAA", "a b:AAAA"])("names OVERA_SECRET_KEYS for %j, and does not show it", (text) => {
    const made = makeSecrets(Redacted.make(text))
    const line = startFailure(Result.isFailure(made) ? made.failure : null)
    expect(line).toMatch(/^OVERA_SECRET_KEYS: .+/)
    expect(line).not.toContain("AAAA")
  })

  it.effect("names the variable of OpenTelemetry that cannot be used", () =>
    Effect.gen(function*() {
      const variables = { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: "nonsense" }
      const built = Layer.build(tracing("test")).pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables))))
      const exit = yield* Effect.exit(Effect.scoped(built))
      const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : null
      expect(startFailure(error)).toBe("OTEL_EXPORTER_OTLP_ENDPOINT: Expected a valid URL string")
    }))

  it.effect("names the V-PFR's settings and the environment", () =>
    Effect.gen(function*() {
      const layer = VpfrConnection.layer({ environments: { sandbox: { baseUrl: "https://vpfr.example", trustAnchors: "none", verificationRoot: null } } })
      const error = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
      expect(startFailure(error)).toMatch(/^OVERA_VPFR_…: sandbox: .+/)
    }))

  it("is one line, whatever was thrown", () => {
    for (const thrown of [new Error("one\ntwo"), "text", null, undefined, { cause: new Error("inner") }, new AggregateError([new Error("a")], "")]) {
      expect(startFailure(thrown)).not.toContain("\n")
    }
  })
})
