import type { Operation } from "@overa/domain"
import { Effect } from "effect"
import type { DeedLine } from "../ports/operatorsDeeds.contract.ts"
import type { ThrowawayDatabase } from "./throwawayDatabase.ts"

/** The lines of the activity log about an operation, in their order. */
export const activityAbout = (database: () => Pick<ThrowawayDatabase, "client">, { id, organizationId }: Pick<Operation, "id" | "organizationId">): Effect.Effect<ReadonlyArray<DeedLine>> =>
  Effect.promise(async () => {
    const client = await database().client()
    try {
      const { rows } = await client.query<DeedLine & { readonly after: string }>(
        "select actor, act, reason, after from activity_log where organization_id = $1 and subject = $2 order by at", [organizationId, id]
      )
      return rows.map((row) => ({ ...row, after: JSON.parse(row.after) as unknown }))
    } finally {
      await client.end()
    }
  })
