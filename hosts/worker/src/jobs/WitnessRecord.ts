import { type WitnessAsked, type WitnessResult, witnessResults } from "@overa/domain"
import { metric } from "@overa/host-kit"
import { Context } from "effect"

/** The same line about a log or a witness is not logged again within this time. */
const quietMillis = 3_600_000

/** What is about one log; everything else is about the witness. */
const ofLog: ReadonlySet<WitnessResult> = new Set(["behind", "contradicted"])

/** The answers of witnesses since this worker started. */
export class WitnessRecord {
  readonly #counts = new Map<string, Map<WitnessResult, number>>()
  readonly #told = new Map<string, number>()

  /** Each series of these witnesses begins with 0. */
  begin(names: ReadonlyArray<string>): void {
    for (const name of names) if (!this.#counts.has(name)) this.#counts.set(name, new Map())
  }

  count({ result, witness }: Pick<WitnessAsked, "result" | "witness">): void {
    this.begin([witness.name])
    const counts = this.#counts.get(witness.name)
    counts?.set(result, (counts.get(result) ?? 0) + 1)
  }

  /** Whether a line about it is due. */
  isNews({ origin, result, witness }: Pick<WitnessAsked, "origin" | "result" | "witness">, nowMillis: number): boolean {
    if (result === "cosigned") return false
    const about = JSON.stringify([witness.name, result, ofLog.has(result) ? origin : ""])
    const before = this.#told.get(about)
    if (before !== undefined && nowMillis - before < quietMillis) return false
    this.#told.set(about, nowMillis)
    return true
  }

  text(): string {
    const samples = [...this.#counts].flatMap(([witness, counts]) => witnessResults.map((result) => [{ witness, result }, counts.get(result) ?? 0] as const))
    return metric("overa_witness_answers_total", "counter", "Checkpoints shown to witnesses, by what came of it.", samples)
  }
}

/** The record of the process. */
export class WitnessRecords extends Context.Reference<WitnessRecord>("@overa/worker/jobs/WitnessRecords", { defaultValue: () => new WitnessRecord() }) {}
