import { ActRefused, type ElementActs, elementChange, type Environment, type SecurityElementId } from "@overa/domain"
import { Effect } from "effect"
import { noteChanges } from "../events/noteChanges.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { utc } from "../rows/OperationRow.ts"
import { installationItself, recordActivity, rightNow } from "./activity.ts"
import { assignPoolElement, type ElementPlace, insertElement, insertPoolElement } from "./elementVault.ts"
import type { ActTools } from "./ActTools.ts"
import { confirmInDirectory } from "./taxpayerActs.ts"

interface PlaceRow {
  readonly organization_id: string
  readonly taxpayer_id: string
  readonly premise_id: string
  readonly environment: Environment
  readonly tax_identifier: string
}

const placeOf = (row: PlaceRow): ElementPlace => ({
  organizationId: row.organization_id,
  taxpayerId: row.taxpayer_id,
  premiseId: row.premise_id,
  environment: row.environment
})

const placeColumns = `p.organization_id, p.taxpayer_id, p.premise_id, p.environment, t.tax_identifier from business_premises p
  join taxpayers t using (organization_id, taxpayer_id)`

// Premises of many organizations are read without a lock; the first that can be locked is served, so two elements can be assigned in parallel.
const waitingPremises = `select p.organization_id, p.premise_id from business_premises p where p.environment = 'sandbox' and not exists (
    select from security_elements e where e.organization_id = p.organization_id and e.premise_id = p.premise_id)
  order by p.created_at limit 10`

const lockWaiting = `select ${placeColumns} where p.organization_id = $1 and p.premise_id = $2 and not exists (
    select from security_elements e where e.organization_id = $1 and e.premise_id = $2)
  for update of p skip locked`

// A premise that was created while the pool was empty gets the next element.
const serveWaitingPremise = Effect.fnUntraced(function*(tx: PgStatements, tools: ActTools) {
  const candidates = yield* tx.query<{ readonly organization_id: string; readonly premise_id: string }>(waitingPremises)
  for (const { organization_id, premise_id } of candidates) {
    const [waiting] = yield* tx.query<PlaceRow>(lockWaiting, [organization_id, premise_id])
    if (waiting === undefined) continue
    yield* assignPoolElement(tx, tools.secrets, placeOf(waiting), yield* tools.uuid)
    return
  }
})

const addToPool = (tools: ActTools): ElementActs["Service"]["addToPool"] =>
  Effect.fn("ElementActs.addToPool")(function*(act, element) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* insertPoolElement(tx, tools.secrets, element)
        yield* serveWaitingPremise(tx, tools)
        yield* recordActivity(tx, act, {
          organizationId: installationItself,
          act: "element added to the sandbox pool",
          subject: element.jid,
          before: null,
          after: { fingerprintSha256: element.fingerprintSha256 }
        })
      })
    )
  })

const upload = (tools: ActTools): ElementActs["Service"]["upload"] =>
  Effect.fn("ElementActs.upload")(function*(act, organizationId, premiseId, element) {
    const id = yield* tools.uuid
    return yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const [premise] = yield* tx.query<PlaceRow>(
          `select ${placeColumns} where p.organization_id = $1 and p.premise_id = $2`,
          [organizationId, premiseId]
        )
        if (premise === undefined) {
          return yield* new ActRefused({ reason: "BUSINESS_PREMISE_NOT_FOUND", detail: `There is no premise ${premiseId}.` })
        }
        // Spec, Authentication 9: bound to the exact taxpayer. Sandbox elements carry a stand-in tax identifier.
        if (premise.environment === "production" && premise.tax_identifier !== element.tin) {
          return yield* new ActRefused({
            reason: "TAX_IDENTIFIER_DIFFERS",
            detail: `The element is issued to ${element.tin}, the premise is of ${premise.tax_identifier}.`
          })
        }
        // An element issued to the tax identifier is the proof that a registration over the API lacks.
        if (premise.environment === "production") {
          yield* confirmInDirectory(tx, placeOf(premise), premise.tax_identifier).pipe(
            Effect.catchTag("TaxpayerAlreadyExists", () =>
              new ActRefused({ reason: "TAX_IDENTIFIER_DIFFERS", detail: `The tax identifier ${premise.tax_identifier} is another organization's; release it there first.` }))
          )
        }
        const elementId = yield* insertElement(tx, tools.secrets, placeOf(premise), element, { id, status: "UPLOADED" })
        yield* recordActivity(tx, act, {
          organizationId,
          act: "security element uploaded",
          subject: elementId,
          before: null,
          after: { jid: element.jid, fingerprintSha256: element.fingerprintSha256, premiseId }
        })
        return elementId
      })
    )
  })

interface StoredElementRow {
  readonly premise_id: string
  readonly environment: Environment
  readonly status: string
  readonly expired: boolean
}

const activate = (tools: ActTools): ElementActs["Service"]["activate"] =>
  Effect.fn("ElementActs.activate")(function*(act, organizationId, elementId) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const [element] = yield* tx.query<StoredElementRow>(
          `select premise_id, environment, status, valid_to <= now() as expired from security_elements
           where organization_id = $1 and element_id = $2 for update`,
          [organizationId, elementId]
        )
        if (element === undefined) {
          return yield* new ActRefused({ reason: "SECURITY_ELEMENT_NOT_FOUND", detail: `There is no element ${elementId}.` })
        }
        if (element.status !== "UPLOADED" || element.expired) {
          const detail = element.expired ? "Its certificate has expired." : `It is ${element.status}, only an UPLOADED one can be activated.`
          return yield* new ActRefused({ reason: "SECURITY_ELEMENT_NOT_USABLE", detail })
        }
        const at = yield* rightNow
        const replaced = yield* tx.query<{ readonly element_id: SecurityElementId }>(
          `update security_elements set status = 'REPLACED', updated_at = $3
           where organization_id = $1 and premise_id = $2 and status = 'ACTIVE' returning element_id`,
          [organizationId, element.premise_id, at]
        )
        yield* tx.query(
          `update security_elements set status = 'ACTIVE', updated_at = $3 where organization_id = $1 and element_id = $2`,
          [organizationId, elementId, at]
        )
        yield* noteChanges(tx, { organizationId, environment: element.environment }, [
          ...replaced.map(({ element_id }) => elementChange("security_element.replaced", element_id, utc(at))),
          elementChange("security_element.activated", elementId, utc(at))
        ])
        yield* recordActivity(tx, act, {
          organizationId,
          act: "security element activated",
          subject: elementId,
          before: replaced.length === 0 ? null : { active: replaced[0]?.element_id },
          after: { active: elementId }
        })
      })
    )
  })

/** The vault of elements and the sandbox pool. */
export const elementActs = (tools: ActTools): ElementActs["Service"] => ({
  addToPool: addToPool(tools),
  upload: upload(tools),
  activate: activate(tools)
})
