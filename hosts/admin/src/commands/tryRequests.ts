import {
  compareTrial, type Deviation, formatDecimal, isTurnoverElsewhere, pairTrials, type PrintedElsewhere, readElsewhereJournal, type SaleTrial, SellerDetails, type TaxpayerId, type Tenant,
  totalAmount, trySale
} from "@overa/domain"
import { Command } from "commander"
import { BigDecimal, Effect, Result, Stream } from "effect"
import type { Desk } from "../Desk.ts"
import { eachElsewhere } from "../elsewhere/eachElsewhere.ts"
import { type LoggedRequest, requestsOf, type UnreadLine } from "../elsewhere/readRequests.ts"
import type { Input } from "../input/Input.ts"
import { namedTaxpayer } from "../input/named.ts"
import { table } from "../output/Outcome.ts"
import { Refusal } from "../Refusal.ts"

type Tried = Pick<LoggedRequest, "file" | "line" | "pfrNumber"> & SaleTrial & { readonly items: NonNullable<SaleTrial["sale"]>["items"] }

interface Listed {
  readonly place: string
  readonly pfrNumber: string | null
  readonly deviations: ReadonlyArray<Deviation>
}

const none: ReadonlyArray<never> = []

/** Amounts are compared, not the text of a preview: no element is opened for the seller's details. */
const noSeller = SellerDetails.of({ ofElement: () => Effect.succeed(null) })

const cannotRead = (cause: unknown): Refusal => new Refusal({ sentence: `A file cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}. Nothing was tried.` })

/** Each request of the files, tried one after the other. */
const tryAll = Effect.fnUntraced(function*(tenant: Tenant, taxpayerId: TaxpayerId, files: ReadonlyArray<string>) {
  const [tried, unread]: [Array<Tried>, Array<UnreadLine>] = [[], []]
  const requests = Stream.flatMap(Stream.fromIterable(files), (file) => Stream.fromAsyncIterable(requestsOf(file), cannotRead))
  yield* Stream.runForEach(requests, Effect.fnUntraced(function*(found) {
    if ("reason" in found) return void unread.push(found)
    const { file, line, pfrNumber } = found
    const { refused, sale } = yield* Effect.provideService(trySale(tenant, taxpayerId, found.body), SellerDetails, noSeller)
    tried.push({ file, line, pfrNumber, refused, sale, items: sale?.items ?? none })
  }))
  return { tried, unread }
})

/** The receipts of the other ESIR with a text that are sales, oldest first; how many are of another kind, or only a link. */
const salesElsewhere = Effect.fnUntraced(function*(input: Input, tenant: Tenant, taxpayerId: TaxpayerId) {
  const filter = { taxpayerId, pfrFrom: yield* input.instant("from"), pfrTo: yield* input.instant("to"), pfrNumber: null }
  const sales: Array<PrintedElsewhere> = []
  const others = { otherKinds: 0, linksAlone: 0 }
  yield* eachElsewhere(tenant, filter, (page) => {
    for (const { receipt } of page.filter(({ receipt: one }) => isTurnoverElsewhere(one))) {
      const read = receipt.journal === null ? null : readElsewhereJournal(receipt.journal)
      if (receipt.invoiceType !== "NORMAL" || receipt.transactionType !== "SALE") others.otherKinds += 1
      else if (read === null || Result.isFailure(read)) others.linksAlone += 1
      else sales.push({ pfrNumber: receipt.pfrNumber, printed: read.success })
    }
  })
  return { sales: sales.reverse(), others }
})

const deviationsOf = ({ refused, sale }: Tried, receipt: PrintedElsewhere | null): ReadonlyArray<Deviation> => [
  ...(refused === null ? [] : [{ what: `refused: ${refused.code}${refused.detail === "" ? "" : ` (${refused.detail})`}`, theirs: receipt === null ? null : formatDecimal(BigDecimal.abs(receipt.printed.total), 2), ours: null }]),
  ...(receipt === null ? [{ what: "no receipt of the other ESIR", theirs: null, ours: sale === null ? null : formatDecimal(totalAmount(sale.items), 2) }] : sale === null ? [] : compareTrial(receipt.printed, sale))
]

const sumOf = (amounts: ReadonlyArray<BigDecimal.BigDecimal>): string => formatDecimal(BigDecimal.sumAll(amounts), 2)

const runTrial = Effect.fnUntraced(function*(input: Input) {
  const { taxpayer, tenant } = yield* namedTaxpayer(yield* input.id("taxpayer", input.argument(0)))
  const { others, sales } = yield* salesElsewhere(input, tenant, taxpayer.id)
  const { tried, unread } = yield* tryAll(tenant, taxpayer.id, input.argumentsFrom(1))
  const { left, pairs } = pairTrials(tried, sales)
  const different: ReadonlyArray<Listed> = [
    ...unread.map(({ file, line, reason }) => ({ place: `${file}:${line}`, pfrNumber: null, deviations: [{ what: `not read: ${reason}`, theirs: null, ours: null }] })),
    ...pairs.map(({ receipt, sale }) => ({ place: `${sale.file}:${sale.line}`, pfrNumber: receipt?.pfrNumber ?? sale.pfrNumber, deviations: deviationsOf(sale, receipt) })),
    ...left.map(({ pfrNumber, printed }) => ({ place: "-", pfrNumber, deviations: [{ what: "no request", theirs: formatDecimal(printed.total, 2), ours: null }] }))
  ].filter(({ deviations }) => deviations.length > 0)
  const sums = { theirs: sumOf(sales.map(({ printed }) => printed.total)), ours: sumOf(tried.filter(({ refused }) => refused === null).map(({ items }) => totalAmount(items))) }
  const paired = pairs.filter(({ receipt }) => receipt !== null).length
  const sentences = [
    `${tried.length} requests tried, ${paired} beside the receipt of the other ESIR, ${tried.filter(({ refused }) => refused !== null).length} refused; ${left.length} receipts without a request; nothing was issued.`,
    `Sum of the receipts ${sums.theirs}, of the requests that would be signed ${sums.ours}.`,
    ...(others.otherKinds + others.linksAlone === 0 ? [] : [`Not compared: ${others.otherKinds} refunds and advances, ${others.linksAlone} receipts known by their link only.`])
  ]
  const rows = different.flatMap(({ deviations, pfrNumber, place }) => deviations.map(({ ours, theirs, what }) => [place, pfrNumber ?? "-", what, theirs ?? "none", ours ?? "none"]))
  return {
    text: `${sentences.join("\n")}\n\n${table(["PLACE", "NUMBER", "WHAT", "THEIRS", "OURS"], rows, "No difference.")}`,
    json: { tried: tried.length, paired, ...others, sums, different },
    exitCode: different.length === 0 ? 0 : 3
  }
})

/** `elsewhere try`: the shop's own requests, tried beside the receipts of the other ESIR. */
export const tryRequestsCommand = (desk: Desk): Command =>
  new Command("try").description("tries the shop's own requests by dry run, one on each line, and lists every difference to the receipts of the other ESIR to the para; nothing is issued")
    .argument("<taxpayer>").argument("<files...>").option("--from <date>").option("--to <date>")
    .action(desk.does(runTrial))
