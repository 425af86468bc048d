import {
  type Act,
  ActRefused,
  type CreatedPremise,
  type CreatedTaxpayer,
  type Environment,
  type NewBusinessPremise,
  type NewTaxpayer,
  type OrganizationId,
  TaxpayerAlreadyExists,
  type TenancyActs
} from "@overa/domain"
import { Effect } from "effect"
import { constraints } from "../constraints.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { PgFailure } from "../PgFailure.ts"
import { decodePremise, decodeTaxpayer, type PremiseRow, type TaxpayerRow } from "../rows/TenancyRows.ts"
import { recordActivity, rightNow } from "./activity.ts"
import { type ActTools, requireOrganization } from "./ActTools.ts"
import { assignPoolElement, type ElementPlace } from "./elementVault.ts"
import { memberActs } from "./memberActs.ts"

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

const insertTaxpayer = Effect.fnUntraced(function*(
  tx: PgStatements,
  owner: { readonly organizationId: OrganizationId; readonly taxpayerId: string; readonly environment: Environment },
  taxpayer: NewTaxpayer
) {
  yield* tx.query(
    "insert into directory_taxpayers (environment, tax_identifier, organization_id, taxpayer_id) values ($1, $2, $3, $4)",
    [owner.environment, taxpayer.taxIdentifier, owner.organizationId, owner.taxpayerId]
  )
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

const createTaxpayer = (tools: ActTools): TenancyActs["createTaxpayer"] =>
  Effect.fn("Administration.createTaxpayer")(function*(act, organizationId, environment, taxpayer) {
    const taxpayerId = yield* tools.uuid
    const owner = { organizationId, taxpayerId, environment }
    return yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* requireOrganization(tx, organizationId)
        const created = yield* insertTaxpayer(tx, owner, taxpayer)
        const premises = yield* Effect.forEach(taxpayer.businessPremises, (premise) => insertPremise(tx, tools, owner, premise))
        yield* recordActivity(tx, act, { organizationId, act: "taxpayer created", subject: taxpayerId, before: null, after: taxpayer })
        return { taxpayer: created, premises } satisfies CreatedTaxpayer
      }).pipe(
        Effect.catchIf(
          (error) => violated(error, constraints.taxIdentifier),
          () => Effect.fail(new TaxpayerAlreadyExists({ taxIdentifier: taxpayer.taxIdentifier }))
        ),
        Effect.catchIf((error) => violated(error, constraints.puIdentifier), () => Effect.fail(puTaken))
      )
    )
  })

const addPremise = (tools: ActTools): TenancyActs["addPremise"] =>
  Effect.fn("Administration.addPremise")(function*(act, organizationId, taxpayerId, premise) {
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
        const created = yield* insertPremise(tx, tools, owner, premise)
        const subject = created.premise.id
        yield* recordActivity(tx, act, { organizationId, act: "business premise created", subject, before: null, after: premise })
        return created
      }).pipe(Effect.catchIf((error) => violated(error, constraints.puIdentifier), () => Effect.fail(puTaken)))
    )
  })

/** One row changed in named columns only, with what it said before and after in the activity log. */
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

/** Organizations, taxpayers and premises. */
export const tenancyActs = (tools: ActTools): TenancyActs => ({
  createOrganization: Effect.fn("Administration.createOrganization")(function*(act: Act, name: string) {
    const organizationId = (yield* tools.uuid) as OrganizationId
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* tx.query("insert into organizations (organization_id, name, created_at) values ($1, $2, $3)", [
          organizationId,
          name,
          yield* rightNow
        ])
        yield* recordActivity(tx, act, {
          organizationId,
          act: "organization created",
          subject: organizationId,
          before: null,
          after: { name }
        })
      })
    )
    return organizationId
  }),
  createTaxpayer: createTaxpayer(tools),
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
  ),
  ...memberActs(tools)
})
