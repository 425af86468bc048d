import type { ChangeEvent } from "@overa/domain"
import { eventMessage, mostWaitingTests } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"

/** A message to be put into an endpoint's queue. */
export interface QueuedMessage {
  readonly eventId: string
  readonly sequence: number | null
  /** Messages of one resource are sent one after the other. */
  readonly resource: string
  readonly body: string
}

export const messageOf = (event: ChangeEvent): QueuedMessage => ({
  eventId: event.id,
  sequence: event.sequence,
  resource: `${event.resource.type} ${event.resource.id}`,
  body: JSON.stringify(eventMessage(event))
})

/** $1 organization, $2 endpoint, $3 messages: the queue's next places, under the lock of the endpoint's row. */
const takePlaces = "update webhook_endpoints set last_position = last_position + $3::int8 where organization_id = $1 and endpoint_id = $2 returning last_position"

/** $1 organization, $2 endpoint, $3 last position before, $4 events, $5 sequences (0: none), $6 resources, $7 bodies. */
const insertMessages = `insert into webhook_messages (organization_id, endpoint_id, position, event_id, sequence, resource, body, status, attempts, due_at, created_at)
select $1, $2, $3::int8 + many.place, many.event_id, nullif(many.sequence, 0), many.resource, many.body, 'PENDING', 0, now(), now()
from unnest($4::text[], $5::int8[], $6::text[], $7::text[]) with ordinality as many (event_id, sequence, resource, body, place)`

/** Puts messages at the end of an endpoint's queue, in their order. The transaction holds the endpoint's row. */
export const queueMessages = Effect.fnUntraced(function*(
  tx: PgStatements,
  of: { readonly organization_id: string; readonly endpoint_id: string },
  messages: ReadonlyArray<QueuedMessage>
) {
  if (messages.length === 0) return
  const [taken] = yield* tx.query<{ readonly last_position: bigint }>(takePlaces, [of.organization_id, of.endpoint_id, messages.length])
  yield* tx.query(insertMessages, [
    of.organization_id, of.endpoint_id, Number(taken?.last_position ?? 0) - messages.length, messages.map(({ eventId }) => eventId),
    messages.map(({ sequence }) => sequence ?? 0), messages.map(({ resource }) => resource), messages.map(({ body }) => body)
  ])
})

/** $3: the test messages that may stay beside the new one. What is on its way is left alone. */
const dropOldestTests = `delete from webhook_messages where organization_id = $1 and endpoint_id = $2 and status = 'PENDING' and sequence is null
  and (claimed_until is null or claimed_until <= now())
  and position <= (select m.position from webhook_messages m where m.organization_id = $1 and m.endpoint_id = $2 and m.status = 'PENDING' and m.sequence is null
    order by m.position desc offset $3 limit 1)`

/** A test message too many takes the place of the oldest. The transaction holds the endpoint's row. */
export const queueTestMessage = Effect.fnUntraced(function*(tx: PgStatements, of: Parameters<typeof queueMessages>[1], message: QueuedMessage) {
  yield* tx.query(dropOldestTests, [of.organization_id, of.endpoint_id, mostWaitingTests - 1])
  yield* queueMessages(tx, of, [message])
})

/** $3 sequences. */
const wakeWaiting = `update webhook_messages set due_at = now(), attempts = 0 where organization_id = $1 and endpoint_id = $2 and status = 'PENDING' and sequence = any($3::int8[])
returning sequence`

/** Queues events once more; one that waits is due at once instead. The transaction holds the endpoint's row. */
export const queueAgain = Effect.fnUntraced(function*(tx: PgStatements, of: Parameters<typeof queueMessages>[1], events: ReadonlyArray<ChangeEvent>) {
  const rows = yield* tx.query<{ readonly sequence: bigint }>(wakeWaiting, [of.organization_id, of.endpoint_id, events.map(({ sequence }) => sequence)])
  const waiting = new Set(rows.map(({ sequence }) => Number(sequence)))
  yield* queueMessages(tx, of, events.filter(({ sequence }) => !waiting.has(sequence)).map(messageOf))
})
