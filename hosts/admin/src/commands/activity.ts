import { type ActivityFilter, InstallationOversight } from "@overa/domain"
import { Command } from "commander"
import { Effect } from "effect"
import type { Desk } from "../Desk.ts"
import { shownTime, table } from "../output/Outcome.ts"
import { withExamples } from "./describe.ts"

const search = (desk: Desk) =>
  new Command("search").description("newest first; every part is optional").argument("[text]", "anywhere in act, subject, before, after or reason")
    .option("--organization <id>").option("--installation", "only acts on the installation itself").option("--actor <name>", "e.g. operator:ana")
    .option("--from <date>").option("--to <date>").option("--limit <number>", "default 100")
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const organizationId = yield* input.optionalId("organization", "organization")
        const [from, to] = [yield* input.instant("from"), yield* input.instant("to")]
        const actor = input.text("actor")
        const filter: ActivityFilter = {
          ...(organizationId === null ? {} : { organizationId }),
          ...(input.flag("installation") === true ? { organizationId: null } : {}),
          ...(actor === null ? {} : { actor }),
          ...(input.argument(0) === "" ? {} : { text: input.argument(0) }),
          ...(from === null ? {} : { from }),
          ...(to === null ? {} : { to }),
          limit: yield* input.wholeNumber("limit", 100, 10_000)
        }
        const found = yield* (yield* InstallationOversight).searchActivity(filter)
        const rows = found.map((it) => [shownTime(it.at), it.actor, it.act, it.subjectName === null ? it.subject : `${it.subjectName} (${it.subject})`, it.reason])
        return { text: table(["AT", "WHO", "ACT", "SUBJECT", "WHY"], rows, "Nothing found."), json: { items: found } }
      })
    ))

/** `activity`: who did what, when and why. */
export const activity = (desk: Desk): Command =>
  withExamples(new Command("activity").description("the append-only log of every act").addCommand(search(desk)), [
    `activity search "credential" --from 2026-05-01`,
    `activity search --json --actor operator:ana --limit 500`
  ])
