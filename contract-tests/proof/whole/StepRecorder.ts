import { type Profiler, Session } from "node:inspector/promises"
import { fileURLToPath } from "node:url"

/** The functions of one file that ran, in their order in it. */
export interface FileSteps {
  /** From the root of the repository. */
  readonly file: string
  readonly functions: ReadonlyArray<string>
}

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Lists of exports have no functions of their own; the test runner gives each export one. */
const isListOfExports = (file: string): boolean => /\/(index|surface\/[^/]+)\.ts$/.test(file)

/** What a request passes through: sources of the product, without the simulator, the operator's command and tests. */
const isProduct = (file: string): boolean =>
  /^(domain|adapters\/[^/]+|hosts\/(rest-api|kit))\/src\//.test(file) && !isListOfExports(file)

const fileOf = (url: string): string => {
  const path = url.startsWith("file://") ? fileURLToPath(url) : url
  return path.startsWith(root) ? path.slice(root.length) : path
}

const stepsOf = ({ functions, url }: Profiler.ScriptCoverage): FileSteps => ({
  file: fileOf(url),
  // The first function is the module itself, which runs when it is loaded.
  functions: functions.slice(1).filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName }) => functionName || "(anonymous)")
})

/** Counts what of the product runs in this process, by the engine's own coverage. */
export class StepRecorder {
  readonly #session: Session

  private constructor(session: Session) {
    this.#session = session
  }

  static async start(): Promise<StepRecorder> {
    const session = new Session()
    session.connect()
    await session.post("Profiler.enable")
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
    return new StepRecorder(session)
  }

  /** The files and functions that ran while `act` did, and its answer. */
  async during<A>(act: () => Promise<A>): Promise<{ readonly answer: A; readonly steps: ReadonlyArray<FileSteps> }> {
    await this.#session.post("Profiler.takePreciseCoverage")
    const answer = await act()
    const { result } = await this.#session.post("Profiler.takePreciseCoverage")
    const steps = result.map(stepsOf).filter(({ file, functions }) => isProduct(file) && functions.length > 0)
    return { answer, steps: steps.sort((one, other) => (one.file < other.file ? -1 : 1)) }
  }

  stop(): void {
    this.#session.disconnect()
  }
}
