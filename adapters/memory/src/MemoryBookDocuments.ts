import { BookDocuments, type Month, type Operation, pfrInstant, type Tenant, totalAmount } from "@overa/domain"
import { BigDecimal, DateTime, Effect, Layer, Option } from "effect"
import { allShown, MemoryOperations } from "./MemoryOperations.ts"

const signedAt = ({ answer }: Operation): number =>
  Option.match(Option.flatMap(Option.fromNullishOr(answer), ({ pfr }) => pfrInstant(pfr.sdcTime)), { onNone: () => Number.POSITIVE_INFINITY, onSome: DateTime.toEpochMillis })

const caseOf = ({ id, workflow }: Operation): string => workflow?.id ?? id

const amountOf = ({ content: { items, transactionType } }: Operation): BigDecimal.BigDecimal =>
  transactionType === "REFUND" ? BigDecimal.negate(totalAmount(items)) : totalAmount(items)

const isWithin = (millis: number, { from, to }: Month): boolean => millis >= DateTime.toEpochMillis(from) && millis < DateTime.toEpochMillis(to)

/** In the order in which they were asked for. */
const inOrder = (one: Operation, other: Operation): number =>
  DateTime.toEpochMillis(one.createdAt) - DateTime.toEpochMillis(other.createdAt) || (one.id < other.id ? -1 : 1)

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
            .filter((operation) => operation.taxpayerId === taxpayerId && operation.status === "FISCALIZED" && isWithin(signedAt(operation), month))
            .toSorted((one, other) => signedAt(one) - signedAt(other) || inOrder(one, other))
            .slice(0, most)
            .map(({ id }) => id)),
      rejected: (tenant, taxpayerId, month, most) =>
        Effect.sync(() =>
          ofTenant(tenant)
            .filter((operation) => operation.taxpayerId === taxpayerId && operation.status === "REJECTED" && isWithin(DateTime.toEpochMillis(operation.createdAt), month))
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
