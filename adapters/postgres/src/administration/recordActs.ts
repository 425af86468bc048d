import {
  ActRefused,
  type FiscalDocumentId,
  type OpenAttention,
  type OrganizationId,
  type RecordActs,
  type SecurityElementId
} from "@overa/domain"
import { DateTime, Effect } from "effect"
import { noteChanges } from "../events/noteChanges.ts"
import { followItems, lockDoubt } from "../operations/inDoubt.ts"
import { writeOwners } from "../people/PgPersonMails.ts"
import { utc } from "../rows/OperationRow.ts"
import { followDoubt } from "../workflows/followDoubt.ts"
import { installationItself, recordActivity, rightNow } from "./activity.ts"
import type { ActTools } from "./ActTools.ts"

/** An open item as a row. */
export interface AttentionRow {
  readonly attention_id: string
  readonly organization_id: string
  readonly operation_id: string | null
  readonly element_id: string | null
  readonly person_id: string | null
  readonly kind: string
  readonly detail: string
  readonly evidence: string | null
  readonly raised_at: Date
}

/** The columns an `AttentionRow` is read from. */
export const attentionColumns = "attention_id, organization_id, operation_id, element_id, person_id, kind, detail, evidence, raised_at"

/** The open item a row holds. */
export const decodeAttention = (row: AttentionRow): OpenAttention => ({
  id: row.attention_id,
  organizationId: row.organization_id as OrganizationId,
  operationId: row.operation_id as FiscalDocumentId | null,
  elementId: row.element_id as SecurityElementId | null,
  personId: row.person_id,
  kind: row.kind,
  detail: row.detail,
  evidence: row.evidence,
  raisedAt: utc(row.raised_at)
})

const acknowledge = (tools: ActTools): RecordActs["Service"]["acknowledge"] =>
  Effect.fn("RecordActs.acknowledge")(function*(act, attentionId) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const [found] = yield* tx.query<AttentionRow>(`select ${attentionColumns} from attention where attention_id::text = $1`, [attentionId])
        const operation = found === undefined || found.operation_id === null ? null : { organizationId: found.organization_id as OrganizationId, operationId: found.operation_id as FiscalDocumentId }
        if (operation !== null) yield* lockDoubt(tx, operation)
        const [row] = yield* tx.query<{ readonly organization_id: string; readonly kind: string }>(
          `update attention set acknowledged_at = $2, acknowledged_by = $3, acknowledgement = $4
           where attention_id::text = $1 and acknowledged_at is null returning organization_id, kind`,
          [attentionId, yield* rightNow, act.actor, act.reason]
        )
        if (row === undefined) {
          return yield* new ActRefused({ reason: "ATTENTION_ITEM_NOT_FOUND", detail: `There is no open item ${attentionId}.` })
        }
        if (operation !== null) {
          yield* followItems(tx, operation)
          yield* followDoubt(tx, { ...operation, at: yield* DateTime.now })
        }
        yield* recordActivity(tx, act, {
          organizationId: row.organization_id,
          act: "attention item acknowledged",
          subject: attentionId,
          before: null,
          after: { kind: row.kind }
        })
      })
    )
  })

const raiseElement = `insert into attention (organization_id, element_id, kind, detail, evidence, raised_at) values ($1, $2, $3, $4, $5, $6)
on conflict (organization_id, element_id, kind) where element_id is not null do nothing returning attention_id`

/** The attention list and the activity log. */
export const recordActs = (tools: ActTools): RecordActs["Service"] => ({
  acknowledge: acknowledge(tools),
  raiseAboutElement: Effect.fn("RecordActs.raiseAboutElement")(function*(element, item, { change, ownersMail }) {
    const { elementId, organizationId } = element
    return yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const raised = yield* tx.query(raiseElement, [organizationId, elementId, item.kind, item.detail, item.evidence, yield* rightNow])
        if (raised.length === 0) return false
        if (change !== null) yield* noteChanges(tx, element, [change])
        if (ownersMail !== null) yield* writeOwners(tx, tools, organizationId, ownersMail)
        return true
      })
    )
  }),
  record: Effect.fn("RecordActs.record")(function*(act, deed) {
    yield* tools.database.transaction((tx) =>
      recordActivity(tx, act, {
        organizationId: deed.organizationId ?? installationItself,
        act: deed.act,
        subject: deed.subject,
        before: null,
        after: deed.after
      })
    )
  })
})
