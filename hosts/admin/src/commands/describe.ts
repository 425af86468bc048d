import type { Command } from "commander"

const examplesText = (examples: ReadonlyArray<string>): string => `\nExamples:\n${examples.map((it) => `  npm run admin -- ${it}`).join("\n")}`

/** Examples below the help of a command and of those of its subcommands they are about, each a whole line to type. */
export const withExamples = (command: Command, examples: ReadonlyArray<string>): Command => {
  for (const subcommand of command.commands) {
    const own = examples.filter((it) => it.includes(`${command.name()} ${subcommand.name()}`))
    if (own.length > 0) subcommand.addHelpText("after", examplesText(own))
  }
  return command.addHelpText("after", examplesText(examples))
}

/** An act changes something, so it says why; the reason goes to the activity log. */
export const asAct = (command: Command): Command => command.option("--reason <text>", "why, for the activity log (required)")

/** An act that cannot be undone asks before it is done. */
export const asFinalAct = (command: Command): Command => asAct(command).option("--yes", "do not ask")
