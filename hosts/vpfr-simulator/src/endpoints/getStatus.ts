import { sdcDateTimeText } from "../belgradeTime.ts"
import type { Element } from "../certificates/Element.ts"
import { formatUnits } from "../exactDecimal.ts"
import type { Fate } from "../faults/FaultBoard.ts"
import { supportedLanguages } from "../receipts/journalWords.ts"
import { type Answer, jsonAnswer } from "../server/Answer.ts"
import type { SimulatedEnvironment, Simulation } from "../Simulation.ts"
import type { TaxRateGroup } from "../taxes/TaxRateGroup.ts"

/** Rates carry two decimals, as the V-PFR's do (`9.00`). */
export const taxRateGroupJson = (group: TaxRateGroup): string => {
  const categories = group.taxCategories.map((category) => {
    const rates = category.taxRates.map(({ label, rate }) => `{"rate":${formatUnits(BigInt(rate), 2)},"label":${JSON.stringify(label)}}`)
    return `{"name":${JSON.stringify(category.name)},"categoryType":${category.categoryType},"taxRates":[${rates.join(",")}],` +
      `"orderId":${category.orderId}}`
  })
  return `{"validFrom":${JSON.stringify(group.validFrom)},"groupId":${group.groupId},"taxCategories":[${categories.join(",")}]}`
}

/** Exactly the fields of a V-SDC's status (V-PFR §5), the scheduled groups among `allTaxRates`. */
export const getStatus = (simulation: Simulation, environment: SimulatedEnvironment, element: Element, fate: Fate): Answer => {
  const now = simulation.now() + fate.clockSkew
  const withheld = simulation.faults.withholdsTaxRates(environment.name, element.jid)
  const current = withheld ? undefined : simulation.taxRates.validAt(environment.name, now)
  const all = withheld ? [] : simulation.taxRates.all(environment.name)
  const members = [
    `"sdcDateTime":${JSON.stringify(sdcDateTimeText(now, 0))}`,
    `"supportedLanguages":${JSON.stringify(supportedLanguages)}`,
    `"uid":${JSON.stringify(element.jid)}`,
    `"taxCoreApi":${JSON.stringify(`${environment.url}/`)}`,
    `"currentTaxRates":${current === undefined ? "null" : taxRateGroupJson(current)}`,
    `"allTaxRates":[${all.map(taxRateGroupJson).join(",")}]`
  ]
  return jsonAnswer(200, `{${members.join(",")}}`)
}
