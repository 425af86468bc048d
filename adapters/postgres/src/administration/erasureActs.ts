import { ErasureActs } from "@overa/domain"
import { Effect } from "effect"
import { erasePerson } from "../people/erasePerson.ts"
import { recordActivity } from "./activity.ts"
import type { ActTools } from "./ActTools.ts"
import { erasedAtOnce, eraseInCommits, erasingBy } from "./eraseInCommits.ts"
import { eraseRequestData } from "./eraseRequestData.ts"

// The journal's log does not cover these details, so a document without them still matches what was sealed (docs/adr/0084).
const mayBeErased = `organization_id = $1 and ($3::text is null or buyer_id = $3) and buyer_details is not null
  and updated_at <= now() - $4::int4 * interval '1 day' and status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING')`

/** $1 organization, $2 after, $3 buyer, $4 days. */
const next = `select operation_id as id from operations where ${mayBeErased} and operation_id > $2 order by operation_id limit ${erasedAtOnce}`

/** $1 organization, $2 documents, $3 buyer, $4 days. */
const erase = `update operations set buyer_details = null where ${mayBeErased} and operation_id = any ($2::uuid[]) returning operation_id as id`

const eraseBuyerDetails = ({ database }: ActTools): ErasureActs["Service"]["eraseBuyerDetails"] =>
  Effect.fn("ErasureActs.eraseBuyerDetails")(function*(act, organizationId, { buyerId, olderThanDays }) {
    const { erased } = yield* eraseInCommits(database, {
      some: erasingBy({ next, erase }, organizationId, [buyerId, olderThanDays]),
      record: (tx, documents) =>
        recordActivity(tx, act, { organizationId, act: "buyer's details erased", subject: organizationId, before: null, after: { documents, olderThanDays } })
    })
    return erased
  })

/** Erasure of personal data outside the signed record. */
export const erasureActs = (tools: ActTools): ErasureActs["Service"] =>
  ErasureActs.of({ eraseBuyerDetails: eraseBuyerDetails(tools), eraseRequestData: eraseRequestData(tools), erasePerson: erasePerson(tools) })
