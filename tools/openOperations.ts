/** Functions that wait for an operation: nothing but its handler needs them, so no host reaches them before it is built. */
export interface OpenFunctions {
  /** Their place: a folder or a file of `domain/src`, or one function as `path#name`. */
  readonly place: string
  /** The operation, path parameters written as `{}`. Once a host declares it, everything here has to be reachable. */
  readonly operation: string
}

const turnover = "GET /v1/reports/turnover"

export const openFunctions: ReadonlyArray<OpenFunctions> = [
  { place: "journal/turnover.ts", operation: turnover },
  { place: "journal/turnoverParts.ts", operation: turnover },
  { place: "journal/apportion.ts", operation: turnover },
  { place: "time/belgradeTime.ts#belgradeDay", operation: turnover },
  { place: "time/belgradeTime.ts#belgradeMonth", operation: turnover },
  { place: "journal/", operation: "GET /v1/journal/export" }
]

/** A function of the memory store that PostgreSQL does in SQL. */
export interface ModelFunction {
  /** `path#name` under `domain/src`. */
  readonly place: string
  /** The contract suite that holds both stores to the same. */
  readonly suite: string
}

const refundStore = "contract-tests/src/ports/RefundStore.contract.ts"
const productStore = "contract-tests/src/ports/ProductStore.contract.ts"

export const modelFunctions: ReadonlyArray<ModelFunction> = [
  ...["holdRefund", "consumeRefund", "releaseRefund", "consumeAfterRelease", "overRefundedLines"]
    .map((name) => ({ place: `refunds/RefundLedger.ts#${name}`, suite: refundStore })),
  { place: "catalogue/Sku.ts#takeSku", suite: productStore },
  { place: "catalogue/matchesSearch.ts#matchesSearch", suite: productStore },
  { place: "delivery/DeliveryFilter.ts#matchesDeliveryFilter", suite: "contract-tests/src/ports/Deliveries.contract.ts" }
]
