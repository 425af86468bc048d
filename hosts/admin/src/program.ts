import { Command } from "commander"
import { activity } from "./commands/activity.ts"
import { attention } from "./commands/attention.ts"
import { backup } from "./commands/backup.ts"
import { billing } from "./commands/billing.ts"
import { buyers } from "./commands/buyers.ts"
import { closings } from "./commands/closings.ts"
import { copies } from "./commands/copies.ts"
import { credentials } from "./commands/credentials.ts"
import { deliveries } from "./commands/deliveries.ts"
import { withExamples } from "./commands/describe.ts"
import { elements } from "./commands/elements.ts"
import { elsewhere } from "./commands/elsewhere.ts"
import { environment } from "./commands/environments.ts"
import { handOverCommand } from "./commands/handOver.ts"
import { journal } from "./commands/journal.ts"
import { licences } from "./commands/licences.ts"
import { metadata } from "./commands/metadata.ts"
import { organizations } from "./commands/organizations.ts"
import { people } from "./commands/people.ts"
import { pool } from "./commands/pool.ts"
import { premises } from "./commands/premises.ts"
import { reference } from "./commands/reference.ts"
import { rehearse } from "./commands/rehearse.ts"
import { restore } from "./commands/restore.ts"
import { schema } from "./commands/schema.ts"
import { signIn, signOut } from "./commands/signIn.ts"
import { secretKeys } from "./commands/secretKeys.ts"
import { shops } from "./commands/shops.ts"
import { taxpayers } from "./commands/taxpayers.ts"
import { tokenKeys } from "./commands/tokenKeys.ts"
import { unknown } from "./commands/unknown.ts"
import type { Desk } from "./Desk.ts"

const subcommands = [
  organizations,
  taxpayers,
  premises,
  elements,
  pool,
  credentials,
  licences,
  billing,
  shops,
  rehearse,
  handOverCommand,
  elsewhere,
  deliveries,
  buyers,
  metadata,
  people,
  environment,
  unknown,
  copies,
  closings,
  attention,
  activity,
  backup,
  journal,
  reference,
  tokenKeys,
  secretKeys,
  restore,
  schema,
  signIn,
  signOut
]

const leavesOf = (command: Command): ReadonlyArray<Command> =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)

/** The name of every subcommand that performs an act, as typed: `taxpayers add`. */
export const commandNames = (desk: Desk): ReadonlyArray<string> => {
  const nameOf = (command: Command): string => command.parent === null ? "" : `${nameOf(command.parent)} ${command.name()}`.trim()
  return leavesOf(program(desk)).map(nameOf)
}

/** The whole command with all its subcommands. */
export const program = (desk: Desk): Command => {
  const command = new Command("overa-admin")
    .description("The operator's command. It reads the hosts' environment variables, or where DATABASE_URL is not set, the sandbox in OVERA_HOME.")
    .showSuggestionAfterError()
  for (const subcommand of subcommands) command.addCommand(subcommand(desk))
  for (const leaf of leavesOf(command)) {
    leaf.option("--json", "answer in JSON, for programs")
      .option("--operator <name>", "before anybody can sign in, and in the sandbox: the operator's name; else OVERA_OPERATOR, else the user name")
  }
  return withExamples(command, [`sign-in ana@example.rs`, `organizations list`, `unknown list --json`, `elements upload --help`])
}
