import {
  matchesSearch,
  planImport,
  type Product,
  type ProductContent,
  type ProductFilter,
  type ProductId,
  ProductNotFound,
  ProductReferences,
  ProductStore,
  takeSku,
  TaxpayerNotFound,
  type TaxpayerId,
  TenancyDirectory,
  type Tenant
} from "@overa/domain"
import { Context, DateTime, Effect, Layer, Option } from "effect"

interface Kept extends Tenant {
  readonly product: Product
}

const isNewer = (one: Product, other: Product): number =>
  DateTime.toEpochMillis(other.createdAt) - DateTime.toEpochMillis(one.createdAt) || (one.id > other.id ? -1 : Number(one.id < other.id))

const asked = (filter: ProductFilter, product: Product): boolean =>
  (filter.taxpayerId === null || filter.taxpayerId === product.taxpayerId) &&
  (filter.isActive === null || filter.isActive === product.isActive) &&
  (filter.search === null || matchesSearch(product, filter.search))

/** The products of every tenant in memory. */
export const layerProductStore: Layer.Layer<ProductStore | ProductReferences, never, TenancyDirectory> = Layer.effectContext(
  Effect.gen(function*() {
    const directory = yield* TenancyDirectory
    const kept = new Map<ProductId, Kept>()
    const ofTenant = (tenant: Tenant): ReadonlyArray<Product> =>
      [...kept.values()]
        .filter(({ environment, organizationId }) => organizationId === tenant.organizationId && environment === tenant.environment)
        .map(({ product }) => product)
    const keep = ({ environment, organizationId }: Tenant, product: Product): void =>
      void kept.set(product.id, { organizationId, environment, product })
    const skuFor = (tenant: Tenant, taxpayerId: TaxpayerId, sku: Product["sku"], product: ProductId | null) =>
      takeSku(sku, ofTenant(tenant).find((one) => one.taxpayerId === taxpayerId && one.sku === sku)?.id ?? null, product)
    const refuseForeign = Effect.fnUntraced(function*(tenant: Tenant, taxpayerId: TaxpayerId) {
      const taxpayers = yield* directory.taxpayers(tenant)
      const isTheirs = taxpayers.some(({ id, status }) => id === taxpayerId && status === "active")
      if (!isTheirs) return yield* new TaxpayerNotFound({ taxpayerId })
    })
    const store = ProductStore.of({
      create: Effect.fnUntraced(function*(tenant, product) {
        yield* refuseForeign(tenant, product.taxpayerId)
        yield* Effect.fromResult(skuFor(tenant, product.taxpayerId, product.sku, null))
        keep(tenant, product)
      }),
      replace: Effect.fnUntraced(function*(tenant, id, content, updatedAt) {
        const product = ofTenant(tenant).find((one) => one.id === id)
        if (product === undefined) return yield* new ProductNotFound({ productId: id })
        yield* Effect.fromResult(skuFor(tenant, product.taxpayerId, content.sku, id))
        const { createdAt, taxpayerId } = product
        const replaced: Product = { id, taxpayerId, ...content, createdAt, updatedAt }
        keep(tenant, replaced)
        return replaced
      }),
      get: (tenant, id) => Effect.sync(() => Option.fromNullishOr(ofTenant(tenant).find((product) => product.id === id))),
      page: (tenant, filter, cursor, pageSize) =>
        Effect.sync(() => {
          const all = ofTenant(tenant).toSorted(isNewer)
          const from = cursor === null ? 0 : all.findIndex(({ id }) => id === cursor) + 1
          if (cursor !== null && from === 0) return Option.none()
          const rest = all.slice(from).filter((product) => asked(filter, product))
          const items = rest.slice(0, pageSize)
          return Option.some({ items, nextCursor: rest.length > pageSize ? items.at(-1)?.id ?? null : null })
        }),
      importAll: Effect.fnUntraced(function*(tenant, taxpayerId, products, ids, at) {
        yield* refuseForeign(tenant, taxpayerId)
        const catalogue = ofTenant(tenant).filter((product) => product.taxpayerId === taxpayerId)
        const plan = planImport(catalogue, products)
        plan.created.forEach((content, index) =>
          keep(tenant, { id: ids[index] as ProductId, taxpayerId, ...content, createdAt: at, updatedAt: at }))
        for (const { content, id } of plan.updated) {
          const { createdAt } = catalogue.find((product) => product.id === id) as Product
          keep(tenant, { id, taxpayerId, ...content, createdAt, updatedAt: at })
        }
        return { created: plan.created.length, updated: plan.updated.length, total: plan.total }
      }),
      all: Effect.fnUntraced(function*(tenant, taxpayerId) {
        yield* refuseForeign(tenant, taxpayerId)
        return ofTenant(tenant).filter((product) => product.taxpayerId === taxpayerId) as ReadonlyArray<ProductContent>
      })
    })
    const references = ProductReferences.of({
      missing: (tenant, taxpayerId, ids) =>
        Effect.sync(() => {
          const known = new Set<string>(ofTenant(tenant).filter((product) => product.taxpayerId === taxpayerId).map(({ id }) => id))
          return ids.filter((id) => !known.has(id))
        })
    })
    return Context.make(ProductStore, store).pipe(Context.add(ProductReferences, references))
  })
)
