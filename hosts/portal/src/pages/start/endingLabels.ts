import { AttentionOversight, ElementOversight, endingLabelsOf, ProductStore, type SecurityElement } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { moment } from "../../language/formats.ts"
import type { Matter } from "./Matter.ts"

/** How many open items are looked through. */
const mostItems = 200

/** How many active products of the taxpayer carry one of the labels now: the item was raised once, and the catalogue may have been mended since. */
const carrying = Effect.fnUntraced(function*({ tenant }: MemberVisit, { taxpayerId }: SecurityElement, labels: ReadonlyArray<string>) {
  const products = yield* (yield* ProductStore).all(tenant, taxpayerId).pipe(Effect.catchTag("TaxpayerNotFound", () => Effect.succeed([])))
  return products.filter(({ isActive, taxLabels }) => isActive && taxLabels.some((label) => labels.includes(label))).length
})

/** A change of rates that takes labels from the catalogue, until no active product carries one. Catalogues are read only while such a change is announced. */
export const endingLabels = Effect.fnUntraced(function*(visit: MemberVisit, now: DateTime.Utc) {
  const open = yield* (yield* AttentionOversight).openAttention(visit.organizationId, mostItems)
  const told = open.flatMap((item) => {
    const ending = endingLabelsOf(item)
    return ending === null ? [] : [{ ...ending, elementId: item.elementId }]
  })
  if (told.length === 0) return []
  const elements = yield* (yield* ElementOversight).elements(visit.organizationId)
  const { say } = visit
  const found: Array<Matter> = []
  for (const { beginsAt, elementId, labels } of told) {
    const element = elements.find((entry) => entry.element.id === elementId && entry.element.environment === visit.environment)?.element
    const products = element === undefined ? 0 : yield* carrying(visit, element, labels)
    if (products === 0) continue
    const ended = DateTime.isLessThanOrEqualTo(beginsAt, now)
    found.push({
      sentence: [
        ended ? say("Пореске ознаке не важе од ", "Tax labels ended on ") : say("Пореске ознаке престају да важе ", "Tax labels end on "), moment(beginsAt), ": ", labels.join(", "), ". ",
        say(`Артикала са њима: ${products}. Дајте им важећу ознаку, иначе се њихова продаја одбија.`, `Products with them: ${products}. Give them a current label, or their sale is refused.`)
      ],
      href: "/catalogue",
      step: say("Артикли", "Products")
    })
  }
  return found
})
