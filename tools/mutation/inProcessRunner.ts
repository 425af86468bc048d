/**
 * Runs the domain's own tests for Stryker inside one process: the test files are loaded once, and each mutant is switched on for the tests that reach it.
 * Starting vitest for every mutant takes a second or two, thousands of times; these tests take milliseconds.
 *
 * A mutant may leave a wrong value in a cache of a module. Therefore a failed test is run once more with the mutant switched off: where it fails again, the
 * run is given up, and Stryker begins the same mutant in a new process. A mutant that survives survived every test that reaches it, in this process.
 */
import { INSTRUMENTER_CONSTANTS, type MutantCoverage } from "@stryker-mutator/api/core"
import { declareFactoryPlugin, PluginKind } from "@stryker-mutator/api/plugin"
import {
  determineHitLimitReached,
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult
} from "@stryker-mutator/api/test-runner"
import * as fc from "fast-check"
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { loadFile, type RegisteredTest, registered } from "./testApi.ts"

/** The variable that the instrumented sources read and write; Stryker chooses its name. */
interface Instrumented {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  mutantCoverage?: MutantCoverage
  hitCount?: number | undefined
  hitLimit?: number | undefined
}

const testApi = new URL("./testApi.ts", import.meta.url).href

/** The duration of each test in the first run, for the later processes; in the folder Stryker has changed to when it is used. */
const timesFile = "test-times.json"

const loadTests = async (): Promise<void> => {
  process.env["OVERA_RULES_CASES"] = "40"
  // One seed for every example, so that a run can be repeated; the first failing case is enough, so no smaller one is searched for.
  fc.configureGlobal({ seed: 20_260_829, endOnFailure: true })
  registerHooks({
    resolve: (specifier, context, next) =>
      (specifier === "vitest" || specifier === "@effect/vitest") && context.parentURL !== testApi
        ? { url: testApi, shortCircuit: true }
        : next(specifier, context)
  })
  for (const file of globSync("domain/test/{rules,examples}/**/*.test.ts").sort()) {
    const path = resolve(file)
    await loadFile(path, () => import(pathToFileURL(path).href))
  }
}

const runTest = async ({ file, id, run }: RegisteredTest): Promise<TestResult> => {
  const about = { id, name: id.slice(file.length + 1), fileName: file }
  const before = performance.now()
  try {
    await run()
    return { ...about, status: TestStatus.Success, timeSpentMs: performance.now() - before }
  } catch (error) {
    return { ...about, status: TestStatus.Failed, timeSpentMs: performance.now() - before, failureMessage: String(error) }
  }
}

class InProcessRunner implements TestRunner {
  readonly #instrumented = (globalThis as unknown as Record<string, Instrumented>)[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {}
  #times: Readonly<Record<string, number>> | null = null

  /** Says that no new process is needed for a mutant whose code also ran at load: values computed at load stay as they are, the mutant is active while the tests run. */
  capabilities() {
    return { reloadEnvironment: true }
  }

  /** The tests are loaded here; this time does not count towards a mutant's time-out. */
  init(): Promise<void> {
    return loadTests()
  }

  async dryRun(_: DryRunOptions): Promise<DryRunResult> {
    const tests: Array<TestResult> = []
    for (const test of registered.values()) {
      this.#instrumented.currentTestId = test.id
      tests.push(await runTest(test))
    }
    this.#instrumented.currentTestId = undefined
    writeFileSync(timesFile, JSON.stringify(Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]))))
    const { mutantCoverage } = this.#instrumented
    return { status: DryRunStatus.Complete, tests, ...(mutantCoverage === undefined ? {} : { mutantCoverage }) }
  }

  async mutantRun({ activeMutant, disableBail, hitLimit, mutantActivation, testFilter }: MutantRunOptions): Promise<MutantRunResult> {
    if (mutantActivation === "static") return { status: MutantRunStatus.Error, errorMessage: "a mutant that acts at load needs a process of its own" }
    const asked = this.#quickestFirst(testFilter ?? [...registered.keys()])
    Object.assign(this.#instrumented, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
    const tests: Array<TestResult> = []
    for (const test of asked) {
      const result = await runTest(test)
      tests.push(result)
      if (result.status === TestStatus.Failed && !disableBail) break
    }
    const timedOut = determineHitLimitReached(this.#instrumented.hitCount, hitLimit)
    Object.assign(this.#instrumented, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined })
    await this.#expectToPass(tests)
    return toMutantRunResult(timedOut ?? { status: DryRunStatus.Complete, tests })
  }

  #quickestFirst(ids: ReadonlyArray<string>): ReadonlyArray<RegisteredTest> {
    this.#times ??= existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, "utf8")) as Readonly<Record<string, number>> : {}
    const timeOf = (id: string): number => this.#times?.[id] ?? 0
    return ids.toSorted((one, other) => timeOf(one) - timeOf(other)).flatMap((id) => registered.get(id) ?? [])
  }

  /** The tests that failed with the mutant must pass without it, otherwise this process cannot run another mutant. */
  async #expectToPass(results: ReadonlyArray<TestResult>): Promise<void> {
    for (const { id, status } of results) {
      const test = status === TestStatus.Failed ? registered.get(id) : undefined
      if (test !== undefined && (await runTest(test)).status === TestStatus.Failed) throw new Error(`${id} fails without a mutant too`)
    }
  }
}

const create = Object.assign((): TestRunner => new InProcessRunner(), { inject: [] as const })

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, "in-process", create)]
