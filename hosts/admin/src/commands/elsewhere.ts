import { receiptFiles } from "@overa/adapter-receipt-files"
import { elsewhereBy, type ElsewhereImportRefused, ElsewhereReceipts, formatDecimal, importElsewhere, KnownSigners } from "@overa/domain"
import { Command } from "commander"
import { Effect, Stream } from "effect"
import type { Desk } from "../Desk.ts"
import { namedTaxpayer } from "../input/named.ts"
import { faultSentence } from "../elsewhere/faultSentence.ts"
import type { Input } from "../input/Input.ts"
import { recordedSigners } from "../leaving/recordedSigners.ts"
import { shownTime, table } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"
import { compareCommand } from "./compare.ts"
import { asAct, asFinalAct, withExamples } from "./describe.ts"
import { tryRequestsCommand } from "./tryRequests.ts"
import { requiredTerm } from "./erasureTerm.ts"

const mostShown = 50

const refusalOf = ({ count, faults }: ElsewhereImportRefused): Refusal =>
  new Refusal({
    sentence: [
      `Nothing was imported: ${count} ${count === 1 ? "fault" : "faults"}.`,
      ...faults.slice(0, mostShown).map(faultSentence),
      ...(count > mostShown ? [`and ${count - mostShown} more`] : [])
    ].join("\n")
  })

const runImport = Effect.fnUntraced(function*(input: Input) {
  const { taxpayer, tenant } = yield* namedTaxpayer(yield* input.id("taxpayer", input.argument(0)))
  const act = yield* input.act
  const files = receiptFiles(input.argumentsFrom(1)).pipe(Stream.mapError((reason) => new Refusal({ sentence: `A file cannot be opened: ${reason}. Nothing was imported.` })))
  const result = yield* importElsewhere(act, tenant, taxpayer.id, files).pipe(
    Effect.provideServiceEffect(KnownSigners, recordedSigners(input.config)),
    Effect.catchTag("ElsewhereImportRefused", (refused) => Effect.fail(refusalOf(refused)))
  )
  const text = `${result.added} receipts of another ESIR imported, ${result.completed} completed, ${result.known} already known. None of them is counted as ours.`
  return { text, json: result }
})

const list = (desk: Desk) =>
  new Command("list").description("receipts that a taxpayer has issued elsewhere, latest first").argument("<taxpayer>").option("--limit <number>", "at most so many", "50")
    .action(desk.does((input) =>
      Effect.gen(function*() {
        const { taxpayer, tenant } = yield* namedTaxpayer(yield* input.id("taxpayer", input.argument(0)))
        const filter = { taxpayerId: taxpayer.id, pfrFrom: null, pfrTo: null, pfrNumber: null }
        const months = elsewhereBy(yield* (yield* ElsewhereReceipts).days(tenant, filter), 7)
        const { items } = yield* (yield* ElsewhereReceipts).page(tenant, filter, null, yield* input.wholeNumber("limit", 50, 10_000))
        const rows = items.map(({ receipt }) => [
          receipt.pfrNumber, shownTime(receipt.pfrTime), `${receipt.invoiceType} ${receipt.transactionType}`, formatDecimal(receipt.totalAmount, 2), receipt.standing,
          receipt.journal === null ? "link" : receipt.verificationUrl === null ? "text" : "link and text"
        ])
        const sums = table(["MONTH", "TURNOVER ELSEWHERE, RSD"], Array.from(months, ([month, sum]) => [month, formatDecimal(sum, 2)]), "No turnover was issued elsewhere.")
        return { text: `${sums}\n\n${table(["NUMBER", "PFR TIME", "KIND", "TOTAL", "STANDING", "FROM"], rows)}`, json: { items: items.map(({ receipt }) => receipt) } }
      })
    ))

const remove = (desk: Desk) =>
  asFinalAct(
    new Command("remove").description("removes receipts issued elsewhere that are older than so many days; their issuer keeps the originals")
      .argument("<taxpayer>").option("--older-than <days>", "only receipts that were signed so many days ago (required)")
  ).action(desk.does((input) =>
    Effect.gen(function*() {
      const { taxpayer, tenant } = yield* namedTaxpayer(yield* input.id("taxpayer", input.argument(0)))
      const olderThanDays = yield* requiredTerm(input)
      const act = yield* input.act
      yield* input.confirm("The receipts issued elsewhere are removed from this service; they can be imported again from the other ESIR's files.")
      const removed = yield* (yield* ElsewhereReceipts).remove(act, tenant, taxpayer.id, olderThanDays)
      return { text: `Removed ${removed} receipts.`, json: { removed } }
    })
  ))

/** `elsewhere`: what a taxpayer has issued with another ESIR. */
export const elsewhere = (desk: Desk): Command =>
  withExamples(
    new Command("elsewhere").description("receipts that a taxpayer has issued with another ESIR: imported, listed, compared, removed; never counted as ours")
      .addCommand(
        asAct(
          new Command("import").description("imports files and folders: receipts' texts, lists of verification links, CSV, JSON lines, PDFs, pictures; all of it or nothing")
            .argument("<taxpayer>").argument("<files...>")
        ).action(desk.does(runImport))
      )
      .addCommand(list(desk)).addCommand(compareCommand(desk)).addCommand(tryRequestsCommand(desk)).addCommand(remove(desk)),
    [
      `elsewhere import <taxpayer> ./old-receipts export.csv --reason "the shop has moved to us"`,
      `elsewhere list <taxpayer> --limit 20`,
      `elsewhere compare <taxpayer> --from 2026-11-01 --to 2026-12-01`,
      `elsewhere try <taxpayer> requests.jsonl --from 2026-11-01 --to 2026-12-01`,
      `elsewhere remove <taxpayer> --older-than 3650 --reason "kept for ten years" --yes`
    ]
  )
