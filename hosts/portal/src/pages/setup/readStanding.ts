import { AccessOversight, ElementOversight, type Environment, JournalStore, noFilter, productionFiscalization, TenancyOversight, type TaxpayerEntry, type Tenant } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import type { Standing } from "./goingLivePage.ts"

/** Whether the shop has issued a receipt. */
const hasReceipt = Effect.fnUntraced(function*(tenant: Tenant) {
  const filter = { ...noFilter, status: ["FISCALIZED"], invoiceType: "NORMAL" } as const
  return (yield* (yield* JournalStore).page(tenant, filter, { cursor: null, pageSize: 1 })).items.length > 0
})

const isOpen = (entries: ReadonlyArray<TaxpayerEntry>, environment: Environment): boolean =>
  entries.some(({ premises, taxpayer }) => taxpayer.environment === environment && taxpayer.status === "active" && premises.some(({ status }) => status === "active"))

/** Whether the organization has issued a real receipt. */
export const hasRealReceipt = ({ organizationId }: Pick<MemberVisit, "organizationId">) => hasReceipt({ organizationId, environment: "production" })

/** Reads how far the organization is; `productionReceipt` is what `hasRealReceipt` answered. */
export const readStanding = Effect.fnUntraced(function*({ organizationId }: Pick<MemberVisit, "organizationId">, productionReceipt: boolean) {
  const taxpayers = yield* (yield* TenancyOversight).taxpayers(organizationId)
  const elements = (yield* (yield* ElementOversight).elements(organizationId)).map(({ element }) => element)
  const access = yield* AccessOversight
  const credentials = (yield* access.credentials(organizationId)).filter(({ revokedAt }) => revokedAt === null)
  const standing: Standing = {
    sandboxTaxpayer: isOpen(taxpayers, "sandbox"),
    sandboxElement: elements.some(({ environment, status }) => environment === "sandbox" && status === "ACTIVE"),
    sandboxCredential: credentials.some(({ environment }) => environment === "sandbox"),
    sandboxReceipt: yield* hasReceipt({ organizationId, environment: "sandbox" }),
    taxpayer: isOpen(taxpayers, "production"),
    elements: elements.filter(({ environment }) => environment === "production").map(({ status }) => status),
    licence: productionFiscalization(yield* access.license(organizationId), yield* DateTime.now).productionFiscalizationAllowed,
    credential: credentials.some(({ environment }) => environment === "production"),
    productionReceipt
  }
  return standing
})
