import { grantRoles, migrate } from "@overa/adapter-postgres"
import { InstallationOversight } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { Trouble } from "../Refusal.ts"
import { withExamples } from "./describe.ts"

const status = (desk: Desk) =>
  new Command("status").description("migrations that this release has and the database has not").action(desk.does(() =>
    Effect.gen(function*() {
      const pending = yield* (yield* InstallationOversight).pendingMigrations
      return { text: pending.length === 0 ? "The schema is up to date." : `Pending steps: ${pending.join(", ")}.`, json: { pending } }
    })
  ))

const apply = (desk: Desk) =>
  new Command("migrate").description("brings the schema up to date; safe while hosts run, hosts do the same when they start").action(desk.does(() =>
    Effect.gen(function*() {
      const applied = yield* migrate().pipe(
        Effect.catchTag(["MigrationChanged", "SchemaBehind"], (error) => Effect.fail(new Trouble({ sentence: error.message })))
      )
      return { text: applied.length === 0 ? "The schema was up to date." : `Applied steps ${applied.join(", ")}.`, json: { applied } }
    })
  ))

const grant = (desk: Desk) =>
  new Command("grant").description("gives the hosts' role, and one for reading, what they need and nothing else; as the schema's owner, after every migrate")
    .requiredOption("--hosts <role>", "the role of the API, the worker, the portal and this command")
    .option("--reading <role>", "a role that only reads, without secrets")
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const roles = { hosts: input.text("hosts") ?? "", reading: input.text("reading") }
        const tables = yield* grantRoles(roles).pipe(
          Effect.catchTag("NotTheOwner", (error) => Effect.fail(new Trouble({ sentence: error.message })))
        )
        return { text: `${roles.hosts} may work with ${tables.length} tables and owns none.`, json: { ...roles, tables } }
      })
    ))

/** `schema`: the database's structure. */
export const schema = (desk: Desk): Command =>
  withExamples(new Command("schema").description("the database's structure").addCommand(status(desk)).addCommand(apply(desk)).addCommand(grant(desk)), [
    `schema status`,
    `schema grant --hosts overa_hosts --reading overa_reading`
  ])
