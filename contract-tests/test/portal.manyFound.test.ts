import { layerDatabase, layerOperationStore } from "@overa/adapter-postgres"
import type { Operation } from "@overa/domain"
import { Effect, Layer, Redacted } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import { issueSale } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"
import { multiplyDocuments, storePatterns } from "../src/support/manyDocuments.ts"
import { mintPlace } from "../src/support/sampleOperations.ts"

const { client, rowsOf, stage } = sharedPortal()

/** More than the portal sums at once. */
const found = 1_001

beforeAll(async () => {
  await issueSale(stage)
  const { businessPremiseId, organizationId, taxpayerId } = stage.shop
  const shop = { organizationId, environment: "sandbox", taxpayerId, businessPremiseId } as Pick<Operation, "organizationId" | "environment" | "taxpayerId" | "businessPremiseId">
  const pattern = { ...shop, organizationId: mintPlace().organizationId }
  const store = Layer.provide(layerOperationStore, layerDatabase({ url: Redacted.make(stage.desk.database.url), applicationName: "patterns" }))
  await Effect.runPromise(Effect.provide(storePatterns(pattern), store))
  await multiplyDocuments(await stage.desk.database.client(), pattern, shop, { count: found, days: 365, statuses: ["FISCALIZED"] })
}, 240_000)

const shownIn = (text: string): ReadonlyArray<string> =>
  [...text.slice(text.indexOf("<tbody")).matchAll(/href="[^"]*\/receipts\/([0-9a-f-]{36})"/g)].map(([, id = ""]) => id).filter((id, at, all) => all.indexOf(id) === at)

const nextIn = (text: string): string | undefined => /href="([^"]*\/receipts\?[^"]*after=[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&")

describe("a search that finds more than is summed", () => {
  it("says so, and its pages follow each other: the latest first, none twice, none left out", async () => {
    const session = await stage.session(stage.people.OWNER)
    const latest = await rowsOf<{ readonly id: string }>(
      "select operation_id as id from operations where organization_id = $1 and status = 'FISCALIZED' order by created_at desc, operation_id desc limit 75", [stage.shop.organizationId])
    const first = (await client.get("/receipts?status=FISCALIZED", { session })).text
    assert.include(first, "1.000")
    const pages = [first]
    for (let left = 2; left > 0; left--) pages.push((await client.get(nextIn(pages.at(-1) ?? "") ?? "/none", { session })).text)
    assert.deepStrictEqual(pages.flatMap(shownIn), latest.map(({ id }) => id))
  })
})
