import {
  DeliveryStore, type DeliveryFilter, type Environment, formatDecimal, InstallationOversight, type OrganizationId, type ReceiptDelivery,
  type StoredElsewhereReceipt, type TaxpayerId, TenancyOversight, type Tenant
} from "@overa/domain"
import { DateTime, Effect } from "effect"
import { appendFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eachElsewhere } from "../elsewhere/eachElsewhere.ts"
import { asJson } from "../output/Outcome.ts"

/** Rows read at once. */
const pageSize = 500

/** More lines than the activity log of any organization has: it is written whole. */
const everything = 2_000_000_000

const anyDelivery: DeliveryFilter = { status: null, fiscalDocumentId: null, recipient: null, pfr: { from: null, to: null }, created: { from: null, to: null } }

const line = (value: unknown): string => `${asJson(value, 0)}\n`

/** Who may do what in the organization. Passwords and second factors are of the person and stay here. */
const writePeople = Effect.fnUntraced(function*(into: string, organizationId: OrganizationId) {
  const members = yield* (yield* TenancyOversight).members(organizationId)
  writeFileSync(join(into, "people.json"), asJson(members.map(({ addedAt, person, role }) => ({ person, role, addedAt }))))
  return members.length
})

/** Who did what, when and why. */
const writeActivity = Effect.fnUntraced(function*(into: string, organizationId: OrganizationId) {
  const lines = yield* (yield* InstallationOversight).searchActivity({ organizationId, limit: everything })
  writeFileSync(join(into, "activity.jsonl"), lines.toReversed().map(line).join(""))
  return lines.length
})

/** Each receipt that was sent by e-mail: to whom, when, and what became of it. */
const writeDeliveries = Effect.fnUntraced(function*(into: string, tenant: Tenant) {
  const file = join(into, `deliveries-${tenant.environment}.jsonl`)
  writeFileSync(file, "")
  let count = 0
  for (let last: ReceiptDelivery | undefined;;) {
    const after = last === undefined ? null : { createdAt: last.createdAt, id: last.id }
    const rows: ReadonlyArray<ReceiptDelivery> = yield* (yield* DeliveryStore).list(tenant, anyDelivery, { after, limit: pageSize })
    appendFileSync(file, rows.map(line).join(""))
    count += rows.length
    last = rows.at(-1)
    if (rows.length < pageSize) return count
  }
})

const elsewhereLine = ({ receipt }: StoredElsewhereReceipt): string =>
  `${JSON.stringify({
    ...receipt,
    pfrTime: DateTime.formatIso(receipt.pfrTime),
    totalAmount: formatDecimal(receipt.totalAmount, 2),
    totalTax: receipt.totalTax === null ? null : formatDecimal(receipt.totalTax, 2)
  })}\n`

/** Receipts that the taxpayer has issued with another ESIR, with their links and texts: `elsewhere import` of another installation reads the file. */
export const writeElsewhere = Effect.fnUntraced(function*(folder: string, tenant: Tenant, taxpayerId: TaxpayerId) {
  const file = join(folder, "elsewhere.jsonl")
  let count = 0
  writeFileSync(file, "")
  yield* eachElsewhere(tenant, { taxpayerId, pfrFrom: null, pfrTo: null, pfrNumber: null }, (page) => {
    appendFileSync(file, page.map(elsewhereLine).join(""))
    count += page.length
  })
  return count
})

/** What an organization has besides its taxpayers. */
export const writeOrganization = Effect.fnUntraced(function*(into: string, organizationId: OrganizationId, environments: ReadonlyArray<Environment>) {
  const deliveries = yield* Effect.forEach(environments, (environment) => writeDeliveries(into, { organizationId, environment }))
  return {
    people: yield* writePeople(into, organizationId),
    activity: yield* writeActivity(into, organizationId),
    deliveries: deliveries.reduce((sum, count) => sum + count, 0)
  }
})
