import {
  type Act,
  ActRefused,
  type CreatedPremise,
  type CreatedTaxpayer,
  type Environment,
  type NewBusinessPremise,
  type NewTaxpayer,
  type OrganizationId,
  type RegistrationQuota,
  TaxpayerAlreadyExists,
  type TaxpayerActs
} from "@overa/domain"
import { Effect } from "effect"
import { constraints } from "../constraints.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { PgFailure } from "../PgFailure.ts"
import { decodePremise, decodeTaxpayer, type PremiseRow, type TaxpayerRow } from "../rows/TenancyRows.ts"
import { recordActivity, rightNow } from "./activity.ts"
import { type ActTools, requireOrganization } from "./ActTools.ts"
import { isAnothers } from "./anothersIdentifier.ts"
import { assignPoolElement, type ElementPlace } from "./elementVault.ts"

const violated = (failure: unknown, ...names: ReadonlyArray<string>): boolean =>
  failure instanceof PgFailure && failure.constraint !== null && names.includes(failure.constraint)

const insertPremise = Effect.fnUntraced(function*(
  tx: PgStatements,
  tools: ActTools,
  owner: Omit<ElementPlace, "premiseId">,
  premise: NewBusinessPremise
) {
  const premiseId = yield* tools.uuid
  const [row] = yield* tx.query<PremiseRow>(
    `insert into business_premises (organization_id, premise_id, taxpayer_id, environment, pu_identifier, name, address, city,
       created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning *`,
    [
      owner.organizationId,
      premiseId,
      owner.taxpayerId,
      owner.environment,
      premise.puIdentifier,
      premise.name,
      premise.address,
      premise.city,
      yield* rightNow
    ]
  )
  if (row === undefined) return yield* Effect.die(new Error("an insert returned no row"))
  const elementId = owner.environment === "sandbox"
    ? yield* assignPoolElement(tx, tools.secrets, { ...owner, premiseId }, yield* tools.uuid)
    : null
  return { premise: decodePremise(row), elementId } satisfies CreatedPremise
})

interface TaxpayerOwner {
  readonly organizationId: string
  readonly taxpayerId: string
  readonly environment: Environment
}

/** From now on the tax identifier belongs to this taxpayer alone, in its environment. */
const enterDirectory = (tx: PgStatements, owner: TaxpayerOwner, taxIdentifier: string) =>
  tx.query("insert into directory_taxpayers (environment, tax_identifier, organization_id, taxpayer_id) values ($1, $2, $3, $4)", [
    owner.environment,
    taxIdentifier,
    owner.organizationId,
    owner.taxpayerId
  ])

/** Refuses more than the organization may register by itself. Its row is locked, so that concurrent requests count each other. */
const holdQuota = Effect.fnUntraced(function*(
  tx: PgStatements,
  organizationId: OrganizationId,
  environment: Environment,
  adding: RegistrationQuota,
  quota: RegistrationQuota
) {
  yield* tx.query("select 1 from organizations where organization_id = $1 for update", [organizationId])
  const [has] = yield* tx.query<{ readonly taxpayers: number; readonly premises: number }>(
    `select (select count(*)::int from taxpayers where organization_id = $1 and environment = $2) as taxpayers,
       (select count(*)::int from business_premises where organization_id = $1 and environment = $2) as premises`,
    [organizationId, environment]
  )
  if (has === undefined) return
  const hasRoom = (what: keyof RegistrationQuota) => adding[what] === 0 || has[what] + adding[what] <= quota[what]
  if (hasRoom("taxpayers") && hasRoom("premises")) return
  return yield* new ActRefused({
    reason: "QUOTA_REACHED",
    detail: `An organization registers at most ${quota.taxpayers} taxpayers with ${quota.premises} premises by itself; ask the operator for more.`
  })
})

/** `confirmed`: nobody else's from now on; see `enterDirectory`. */
const insertTaxpayer = Effect.fnUntraced(function*(
  tx: PgStatements,
  owner: TaxpayerOwner,
  taxpayer: NewTaxpayer,
  confirmed: boolean
) {
  if (confirmed) yield* enterDirectory(tx, owner, taxpayer.taxIdentifier)
  const [row] = yield* tx.query<TaxpayerRow>(
    `insert into taxpayers (organization_id, taxpayer_id, environment, tax_identifier, name, address, city, vat_status, created_at,
       updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning *`,
    [
      owner.organizationId,
      owner.taxpayerId,
      owner.environment,
      taxpayer.taxIdentifier,
      taxpayer.name,
      taxpayer.address,
      taxpayer.city,
      taxpayer.vatStatus,
      yield* rightNow
    ]
  )
  return row === undefined ? yield* Effect.die(new Error("an insert returned no row")) : decodeTaxpayer(row)
})

const puTaken = new ActRefused({
  reason: "PU_IDENTIFIER_ALREADY_EXISTS",
  detail: "The taxpayer already has a business premise with this identifier."
})

type Tenancy = Omit<TaxpayerOwner, "taxpayerId">

/** Creates a taxpayer with its premises in the transaction of the caller. `confirmed`: see `insertTaxpayer`. */
export const createTaxpayerIn = (tx: PgStatements, tools: ActTools, act: Act, place: Tenancy, taxpayer: NewTaxpayer, confirmed: boolean) =>
  Effect.gen(function*() {
    const owner = { ...place, taxpayerId: yield* tools.uuid }
    const created = yield* insertTaxpayer(tx, owner, taxpayer, confirmed)
    const premises = yield* Effect.forEach(taxpayer.businessPremises, (premise) => insertPremise(tx, tools, owner, premise))
    const { organizationId, taxpayerId } = owner
    yield* recordActivity(tx, act, { organizationId, act: "taxpayer created", subject: taxpayerId, before: null, after: taxpayer })
    return { taxpayer: created, premises } satisfies CreatedTaxpayer
  }).pipe(
    Effect.catchIf(
      (error) => violated(error, constraints.taxIdentifier, "taxpayers_tax_identifier_unique"),
      () => Effect.fail(new TaxpayerAlreadyExists({ taxIdentifier: taxpayer.taxIdentifier }))
    ),
    Effect.catchIf((error) => violated(error, constraints.puIdentifier), () => Effect.fail(puTaken))
  )

const createTaxpayer = (tools: ActTools): TaxpayerActs["Service"]["createTaxpayer"] =>
  Effect.fn("TaxpayerActs.createTaxpayer")(function*(act, organizationId, environment, taxpayer, quota) {
    const place = { organizationId, environment }
    const registered = yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* requireOrganization(tx, organizationId)
        if (quota !== undefined) {
          yield* holdQuota(tx, organizationId, environment, { taxpayers: 1, premises: taxpayer.businessPremises.length }, quota)
          if (yield* isAnothers(tx, act, place, taxpayer.taxIdentifier)) return null
        }
        return yield* createTaxpayerIn(tx, tools, act, place, taxpayer, quota === undefined || environment === "sandbox")
      })
    )
    return registered ?? (yield* new TaxpayerAlreadyExists({ taxIdentifier: taxpayer.taxIdentifier }))
  })

/** A taxpayer to be confirmed or released, locked. */
const lockedTaxpayer = Effect.fnUntraced(function*(tx: PgStatements, organizationId: OrganizationId, taxpayerId: string) {
  const [row] = yield* tx.query<{ readonly environment: Environment; readonly tax_identifier: string }>(
    "select environment, tax_identifier from taxpayers where organization_id = $1 and taxpayer_id = $2 for update",
    [organizationId, taxpayerId]
  )
  return row ?? (yield* new ActRefused({ reason: "TAXPAYER_NOT_FOUND", detail: `There is no taxpayer ${taxpayerId}.` }))
})

/** Does nothing when it is confirmed already. */
export const confirmInDirectory = Effect.fnUntraced(function*(tx: PgStatements, owner: TaxpayerOwner, taxIdentifier: string) {
  const [known] = yield* tx.query<{ readonly taxpayer_id: string }>(
    "select taxpayer_id from directory_taxpayers where environment = $1 and tax_identifier = $2",
    [owner.environment, taxIdentifier]
  )
  if (known?.taxpayer_id === owner.taxpayerId) return false
  if (known !== undefined) return yield* new TaxpayerAlreadyExists({ taxIdentifier })
  // Two confirmations at once: the directory's key lets one of them through.
  yield* enterDirectory(tx, owner, taxIdentifier).pipe(
    Effect.catchIf((error) => violated(error, constraints.taxIdentifier), () => Effect.fail(new TaxpayerAlreadyExists({ taxIdentifier })))
  )
  return true
})

const confirmTaxpayer = (tools: ActTools): TaxpayerActs["Service"]["confirmTaxpayer"] =>
  Effect.fn("TaxpayerActs.confirmTaxpayer")(function*(act, organizationId, taxpayerId) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const { environment, tax_identifier } = yield* lockedTaxpayer(tx, organizationId, taxpayerId)
        yield* confirmInDirectory(tx, { organizationId, taxpayerId, environment }, tax_identifier)
        yield* recordActivity(tx, act, { organizationId, act: "taxpayer confirmed", subject: taxpayerId, before: null, after: null })
      })
    )
  })

const releaseTaxpayer = (tools: ActTools): TaxpayerActs["Service"]["releaseTaxpayer"] =>
  Effect.fn("TaxpayerActs.releaseTaxpayer")(function*(act, organizationId, taxpayerId) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const { environment, tax_identifier } = yield* lockedTaxpayer(tx, organizationId, taxpayerId)
        yield* tx.query(
          "delete from directory_taxpayers where environment = $1 and tax_identifier = $2 and organization_id = $3 and taxpayer_id = $4",
          [environment, tax_identifier, organizationId, taxpayerId]
        )
        yield* tx.query("update taxpayers set status = 'inactive', updated_at = $3 where organization_id = $1 and taxpayer_id = $2", [
          organizationId,
          taxpayerId,
          yield* rightNow
        ])
        yield* recordActivity(tx, act, { organizationId, act: "taxpayer released", subject: taxpayerId, before: null, after: { taxIdentifier: tax_identifier } })
      })
    )
  })

const addPremise = (tools: ActTools): TaxpayerActs["Service"]["addPremise"] =>
  Effect.fn("TaxpayerActs.addPremise")(function*(act, organizationId, taxpayerId, premise, quota) {
    return yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const [taxpayer] = yield* tx.query<{ readonly environment: Environment }>(
          "select environment from taxpayers where organization_id = $1 and taxpayer_id = $2",
          [organizationId, taxpayerId]
        )
        if (taxpayer === undefined) {
          return yield* new ActRefused({ reason: "TAXPAYER_NOT_FOUND", detail: `There is no taxpayer ${taxpayerId}.` })
        }
        const owner = { organizationId, taxpayerId, environment: taxpayer.environment }
        if (quota !== undefined) yield* holdQuota(tx, organizationId, taxpayer.environment, { taxpayers: 0, premises: 1 }, quota)
        const created = yield* insertPremise(tx, tools, owner, premise)
        const subject = created.premise.id
        yield* recordActivity(tx, act, { organizationId, act: "business premise created", subject, before: null, after: premise })
        return created
      }).pipe(Effect.catchIf((error) => violated(error, constraints.puIdentifier), () => Effect.fail(puTaken)))
    )
  })

/** Changes one row in named columns only, with the values before and after in the activity log. */
const changeRow = (
  tools: ActTools,
  table: { readonly name: string; readonly key: string; readonly missing: ActRefused["reason"]; readonly act: string },
  columns: Readonly<Record<string, string>>
) =>
  Effect.fnUntraced(function*(act: Act, organizationId: string, id: string, change: Readonly<Record<string, string | undefined>>) {
    const changed = Object.entries(change).flatMap(([name, value]) => {
      const column = columns[name]
      return column === undefined || value === undefined ? [] : [{ name, column, value }]
    })
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const [before] = yield* tx.query<Readonly<Record<string, unknown>>>(
          `select ${Object.values(columns).join(", ")} from ${table.name} where organization_id = $1 and ${table.key} = $2 for update`,
          [organizationId, id]
        )
        if (before === undefined) return yield* new ActRefused({ reason: table.missing, detail: `There is no ${id}.` })
        const sets = changed.map(({ column }, index) => `${column} = $${index + 4}`)
        yield* tx.query(
          `update ${table.name} set ${["updated_at = $3", ...sets].join(", ")} where organization_id = $1 and ${table.key} = $2`,
          [organizationId, id, yield* rightNow, ...changed.map(({ value }) => value)]
        )
        const was = Object.fromEntries(changed.map(({ name, column }) => [name, before[column]]))
        yield* recordActivity(tx, act, { organizationId, act: table.act, subject: id, before: was, after: change })
      })
    )
  })

/** Taxpayers and their business premises. */
export const taxpayerActs = (tools: ActTools): TaxpayerActs["Service"] => ({
  createTaxpayer: createTaxpayer(tools),
  confirmTaxpayer: confirmTaxpayer(tools),
  releaseTaxpayer: releaseTaxpayer(tools),
  addPremise: addPremise(tools),
  changeTaxpayer: changeRow(
    tools,
    { name: "taxpayers", key: "taxpayer_id", missing: "TAXPAYER_NOT_FOUND", act: "taxpayer changed" },
    { status: "status", vatStatus: "vat_status", vatStatusSince: "vat_status_since", preferredPaperFormat: "preferred_paper_format" }
  ),
  changePremise: changeRow(
    tools,
    { name: "business_premises", key: "premise_id", missing: "BUSINESS_PREMISE_NOT_FOUND", act: "business premise changed" },
    { status: "status", paymentMode: "payment_mode", commerceMode: "commerce_mode" }
  )
})
