import type { Migration } from "./Migration.ts"

// Why: an endpoint that was away has many messages that wait, all of them due. A worker takes the first of them by position, and counts those that are
// on their way: without these indexes each pass read and sorted the whole queue (docs/adr/0396).
export const webhookQueueOnline: Migration = {
  number: 81,
  name: "webhook queue, online",
  online: true,
  statements: [
    "create index concurrently if not exists webhook_messages_queue on webhook_messages (organization_id, endpoint_id, position) where status = 'PENDING'",
    "create index concurrently if not exists webhook_messages_claimed on webhook_messages (organization_id, endpoint_id, claimed_until) where status = 'PENDING' and claimed_until is not null"
  ]
}
