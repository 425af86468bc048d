import { AttentionOversight, type Operation, RecordActs } from "@overa/domain"
import { Effect } from "effect"
import { postgresPorts } from "./postgresPorts.ts"

/** A person acknowledges the open items of a kind about an operation, as the operator's command does. */
export const acknowledgeInPostgres = (url: () => string) => ({ id, organizationId }: Operation, kind: string) =>
  Effect.gen(function*() {
    const items = yield* (yield* AttentionOversight).attentionOf(organizationId, id)
    const acts = yield* RecordActs
    for (const item of items) if (item.kind === kind && item.acknowledgedAt === null) yield* acts.acknowledge({ actor: "operator:ana", reason: "seen" }, item.id)
  }).pipe((acting) => Effect.suspend(() => Effect.provide(acting, postgresPorts(url()))))
