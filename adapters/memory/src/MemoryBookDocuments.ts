import { BookDocuments, compareInJournal, isInRange, type Operation, pfrInstant, type Tenant, totalAmount } from "@overa/domain"
import { BigDecimal, DateTime, Effect, Layer, Option } from "effect"
import { allShown, MemoryOperations } from "./MemoryOperations.ts"

const signedInstant = ({ answer }: Operation) => Option.flatMap(Option.fromNullishOr(answer), ({ pfr }) => pfrInstant(pfr.sdcTime))

const signedAt = (operation: Operation): number =>
  Option.match(signedInstant(operation), { onNone: () => Number.POSITIVE_INFINITY, onSome: DateTime.toEpochMillis })

const caseOf = ({ id, workflow }: Operation): string => workflow?.id ?? id

const amountOf = ({ content: { items, transactionType } }: Operation): BigDecimal.BigDecimal =>
  transactionType === "REFUND" ? BigDecimal.negate(totalAmount(items)) : totalAmount(items)

/** In the order in which they were asked for: the journal's, from its end. */
const inOrder = (one: Operation, other: Operation): number => compareInJournal(other, one)

/** Months' books over the operations in memory. */
export const layerBookDocuments: Layer.Layer<BookDocuments, never, MemoryOperations> = Layer.effect(
  BookDocuments,
  Effect.gen(function*() {
    const memory = yield* MemoryOperations
    const ofTenant = (tenant: Tenant): ReadonlyArray<Operation> =>
      allShown(memory).filter(({ environment, organizationId }) => organizationId === tenant.organizationId && environment === tenant.environment)
    return BookDocuments.of({
      read: (tenant, ids) =>
        Effect.sync(() => {
          const byId = new Map(ofTenant(tenant).map((operation) => [operation.id, operation]))
          return ids.flatMap((id) => byId.get(id) ?? [])
        }),
      signed: (tenant, taxpayerId, month, most) =>
        Effect.sync(() =>
          ofTenant(tenant)
            .filter((operation) => operation.taxpayerId === taxpayerId && operation.status === "FISCALIZED" && Option.exists(signedInstant(operation), (at) => isInRange(at, month)))
            .toSorted((one, other) => signedAt(one) - signedAt(other) || inOrder(one, other))
            .slice(0, most)
            .map(({ id }) => id)),
      rejected: (tenant, taxpayerId, month, most) =>
        Effect.sync(() =>
          ofTenant(tenant)
            .filter((operation) => operation.taxpayerId === taxpayerId && operation.status === "REJECTED" && isInRange(operation.createdAt, month))
            .toSorted(inOrder)
            .slice(0, most)
            .map(({ id }) => id)),
      openAdvances: (tenant, taxpayerId, before, most) =>
        Effect.sync(() => {
          const advances = ofTenant(tenant).filter((operation) =>
            operation.taxpayerId === taxpayerId && operation.status === "FISCALIZED" && operation.content.invoiceType === "ADVANCE" && signedAt(operation) < DateTime.toEpochMillis(before))
          return [...Map.groupBy(advances, caseOf).values()]
            .filter((some) => !BigDecimal.isZero(BigDecimal.sumAll(some.map(amountOf))))
            .flat()
            .toSorted((one, other) => signedAt(one) - signedAt(other) || (one.id < other.id ? -1 : 1))
            .slice(0, most)
            .map(({ id }) => id)
        })
    })
  })
)
