import { DateTime, Option, Schema } from "effect"
import type { AttentionItem } from "../operations/Operation.ts"
import { plainLine } from "../people/securityMail.ts"
import { groupAt, type TaxRateGroup } from "../tax/TaxRateGroup.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { belgradeLocalTime } from "../time/belgradeTime.ts"
import { type EndingLabel, endingLabels } from "./endingLabels.ts"
import type { ProductContent } from "./Product.ts"

/** A change of rates that takes labels from a catalogue. */
export interface RatesWarning {
  readonly groupId: number
  readonly beginsAt: DateTime.Utc
  readonly labels: ReadonlyArray<EndingLabel>
}

/** Whose catalogue it is. */
export interface WarnedShop {
  readonly taxIdentifier: string
  readonly environment: Environment
}

/**
 * The changes of the coming week that take a label from the catalogue, one warning for each group of rates. A label that is missing already is no warning:
 * its sales are refused, and the rehearsal names it.
 */
export const ratesWarnings = (
  products: ReadonlyArray<Pick<ProductContent, "sku" | "taxLabels" | "isActive">>,
  groups: ReadonlyArray<TaxRateGroup>,
  now: DateTime.Utc
): ReadonlyArray<RatesWarning> => {
  const warnings = new Map<number, RatesWarning>()
  for (const ending of endingLabels(products, groups, now)) {
    const group = ending.endsAt === null ? null : groupAt(groups, ending.endsAt)
    if (group === null) continue
    const { labels } = warnings.get(group.groupId) ?? { labels: [] }
    warnings.set(group.groupId, { groupId: group.groupId, beginsAt: group.validFrom, labels: [...labels, ending] })
  }
  return [...warnings.values()]
}

const kindPrefix = "TAX_LABELS_END_WITH_GROUP_"

const Evidence = Schema.fromJsonString(Schema.Struct({ beginsAt: Schema.String, labels: Schema.Array(Schema.String) }))

/** What the item of a change of rates says: when the labels end, and which. */
export interface EndingLabels {
  readonly beginsAt: DateTime.Utc
  readonly labels: ReadonlyArray<string>
}

/** The facts of an item that `ratesItem` has made; null for any other item. */
export const endingLabelsOf = ({ evidence, kind }: Pick<AttentionItem, "kind" | "evidence">): EndingLabels | null => {
  if (!kind.startsWith(kindPrefix) || evidence === null) return null
  return Option.getOrNull(Option.flatMap(Schema.decodeUnknownOption(Evidence)(evidence), ({ beginsAt, labels }) =>
    Option.map(DateTime.make(beginsAt), (at) => ({ beginsAt: DateTime.toUtc(at), labels }))))
}

const productsOf = (labels: RatesWarning["labels"]): number => new Set(labels.flatMap(({ skus }) => skus)).size

/** The item for the attention list. Its kind names the group, so that each change of rates is one item. */
export const ratesItem = ({ taxIdentifier }: WarnedShop, { beginsAt, groupId, labels }: RatesWarning): AttentionItem => ({
  kind: `${kindPrefix}${groupId}`,
  detail: `Group ${groupId} of rates begins at ${DateTime.formatIso(beginsAt)} without ${labels.map(({ label }) => label).join(", ")}, which ${productsOf(labels)} products of taxpayer ${taxIdentifier} carry: sales of them will be refused.`,
  evidence: JSON.stringify({ beginsAt: DateTime.formatIso(beginsAt), labels: labels.map(({ label }) => label) })
})

/** How many products a message names for each label. */
const mostNamed = 10

const labelLine = ({ label, skus }: EndingLabel): string => {
  const named = skus.slice(0, mostNamed).map(plainLine).join(", ")
  return `${plainLine(label)}: ${named}${skus.length > mostNamed ? ` … (${skus.length})` : ""}`
}

/** The message to the owners, in Serbian and English. */
export const ratesMail = ({ environment, taxIdentifier }: WarnedShop, { beginsAt, labels }: RatesWarning): { readonly subject: string; readonly text: string } => {
  const time = belgradeLocalTime(beginsAt).replace("T", " ")
  const lines = labels.map(labelLine)
  return {
    subject: "Пореске ознаке из вашег каталога престају да важе / Tax labels of your catalogue end",
    text: [
      `Од ${time} Пореска управа нема више пореске ознаке које имају ваши артикли (ПИБ ${taxIdentifier}, ${environment}):`,
      ...lines,
      "Дајте овим артиклима важећу ознаку до тада: после тога се њихова продаја одбија. Рефундације и копије ранијих рачуна раде и даље.",
      "",
      `From ${time} (Belgrade) on the tax authority no longer has the tax labels of these products (tax identifier ${taxIdentifier}, ${environment}):`,
      ...lines,
      "Give these products a label that stays valid before then: afterwards their sale is refused. Refunds and copies of earlier receipts keep working."
    ].join("\n")
  }
}
