import type { VpfrEnvironment } from "@overa/adapter-vpfr"
import type { Environment } from "@overa/domain"
import { Effect } from "effect"
import { address, addressWithQuery, certificates, type ConfigProblem, optional, problem, required } from "./settings.ts"

const httpsAddress = (name: string, text: string) =>
  Effect.flatMap(address(name, text), (read) => new URL(read).protocol === "https:" ? Effect.succeed(read) : problem(`${name} must be an https address, not "${read}"`))

/** Links of receipts are compared with it as text: it ends where their own part begins. */
const verificationRoot = Effect.fnUntraced(function*(name: string) {
  const text = yield* optional(name)
  if (text === null) return null
  const root = yield* addressWithQuery(name, text)
  return /[?&]vl=$/.test(root) ? root : yield* problem(`${name} must end with ?vl=, as the links of receipts do up to their own part`)
})

const environmentConfig = Effect.fnUntraced(function*(environment: "SANDBOX" | "PRODUCTION") {
  const name = `OVERA_VPFR_${environment}_URL`
  const url = yield* optional(name)
  if (url === null) return null
  const baseUrl = yield* httpsAddress(name, url)
  const caName = `OVERA_VPFR_${environment}_CA_FILE`
  const trustAnchors = yield* certificates(caName, yield* required(caName))
  return { baseUrl, trustAnchors, verificationRoot: yield* verificationRoot(`OVERA_VPFR_${environment}_VERIFICATION_ROOT`) } satisfies VpfrEnvironment
})

/** The V-PFR of each environment; an environment without an address is not served. */
export const vpfrConfig: Effect.Effect<Partial<Record<Environment, VpfrEnvironment>>, ConfigProblem> = Effect.gen(function*() {
  const sandbox = yield* environmentConfig("SANDBOX")
  const production = yield* environmentConfig("PRODUCTION")
  return { ...(sandbox === null ? {} : { sandbox }), ...(production === null ? {} : { production }) }
})
