import type { Command } from "commander"
import { Cause, Effect, Exit, ManagedRuntime, Option } from "effect"
import { adminConfig } from "./AdminConfig.ts"
import { Input } from "./input/Input.ts"
import { type AdminServices, adminServices } from "./layers.ts"
import { asJson, type Outcome } from "./output/Outcome.ts"
import { endingOf } from "./sentenceOf.ts"
import type { Surroundings } from "./Surroundings.ts"

/** The work of a subcommand for its input. */
export type Handle = (input: Input) => Effect.Effect<Outcome, unknown, AdminServices>

/** Runs the subcommands: opens the services, prints the outcome or the one sentence of a failure, and keeps the exit code. */
export class Desk {
  exitCode = 0
  private readonly surroundings: Surroundings

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings
  }

  /** The action of a subcommand. */
  does(handle: Handle): (...given: ReadonlyArray<unknown>) => Promise<void> {
    return async (...given) => {
      const command = given.at(-1) as Command
      try {
        const options = command.optsWithGlobals() as Readonly<Record<string, unknown>>
        const config = adminConfig(this.surroundings.environment)
        const input = new Input({ args: command.args, options, config, surroundings: this.surroundings })
        this.show(await this.run(handle, input), options["json"] === true)
      } catch (error) {
        this.fail(error)
      }
    }
  }

  private async run(handle: Handle, input: Input): Promise<Outcome> {
    const runtime = ManagedRuntime.make(adminServices(input.config))
    try {
      const exit = await runtime.runPromiseExit(handle(input))
      if (Exit.isSuccess(exit)) return exit.value
      throw Option.getOrElse(Cause.findErrorOption(exit.cause), () => new Error(Cause.pretty(exit.cause)))
    } finally {
      await runtime.dispose()
    }
  }

  private show(outcome: Outcome, json: boolean): void {
    this.exitCode = outcome.exitCode ?? 0
    this.surroundings.write(`${json ? asJson(outcome.json) : outcome.text}\n`)
  }

  private fail(error: unknown): void {
    const ending = endingOf(error)
    this.exitCode = ending?.exitCode ?? 1
    this.surroundings.writeError(`${ending?.sentence ?? `Internal error: ${error instanceof Error ? error.stack : String(error)}`}\n`)
  }
}
