import type { WitnessPlace } from "@overa/adapter-webhooks"
import { readWitnessKey } from "@overa/domain"
import { address, type ConfigProblem, optional, problem } from "@overa/host-kit"
import { Effect } from "effect"

const name = "OVERA_WITNESSES"
const most = 8

const place = Effect.fnUntraced(function*(keyText: string, urlText: string) {
  const key = readWitnessKey(keyText)
  if (key === null) return yield* problem(`${name}: "${keyText}" is no key of a witness (name+id+key, as overa-witness prints it)`)
  const url = yield* address(name, urlText)
  return { key, url } satisfies WitnessPlace
})

/** The witnesses that the worker asks: pairs of key and address, separated by white space; none where the variable is absent. */
export const witnessesConfig: Effect.Effect<ReadonlyArray<WitnessPlace>, ConfigProblem> = Effect.gen(function*() {
  const words = ((yield* optional(name)) ?? "").split(/\s+/).filter((word) => word !== "")
  if (words.length % 2 !== 0) return yield* problem(`${name} must be pairs of a witness's key and the address of its add-checkpoint, separated by spaces`)
  if (words.length > 2 * most) return yield* problem(`${name} has more than ${most} witnesses`)
  const places = yield* Effect.forEach(words.filter((_word, at) => at % 2 === 0), (key, at) => place(key, words[2 * at + 1] ?? ""))
  const names = places.map(({ key }) => key.name)
  const twice = names.find((one, at) => names.indexOf(one) !== at)
  return twice === undefined ? places : yield* problem(`${name} has the witness ${twice} twice`)
})
