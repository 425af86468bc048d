import { pageFolders } from "@overa/portal"
import { randomUUID } from "node:crypto"
import type { PortalStage, StagePerson } from "./portalStage.ts"

/** A page of the portal as a person opens it. */
export interface PageVisit {
  /** The route, with parameters as `:name`. */
  readonly route: string
  readonly path: string
  readonly person: StagePerson | null
}

/** Files are saved, not shown; these pages end at once in another one where there is nothing to do, or name what a person must be sent first. */
const shownNowhere = /\/(?:csv|xlsx|export|paper|proof|pdf)(?:\/|$)|^\/(?:sign-in\/(?:issuer|return)|logo|invitation\/|language|find$|issue$|receipts\/:id\/(?:refund|again)$|receipts\/:proforma\/whole-refund$|advances\/:case\/(?:payment|closing|refund)$)/

/**
 * The address of a route's page, its parameters taken from what the installation has. A name that it lacks is a random id, so the page is the one for
 * what does not exist.
 */
export const addressOf = (route: string, names: Readonly<Record<string, string>>): string =>
  route.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? randomUUID())

const personOf = (stage: PortalStage, route: string, area: string): StagePerson | null => {
  if (area === "open" || area === "half") return null
  return route.startsWith("/operator") ? stage.people.OPERATOR : stage.people.OWNER
}

/** Every page that is shown, in the order of the menu. */
export const everyPage = async (stage: PortalStage, documentId: string): Promise<ReadonlyArray<PageVisit>> => {
  const client = await stage.desk.database.client()
  const { businessPremiseId, clientId, organizationId, taxpayerId } = stage.shop
  const { rows: [found] } = await client.query(
    `select (select element_id from security_elements where organization_id = $1 limit 1) as element,
       (select product_id from products where organization_id = $1 limit 1) as product,
       (select case_id from advance_cases where organization_id = $1 limit 1) as advance,
       (select operation_id from operations where organization_id = $1 and invoice_type in ('PROFORMA', 'TRAINING') and transaction_type = 'SALE' and status = 'FISCALIZED' limit 1) as proforma,
       (select endpoint_id from webhook_endpoints where organization_id = $1 limit 1) as endpoint,
       (select attention_id from attention where organization_id = $1 limit 1) as item`, [organizationId])
  const operators = { id: organizationId, taxpayer: taxpayerId, premise: businessPremiseId, element: found.element, client: clientId, environment: "sandbox", operation: documentId, item: found.item ?? randomUUID() }
  const members = { ...operators, id: documentId, product: found.product, case: found.advance ?? randomUUID(), proforma: found.proforma ?? randomUUID(), endpoint: found.endpoint ?? randomUUID() }
  return pageFolders.flatMap((folder) => folder.routes)
    .filter(({ method, path }) => method === "GET" && !shownNowhere.test(path))
    .map(({ access, path }) => ({
      route: path,
      path: addressOf(path, path.startsWith("/operator") ? operators : members),
      person: personOf(stage, path, access.area)
    }))
}
