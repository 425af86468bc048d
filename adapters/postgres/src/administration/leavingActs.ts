import { type LeavingActs, leavingTurnMinutes } from "@overa/domain"
import { Effect } from "effect"
import { tellOwners } from "../people/PgPersonMails.ts"
import { utc } from "../rows/OperationRow.ts"
import { recordActivity, rightNow } from "./activity.ts"
import { type ActTools, requireOrganization } from "./ActTools.ts"

const takeTurn = `insert into leaving_turns as held (organization_id, turn, lasts_until) values ($1, $2, $3)
on conflict (organization_id) do update set turn = excluded.turn, lasts_until = excluded.lasts_until where held.lasts_until <= $4
returning turn`

const fromNow = (now: Date): Date => new Date(now.getTime() + leavingTurnMinutes * 60_000)

const begin = (tools: ActTools): LeavingActs["Service"]["begin"] =>
  Effect.fn("LeavingActs.begin")(function*(act, organizationId) {
    const turn = yield* tools.uuid
    return yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* requireOrganization(tx, organizationId)
        const now = yield* rightNow
        const taken = yield* tx.query(takeTurn, [organizationId, turn, fromNow(now), now])
        if (taken.length === 0) {
          const [held] = yield* tx.query<{ readonly lasts_until: Date }>("select lasts_until from leaving_turns where organization_id = $1", [organizationId])
          return { takenUntil: utc(held?.lasts_until ?? now) }
        }
        yield* recordActivity(tx, act, { organizationId, act: "hand-over begun", subject: organizationId, before: null, after: null })
        yield* tellOwners(tx, tools, organizationId, "EVERYTHING_TAKEN", act.actor)
        return { turn }
      })
    )
  })

/** The turn of taking everything of an organization along. */
export const leavingActs = (tools: ActTools): LeavingActs["Service"] => ({
  begin: begin(tools),
  goOn: Effect.fn("LeavingActs.goOn")(function*(organizationId, turn) {
    const now = yield* rightNow
    const rows = yield* tools.database.read<{ readonly turn: string }>(
      "update leaving_turns set lasts_until = $3 where organization_id = $1 and turn = $2 and lasts_until > $4 returning turn",
      [organizationId, turn, fromNow(now), now]
    )
    return rows.length > 0
  }),
  end: Effect.fn("LeavingActs.end")(function*(act, organizationId, turn, after) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* tx.query("delete from leaving_turns where organization_id = $1 and turn = $2", [organizationId, turn])
        if (after !== null) yield* recordActivity(tx, act, { organizationId, act: "organization handed over", subject: organizationId, before: null, after })
      })
    )
  })
})
