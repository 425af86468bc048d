import { existsSync } from "node:fs"
import { operations } from "../hosts/rest-api/src/operations/operations.ts"
import { callersFunctions, modelFunctions, openFunctions } from "./openOperations.ts"
import { reachableBindings, type RuleMentions, ruleMentions } from "./reachability.ts"
import { filesOf } from "./sourceTree.ts"

/** How much of a rule's bindings runs in production. */
export interface RuleReach {
  readonly id: string
  /** The bindings that a host reaches. */
  readonly shipped: ReadonlyArray<string>
  /** Operations that are not built yet and that the others wait for. */
  readonly waitsFor: ReadonlyArray<string>
  /** Suites that test PostgreSQL against the memory store, or a host against its callers, for the others. */
  readonly suites: ReadonlyArray<string>
  /** Bindings that no host reaches and no list excuses: the rule would stay green if the product broke. */
  readonly lost: ReadonlyArray<string>
}

const declared = new Set(operations.map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}|:\w+/g, "{}")}`))

/** Whether a host declares the operation, its path parameters written as `{}`. */
export const isBuilt = (operation: string): boolean => declared.has(operation)

// Names with a capital are schemas, brands and classes: their types are used where the value is not.
const isFunctionOrTable = (binding: string): boolean => /#[a-z]/.test(binding)

const isAt = (binding: string, place: string): boolean => {
  const within = binding.replace(/^domain\/src\//, "")
  return place.includes("#") ? within === place : within.startsWith(place)
}

const waitsForOf = (binding: string): string | undefined => openFunctions.find(({ place }) => isAt(binding, place))?.operation

const suiteOf = (binding: string, inMemory: ReadonlySet<string>): string | undefined =>
  [...(inMemory.has(binding) ? modelFunctions : []), ...callersFunctions].find(({ place }) => isAt(binding, place))?.suite

const unique = (words: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  [...new Set(words.filter((word) => word !== undefined))].toSorted()

const reachOfOne = ({ domain, id }: RuleMentions, reached: ReadonlySet<string>, inMemory: ReadonlySet<string>): RuleReach => {
  const missing = domain.filter((binding) => isFunctionOrTable(binding) && !reached.has(binding))
  const unbuilt = (binding: string): string | undefined => {
    const operation = waitsForOf(binding)
    return operation === undefined || isBuilt(operation) ? undefined : operation
  }
  return {
    id,
    shipped: domain.filter((binding) => reached.has(binding)),
    waitsFor: unique(missing.map(unbuilt)),
    suites: unique(missing.map((binding) => suiteOf(binding, inMemory))),
    lost: missing.filter((binding) => unbuilt(binding) === undefined && suiteOf(binding, inMemory) === undefined)
  }
}

/** The reach of each rule of domain/test/rules. */
export const ruleReach = (): ReadonlyArray<RuleReach> => {
  const reached = reachableBindings()
  const inMemory = reachableBindings(filesOf("adapters/memory/src/index.ts").map(({ path }) => path))
  return ruleMentions().map((rule) => reachOfOne(rule, reached, inMemory))
}

/** Rules that prove nothing that is shipped, one sentence each. */
export const reachFaults = (rules: ReadonlyArray<RuleReach>): ReadonlyArray<string> => [
  ...rules.flatMap(({ id, lost }) =>
    lost.map((binding) => `rule ${id} exercises ${binding}, which no host reaches: use what ships, delete it, or name its operation in tools/openOperations.ts`)
  ),
  ...rules
    .filter(({ shipped, suites, waitsFor }) => shipped.length + suites.length + waitsFor.length === 0)
    .map(({ id }) => `rule ${id} exercises nothing of domain/src`),
  ...[...modelFunctions, ...callersFunctions].filter(({ suite }) => !existsSync(suite)).map(({ suite }) => `tools/openOperations.ts names ${suite}, which is not there`)
]

/** Entries of tools/openOperations.ts whose operation has been built meanwhile: to be removed, harmless until then. */
export const builtMeanwhile = (): ReadonlyArray<string> => unique(openFunctions.map(({ operation }) => operation).filter(isBuilt))
