import { BigDecimal, Effect } from "effect"
import { fingerprint } from "../idempotency/boundKey.ts"
import { Dinars, Quantity } from "../money/Dinars.ts"
import type { BoundKey } from "../operations/Operation.ts"
import { Identifiers } from "../ports/TenancyDirectory.ts"
import type { ProformaTrainingRequest } from "../requests/ProformaTrainingRequest.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { BusinessPremiseId, TaxpayerId } from "../tenancy/identifiers.ts"
import { issueProformaTraining } from "./issueProformaTraining.ts"

const one = BigDecimal.fromStringUnsafe("1")

/** More lines than labels that anybody uses: a receipt of a rehearsal stays short. */
const mostLines = 20

const bodyOf = (place: TrainingPlace, labels: ReadonlyArray<string>): ProformaTrainingRequest => {
  const used = labels.slice(0, mostLines)
  return {
    taxpayerId: place.taxpayerId,
    businessPremiseId: place.businessPremiseId,
    clientReference: "rehearsal of going live",
    invoiceType: "TRAINING",
    transactionType: "SALE",
    cashier: { id: "Overa", displayName: null },
    buyer: null,
    items: used.map((label) => ({
      name: `Проба пре почетка рада, ознака ${label}`,
      unitOfMeasure: "ком",
      quantity: Quantity.make(one),
      unitPrice: Dinars.make(one),
      unitPriceBeforeDiscount: null,
      gtin: null,
      catalogProductId: null,
      taxLabels: [label],
      originalLineIndex: null
    })),
    payments: [{ type: "OTHER", amount: BigDecimal.fromNumberUnsafe(used.length) }],
    reference: null,
    commercialFooter: "Проба текста испод рачуна",
    metadata: null
  }
}

export interface TrainingPlace {
  readonly tenant: Tenant
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
}

/**
 * Has one Training document of one dinar for each label signed, on the way of every document: with the gates, the rates and the commits that a sale
 * will meet. Each call is a document of its own. Answers the operation as it is afterwards, and fails as `issueUnderKey` does.
 */
export const tryTraining = Effect.fn("tryTraining")(function*(place: TrainingPlace, labels: ReadonlyArray<string>, actor: string) {
  const key = `rehearsal:${yield* (yield* Identifiers).uuid}`
  const target = `rehearse business premise ${place.businessPremiseId}`
  const content = { key, labels: [...labels] }
  const boundKey: BoundKey = { role: "INNER", key, target, body: JSON.stringify(content), fingerprint: fingerprint(target, content) }
  const request = { tenant: place.tenant, clientId: actor, boundKey, callerGone: new AbortController().signal }
  const issued = yield* issueProformaTraining(request, bodyOf(place, labels))
  return issued.operation
})
