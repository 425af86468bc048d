import {
  compareElsewhere, type Deviation, ElementOversight, groupAt, isTurnoverElsewhere, readElsewhereJournal, type StoredElsewhereReceipt, type TaxpayerEntry,
  type TaxRateGroup, TaxRates
} from "@overa/domain"
import { Command } from "commander"
import { Effect, Result } from "effect"
import type { Desk } from "../Desk.ts"
import { eachElsewhere } from "../elsewhere/eachElsewhere.ts"
import type { Input } from "../input/Input.ts"
import { table } from "../output/Outcome.ts"
import { namedTaxpayer } from "../input/named.ts"

/** The authority's groups of rates, as the taxpayer's element is told them; none where there is no element, or no answer. */
const ratesOf = Effect.fnUntraced(function*({ organizationId, taxpayer }: TaxpayerEntry) {
  const elements = (yield* (yield* ElementOversight).elements(organizationId)).filter(({ element }) => element.taxpayerId === taxpayer.id && element.status === "ACTIVE")
  const [active] = elements
  if (active === undefined) return []
  const asked = yield* Effect.result((yield* TaxRates).fresh({ organizationId, environment: taxpayer.environment }, active.element.id))
  return Result.isSuccess(asked) ? asked.success.groups : []
})

interface Compared {
  readonly pfrNumber: string
  readonly deviations: ReadonlyArray<Deviation>
}

/** Null for a link alone: it has no lines. */
const compare = ({ receipt }: StoredElsewhereReceipt, groups: ReadonlyArray<TaxRateGroup>): Compared | null => {
  const read = receipt.journal === null ? null : readElsewhereJournal(receipt.journal)
  if (read === null || Result.isFailure(read)) return null
  return { pfrNumber: receipt.pfrNumber, deviations: compareElsewhere(read.success, groupAt(groups, receipt.pfrTime)) }
}

const runComparison = Effect.fnUntraced(function*(input: Input) {
  const entry = yield* namedTaxpayer(yield* input.id("taxpayer", input.argument(0)))
  const [pfrFrom, pfrTo] = [yield* input.instant("from"), yield* input.instant("to")]
  const groups = yield* ratesOf(entry)
  const different: Array<Compared> = []
  const counts = { compared: 0, linksAlone: 0 }
  yield* eachElsewhere(entry.tenant, { taxpayerId: entry.taxpayer.id, pfrFrom, pfrTo, pfrNumber: null }, (page) => {
    for (const stored of page.filter(({ receipt }) => isTurnoverElsewhere(receipt))) {
      const compared = compare(stored, groups)
      if (compared === null) counts.linksAlone += 1
      else counts.compared += 1
      if (compared !== null && compared.deviations.length > 0) different.push(compared)
    }
  })
  const rows = different.flatMap(({ deviations, pfrNumber }) => deviations.map(({ ours, theirs, what }) => [pfrNumber, what, theirs ?? "none", ours ?? "none"]))
  const sentence = [
    `${counts.compared} receipts compared, ${different.length} different, ${counts.linksAlone} only as a link and not compared.`,
    groups.length === 0 ? "The authority's rates are not known here: rates and taxes were not compared." : "Rates and taxes were compared with the authority's of each receipt's time."
  ].join(" ")
  return {
    text: `${sentence}\n\n${table(["NUMBER", "WHAT", "THEIRS", "OURS"], rows, "No difference.")}`,
    json: { ...counts, ratesKnown: groups.length > 0, different },
    exitCode: different.length === 0 ? 0 : 3
  }
})

/** `elsewhere compare`: a month beside the other ESIR. */
export const compareCommand = (desk: Desk): Command =>
  new Command("compare").description("recomputes each receipt issued elsewhere as this service would have had it signed, and lists every difference to the para")
    .argument("<taxpayer>").option("--from <date>").option("--to <date>")
    .action(desk.does(runComparison))
