import type { Command } from "commander"

const examplesText = (examples: ReadonlyArray<string>): string => `\nExamples:\n${examples.map((it) => `  npm run admin -- ${it}`).join("\n")}`

/** Examples below the help of a command and of its subcommands, each a whole command line. */
export const withExamples = (command: Command, examples: ReadonlyArray<string>): Command => {
  for (const subcommand of command.commands) {
    const own = examples.filter((it) => it.includes(`${command.name()} ${subcommand.name()}`))
    if (own.length > 0) subcommand.addHelpText("after", examplesText(own))
  }
  return command.addHelpText("after", examplesText(examples))
}

/** Every change requires a reason, which goes to the activity log. */
export const asAct = (command: Command): Command => command.option("--reason <text>", "why, for the activity log (required)")

/** An act that cannot be undone asks for confirmation first. */
export const asFinalAct = (command: Command): Command => asAct(command).option("--yes", "do not ask")
