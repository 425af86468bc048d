import {
  type Activity, DeliveryStore, type DeliveryFilter, type Environment, InstallationOversight, type OrganizationEntry, type ReceiptDelivery, TenancyOversight, type Tenant
} from "@overa/domain"
import { DateTime, Effect, Option, Stream } from "effect"
import { jsonLines, jsonText, type LeavingFile, partNumber } from "./LeavingFile.ts"

/** More lines than one month has: each month is written whole. */
const everything = 2_000_000_000

const anyDelivery: DeliveryFilter = { status: null, fiscalDocumentId: null, recipient: null, pfr: { from: null, to: null }, created: { from: null, to: null } }
const pageSize = 500
const linesOfPart = 2_000

/** Counts of the organization itself, while its files are read. */
export interface OrganizationTally {
  people: number
  activity: number
  deliveries: number
}

/** Who may do what in the organization. Passwords and second factors are of the person and stay here. */
const people = Effect.fnUntraced(function*({ id }: OrganizationEntry, tally: OrganizationTally) {
  const members = yield* (yield* TenancyOversight).members(id)
  tally.people = members.length
  return { path: "people.json", content: jsonText(members.map(({ addedAt, person, role }) => ({ person, role, addedAt })), 2) }
})

/** The months from the organization's first one to now, in UTC. The first begins early: clocks of hosts differ. */
const monthsSince = (first: DateTime.Utc, now: DateTime.Utc): ReadonlyArray<DateTime.Utc> => {
  const begin = DateTime.startOf(DateTime.subtract(first, { days: 1 }), "month")
  const months: Array<DateTime.Utc> = []
  for (let month = begin; DateTime.isLessThanOrEqualTo(month, now); month = DateTime.add(month, { months: 1 })) months.push(month)
  return months
}

/** Who did what, when and why: a file for each month in which something was done. */
const activity = ({ createdAt, id }: OrganizationEntry, now: DateTime.Utc, tally: OrganizationTally) =>
  Stream.fromIterable(monthsSince(createdAt, now)).pipe(
    Stream.mapEffect(Effect.fnUntraced(function*(from) {
      const lines: ReadonlyArray<Activity> = yield* (yield* InstallationOversight).searchActivity({ organizationId: id, from, to: DateTime.add(from, { months: 1 }), limit: everything })
      tally.activity += lines.length
      return lines.length === 0 ? [] : [{ path: `activity-${DateTime.formatIso(from).slice(0, 7)}.jsonl`, content: jsonLines(lines.toReversed()) }]
    })),
    Stream.flattenIterable
  )

/** Each receipt that was sent by e-mail: to whom, when, and what became of it. */
const deliveries = (tenant: Tenant, tally: OrganizationTally) =>
  Stream.paginate(null as Pick<ReceiptDelivery, "createdAt" | "id"> | null, (after) =>
    Effect.gen(function*() {
      const rows: ReadonlyArray<ReceiptDelivery> = yield* (yield* DeliveryStore).list(tenant, anyDelivery, { after, limit: pageSize })
      tally.deliveries += rows.length
      const last = rows.at(-1)
      return [rows, rows.length < pageSize || last === undefined ? Option.none() : Option.some({ createdAt: last.createdAt, id: last.id })] as const
    })).pipe(
      Stream.grouped(linesOfPart),
      Stream.zipWithIndex,
      Stream.map(([some, part]) => ({ path: `deliveries-${tenant.environment}-${partNumber(part)}.jsonl`, content: jsonLines(some) }))
    )

/** What an organization has besides its taxpayers. */
export const organizationFiles = (organization: OrganizationEntry, environments: ReadonlyArray<Environment>, now: DateTime.Utc, tally: OrganizationTally) =>
  Stream.fromEffect(people(organization, tally)).pipe(
    Stream.concat(activity(organization, now, tally)),
    Stream.concat(Stream.flatMap(Stream.fromIterable(environments), (environment) => deliveries({ organizationId: organization.id, environment }, tally))),
    Stream.map((file): LeavingFile => file)
  )
