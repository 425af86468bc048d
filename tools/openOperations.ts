/** Functions that wait for an operation: only its handler needs them, so no host reaches them before it is built. */
export interface OpenFunctions {
  /** Their place: a folder or a file of `domain/src`, or one function as `path#name`. */
  readonly place: string
  /** The operation, path parameters written as `{}`. Once a host declares it, everything here must be reachable. */
  readonly operation: string
}

export const openFunctions: ReadonlyArray<OpenFunctions> = []

/** A function of the memory store that PostgreSQL does in SQL. */
export interface ModelFunction {
  /** `path#name` under `domain/src`. */
  readonly place: string
  /** The contract suite that tests both stores alike. */
  readonly suite: string
}

const refundStore = "contract-tests/src/ports/RefundStore.contract.ts"
const productStore = "contract-tests/src/ports/ProductStore.contract.ts"
const journalStore = "contract-tests/src/ports/JournalStore.contract.ts"

export const modelFunctions: ReadonlyArray<ModelFunction> = [
  { place: "journal/JournalCursor.ts#compareInJournal", suite: journalStore },
  { place: "journal/JournalCursor.ts#isBehindCursor", suite: journalStore },
  { place: "journal/turnover.ts#turnover", suite: journalStore },
  { place: "journal/salesAndRefunds.ts#salesAndRefunds", suite: journalStore },
  { place: "journal/JournalLine.ts#journalLineOf", suite: journalStore },
  ...["holdRefund", "consumeRefund", "releaseRefund", "consumeAfterRelease", "overRefundedLines"]
    .map((name) => ({ place: `refunds/RefundLedger.ts#${name}`, suite: refundStore })),
  { place: "catalogue/Product.ts#takeSku", suite: productStore },
  { place: "catalogue/matchesSearch.ts#matchesSearch", suite: productStore },
  { place: "delivery/DeliveryFilter.ts#matchesDeliveryFilter", suite: "contract-tests/src/ports/Deliveries.contract.ts" }
]

/** Functions for those who ask a host from outside, with the suite in which they talk to the host. */
export const callersFunctions: ReadonlyArray<ModelFunction> = ["cosignature.ts#cosignedAt", "cosignature.ts#readWitnessKey", "witnessing.ts#witnessRequestText"]
  .map((name) => ({ place: `journal-log/${name}`, suite: "hosts/witness/test/witness.test.ts" }))
