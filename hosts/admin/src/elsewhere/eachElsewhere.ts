import { type ElsewhereFilter, ElsewhereReceipts, type StoredElsewhereReceipt, type Tenant } from "@overa/domain"
import { Effect } from "effect"

/** Receipts read at once. */
const pageSize = 500

/** Hands over all receipts issued elsewhere that the filter selects, page by page, latest first. */
export const eachElsewhere = Effect.fnUntraced(function*(tenant: Tenant, filter: ElsewhereFilter, use: (page: ReadonlyArray<StoredElsewhereReceipt>) => void) {
  const store = yield* ElsewhereReceipts
  let after: string | null = null
  do {
    const { items, next }: Effect.Success<ReturnType<typeof store.page>> = yield* store.page(tenant, filter, after, pageSize)
    use(items)
    after = next
  } while (after !== null)
})
