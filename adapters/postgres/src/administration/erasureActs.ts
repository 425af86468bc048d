import { ErasureActs } from "@overa/domain"
import { Effect } from "effect"
import { erasePerson } from "../people/erasePerson.ts"
import { recordActivity } from "./activity.ts"
import type { ActTools } from "./ActTools.ts"
import { eraseRequestData } from "./eraseRequestData.ts"

// The journal's log does not cover these details, so a document without them still matches what was sealed (docs/adr/0084).
const eraseStatement = `update operations set buyer_details = null
where organization_id = $1 and ($2::text is null or buyer_id = $2) and buyer_details is not null
  and updated_at <= now() - $3::int4 * interval '1 day' and status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING')
returning operation_id`

const eraseBuyerDetails = ({ database }: ActTools): ErasureActs["Service"]["eraseBuyerDetails"] =>
  Effect.fn("ErasureActs.eraseBuyerDetails")(function*(act, organizationId, { buyerId, olderThanDays }) {
    return yield* database.transaction(Effect.fnUntraced(function*(tx) {
      const erased = yield* tx.query<{ readonly operation_id: string }>(eraseStatement, [organizationId, buyerId, olderThanDays])
      yield* recordActivity(tx, act, {
        organizationId,
        act: "buyer's details erased",
        subject: organizationId,
        before: null,
        after: { documents: erased.map((row) => row.operation_id), olderThanDays }
      })
      return erased.length
    }))
  })

/** Erasure of personal data outside the signed record. */
export const erasureActs = (tools: ActTools): ErasureActs["Service"] =>
  ErasureActs.of({ eraseBuyerDetails: eraseBuyerDetails(tools), eraseRequestData: eraseRequestData(tools), erasePerson: erasePerson(tools) })
