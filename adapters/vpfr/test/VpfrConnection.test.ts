import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { VpfrConnection, type VpfrConnectionOptions } from "@overa/adapter-vpfr"
import { element, serverCa } from "./support/farEnd.ts"

const sandbox = { baseUrl: "https://vsdc.test", trustAnchors: serverCa.certificate, verificationRoot: null }
const faultOf = (options: VpfrConnectionOptions) =>
  Effect.runPromise(
    Effect.gen(function*() {
      yield* VpfrConnection
      return "accepted"
    }).pipe(Effect.provide(VpfrConnection.layer(options)), Effect.catch(({ detail }) => Effect.succeed(detail)))
  )

describe("The operator's settings for the V-PFR", () => {
  it.each<readonly [string, VpfrConnectionOptions, RegExp]>([
    ["nothing configured", { environments: {} }, /^accepted$/],
    ["one environment", { environments: { sandbox } }, /^accepted$/],
    ["an address with a final slash", { environments: { sandbox: { ...sandbox, baseUrl: "https://vsdc.test:8443/" } } }, /^accepted$/],
    ["several anchors", { environments: { sandbox: { ...sandbox, trustAnchors: serverCa.certificate.repeat(2) } } }, /^accepted$/],
    ["no address", { environments: { sandbox: { ...sandbox, baseUrl: "vsdc" } } }, /^sandbox: baseUrl vsdc is no URL/],
    ["an address in clear", { environments: { production: { ...sandbox, baseUrl: "http://vsdc.test" } } }, /^production: .* is not https/],
    ["an address with a path", { environments: { sandbox: { ...sandbox, baseUrl: "https://vsdc.test/api" } } }, /more than host and port/],
    ["no anchors", { environments: { sandbox: { ...sandbox, trustAnchors: "" } } }, /no PEM certificate/],
    ["an anchor that is no authority", { environments: { sandbox: { ...sandbox, trustAnchors: element.certificate } } }, /is not a CA/],
    [
      "a damaged anchor",
      { environments: { sandbox: { ...sandbox, trustAnchors: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" } } },
      /is damaged/
    ],
    ["more connections than an element may have", { environments: {}, connectionsPerElement: 513 }, /connectionsPerElement/],
    ["no connection", { environments: {}, connectionsPerElement: 0 }, /connectionsPerElement/],
    ["no time", { environments: {}, submissionDeadlineMillis: 0 }, /submissionDeadlineMillis/],
    ["an endless time for idle connections", { environments: {}, keepAliveMillis: Number.POSITIVE_INFINITY }, /keepAliveMillis/]
  ])("%s", async (_, options, words) => {
    assert.match(await faultOf(options), words)
  })
})
