import { type Command, CommanderError } from "commander"
import { Desk } from "./Desk.ts"
import { program } from "./program.ts"
import type { Surroundings } from "./Surroundings.ts"

const everyCommand = (command: Command): ReadonlyArray<Command> => [command, ...command.commands.flatMap(everyCommand)]

/**
 * Runs one command line.
 *
 * @returns the exit code: 0 done; 1 settings, database or V-PFR do not work; 2 bad input or a refused act, nothing changed
 */
export const runAdmin = async (args: ReadonlyArray<string>, surroundings: Surroundings): Promise<number> => {
  const desk = new Desk(surroundings)
  const root = program(desk)
  for (const command of everyCommand(root)) {
    command.exitOverride().configureOutput({ writeOut: surroundings.write, writeErr: surroundings.writeError })
  }
  try {
    await root.parseAsync([...args], { from: "user" })
    return desk.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
}
