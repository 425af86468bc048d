import { Effect } from "effect"
import { trustedProxies } from "./front/callerAddress.ts"
import { optional, optionalAddress, problem, wholeNumber } from "./settings.ts"

const proxies = (name: string) =>
  Effect.flatMap(optional(name), (text) => {
    const trusted = trustedProxies(text ?? "false")
    return trusted === undefined
      ? problem(`${name} must be true, false, or addresses and networks separated by commas, not "${text}"`)
      : Effect.succeed(trusted)
  })

/** Where a host listens, and whether there is a proxy in front of it. */
export const listeningConfig = (names: { readonly port: string; readonly defaultPort: number; readonly address: string }) =>
  Effect.gen(function*() {
    return {
      listenHost: (yield* optional("OVERA_LISTEN_HOST")) ?? "0.0.0.0",
      port: yield* wholeNumber(names.port, names.defaultPort, { from: 0, to: 65_535 }),
      baseUrl: yield* optionalAddress(names.address),
      trustProxy: yield* proxies("OVERA_TRUST_PROXY"),
      connections: yield* wholeNumber("OVERA_CONNECTIONS", 8_192, { from: 2, to: 1_000_000 })
    }
  })
