import { migrate } from "@overa/adapter-postgres"
import { Oversight } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { Trouble } from "../Refusal.ts"
import { withExamples } from "./describe.ts"

const status = (desk: Desk) =>
  new Command("status").description("steps of the schema that this release has and the database has not").action(desk.does(() =>
    Effect.gen(function*() {
      const pending = yield* (yield* Oversight).pendingMigrations
      return { text: pending.length === 0 ? "The schema is up to date." : `Pending steps: ${pending.join(", ")}.`, json: { pending } }
    })
  ))

const apply = (desk: Desk) =>
  new Command("migrate").description("brings the schema up to date; safe while hosts run, hosts do the same when they start").action(desk.does(() =>
    Effect.gen(function*() {
      const applied = yield* migrate().pipe(
        Effect.catchTag("MigrationChanged", (error) => Effect.fail(new Trouble({ sentence: error.message })))
      )
      return { text: applied.length === 0 ? "The schema was up to date." : `Applied steps ${applied.join(", ")}.`, json: { applied } }
    })
  ))

/** `schema`: the database's structure. */
export const schema = (desk: Desk): Command =>
  withExamples(new Command("schema").description("the database's structure").addCommand(status(desk)).addCommand(apply(desk)), [`schema status`])
