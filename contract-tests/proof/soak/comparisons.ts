import type { Event } from "@overa/client"
import { verifyProof } from "@overa/verify"
import { withClient } from "../../src/support/withClient.ts"
import { type Books, contradictions, notYetFound, readBooks } from "../crash/compareBooks.ts"
import type { EventReceiver } from "./EventReceiver.ts"
import type { MailSink } from "./MailSink.ts"
import { clientThrough, type NextHost, type SoakShop } from "./SoakShop.ts"

/** An installation whose shops have stopped, with everything around it that has kept something. */
export interface ComparedSite {
  /** The database that has the last word. */
  readonly databaseUrl: string
  /** The control API of the V-PFR. */
  readonly controlUrl: string
  readonly shops: ReadonlyArray<SoakShop>
  readonly nextHost: NextHost
  readonly mail: MailSink
  readonly events: EventReceiver
}

/** One comparison: what was held against what, how many pairs, and a sentence for each that differs. */
export interface Comparison {
  readonly what: string
  readonly pairs: number
  readonly faults: ReadonlyArray<string>
}

interface FarReceipt {
  readonly element: string
  readonly invoiceNumber: string
  readonly totalCounter: number
  /** 0 Normal, 4 Advance; the others are no turnover. */
  readonly invoiceType: number
  /** 0 sale, 1 refund. */
  readonly transactionType: number
  readonly totalAmount: number
}

const farReceipts = async (site: ComparedSite): Promise<ReadonlyArray<FarReceipt>> =>
  ((await (await fetch(`${site.controlUrl}/receipts`)).json()) as { readonly receipts: ReadonlyArray<FarReceipt> }).receipts

const books = ({ operations, receipts, ...rest }: Books): Comparison => ({
  what: "receipts of the V-PFR and the store's operations",
  pairs: receipts.length,
  faults: [...contradictions({ operations, receipts, ...rest }), ...notYetFound({ operations, receipts, ...rest }).map((key) => `${key} was signed and is not found`)]
})

/** Every receipt that a shop was told is in the store under its number, once. */
const told = ({ operations }: Books, shops: ReadonlyArray<SoakShop>): Comparison => {
  const stored = new Set(operations.filter(({ status }) => status === "FISCALIZED").map(({ invoice_number: number }) => number))
  const all = shops.flatMap(({ ledger }) => ledger.receipts)
  const twice = all.length - new Set(all.map(({ invoiceNumber }) => invoiceNumber)).size
  return {
    what: "receipts that shops were told and the store's",
    pairs: all.length,
    faults: [
      ...all.filter(({ invoiceNumber }) => !stored.has(invoiceNumber)).map(({ id, invoiceNumber }) => `the shop was told ${invoiceNumber} for ${id}, which the store does not have`),
      ...(twice === 0 ? [] : [`${twice} receipts were told to two different requests`])
    ]
  }
}

/** Each element's counters run from 1 without a gap, and the store has each of their receipts. */
const counters = ({ operations }: Books, far: ReadonlyArray<FarReceipt>): Comparison => {
  const stored = new Set(operations.map(({ invoice_number: number }) => number))
  const faults = [...Map.groupBy(far, ({ invoiceNumber }) => invoiceNumber.slice(0, invoiceNumber.lastIndexOf("-")))].flatMap(([series, receipts]) => {
    const counts = receipts.map(({ totalCounter }) => totalCounter).toSorted((one, other) => one - other)
    const gap = counts.findIndex((count, at) => count !== at + 1)
    const unknown = receipts.filter(({ invoiceNumber }) => !stored.has(invoiceNumber) && invoiceNumber !== "").map(({ invoiceNumber }) => invoiceNumber)
    return [...(gap < 0 ? [] : [`the counter of ${series} has no ${gap + 1}`]), ...unknown.map((number) => `${number} is counted at the V-PFR and is in no operation`)]
  })
  return { what: "counters of each element, without a gap", pairs: far.length, faults }
}

/**
 * Every errand has its answer. Only a document of a killed host that was never sent, or that the V-PFR answered with a fault, may still be unknown: no search finds
 * it, and the operator decides it a quarter of an hour later.
 */
const answers = ({ operations, receipts }: Books, shops: ReadonlyArray<SoakShop>): Comparison => {
  const signed = new Set(receipts.map(({ requestId }) => requestId))
  const undecided = operations.filter(({ request_ids, status }) => status === "OUTCOME_UNKNOWN" && !request_ids.some((id) => signed.has(id))).length
  const unanswered = shops.reduce((sum, { ledger }) => sum + ledger.unanswered, 0)
  const done = shops.reduce((sum, { ledger }) => sum + ledger.millis.length, 0)
  return {
    what: `errands and their answers (${undecided} documents are left to the operator's decision)`,
    pairs: done,
    faults: [...shops.flatMap(({ ledger }) => ledger.wrong), ...(unanswered > undecided ? [`${unanswered} errands have no answer, and ${undecided} documents are undecided`] : [])]
  }
}

const inParas = (amount: number): number => Math.round(amount * 100)

/** The turnover that the reports tell, and the sum of what the V-PFR has signed. */
const turnover = async (site: ComparedSite, far: ReadonlyArray<FarReceipt>): Promise<Comparison> => {
  const counted = far.filter(({ invoiceType }) => invoiceType === 0 || invoiceType === 4)
  const signed = counted.reduce((sum, { totalAmount, transactionType }) => sum + (transactionType === 1 ? -1 : 1) * inParas(totalAmount), 0)
  let [reported, receipts] = [0, 0]
  for (const { client } of site.shops) {
    const { rows } = await client.call("reportTurnover", { query: {} })
    for (const row of rows) [reported, receipts] = [reported + inParas(row.gross), receipts + row.receipts]
  }
  return {
    what: "turnover in paras",
    pairs: counted.length,
    faults: [
      ...(signed === reported ? [] : [`signed were ${signed} paras, reported ${reported}`]),
      ...(counted.length === receipts ? [] : [`signed were ${counted.length} receipts of turnover, reported ${receipts}`])
    ]
  }
}

/** So many proofs are read, spread over the whole run; `journal verify` compares every row with the log. */
const mostProofs = 600

const spread = <A>(all: ReadonlyArray<A>, most: number): ReadonlyArray<A> => {
  const step = Math.max(1, Math.ceil(all.length / most))
  return all.filter((_one, at) => at % step === 0)
}

/** A receipt's proof, from the request to its place in the log, by the verifier that strangers use. */
const proofs = async (site: ComparedSite): Promise<Comparison> => {
  const logKeys = [await (await fetch(`${site.nextHost()}/.well-known/overa-journal-key`)).text()]
  const known = await (await fetch(`${site.controlUrl}/signers`)).json() as Readonly<Record<string, ReadonlyArray<{ readonly uid: string; readonly publicKeyPem: string }>>>
  const signers = Object.fromEntries(Object.values(known).flat().map(({ publicKeyPem, uid }) => [uid, publicKeyPem]))
  const faults: Array<string> = []
  let pairs = 0
  for (const { client, ledger } of site.shops) {
    const left = [...spread(ledger.receipts, mostProofs / site.shops.length)]
    const reader = async (): Promise<void> => {
      for (let receipt = left.pop(); receipt !== undefined; receipt = left.pop()) {
        const path = { fiscalDocumentId: receipt.id }
        const proof = await client.call("readProof", { path })
        const { findings, outcome } = verifyProof(proof, { logKeys, signers })
        pairs += 1
        const sealed = findings.some(({ subject, verdict }) => subject === "entriesIn" && verdict === "PROVEN")
        if (outcome !== "PROVEN" || !sealed) faults.push(`the proof of ${receipt.id} is ${outcome}: ${findings.filter(({ verdict }) => verdict !== "PROVEN").map(({ subject }) => subject).join(", ")}`)
      }
    }
    await Promise.all(Array.from({ length: 4 }, reader))
  }
  return { what: "proofs of the log, each by the verifier", pairs, faults }
}

/** Each delivery is one message to its own address. */
const mails = async (site: ComparedSite, rows: ReadonlyMap<string, { readonly status: string; readonly attempts: number }>): Promise<Comparison> => {
  const counts = new Map<string, number>()
  for (const recipient of site.mail.taken) counts.set(recipient, (counts.get(recipient) ?? 0) + 1)
  const asked = new Map(site.shops.flatMap(({ ledger }) => [...ledger.recipients]))
  const faults = [...asked].flatMap(([recipient, id]) => {
    const [row, count] = [rows.get(id), counts.get(recipient) ?? 0]
    if (row?.status !== "SENT") return [`delivery ${id} is ${row?.status ?? "not stored"}`]
    // A worker that was killed between the message and its commit sends again; the row then counts two attempts.
    return count >= 1 && count <= row.attempts ? [] : [`delivery ${id} counts ${row.attempts} attempts and came ${count} times`]
  })
  const strange = [...counts.keys()].filter((recipient) => !asked.has(recipient))
  return { what: "mails and deliveries", pairs: asked.size, faults: [...faults, ...strange.map((recipient) => `nobody asked for the mail to ${recipient}`)] }
}

const eventsOf = async (site: ComparedSite, shop: SoakShop): Promise<ReadonlyArray<Event>> => {
  const client = clientThrough(site.nextHost, shop.shop)
  const all: Array<Event> = []
  for (;;) {
    const page = await client.call("listEvents", { query: { after: all.at(-1)?.sequence ?? 0, pageSize: 200 } })
    all.push(...page.items)
    if (page.items.length === 0) return all
  }
}

/** Each event is numbered without a gap, tells a receipt once, and reached the shop's receiver. */
const events = async (site: ComparedSite): Promise<Comparison> => {
  const faults: Array<string> = []
  let pairs = 0
  for (const shop of site.shops) {
    const all = await eventsOf(site, shop)
    pairs += all.length
    all.forEach(({ sequence }, at) => {
      if (sequence !== at + 1) faults.push(`event ${sequence} of ${shop.name} is the ${at + 1}th`)
    })
    const numbers = Map.groupBy(all.filter(({ type }) => type === "document.fiscalized" || type === "document.found"), ({ data }) => data.fiscalDocumentId)
    for (const { id } of shop.ledger.receipts) if (numbers.get(id)?.length !== 1) faults.push(`document ${id} was told by ${numbers.get(id)?.length ?? 0} events`)
    if (shop.webhooks === null) continue
    const lost = all.filter(({ id, sequence }) => sequence > shop.eventsFrom && !site.events.received.has(id))
    faults.push(...lost.map(({ id, type }) => `event ${id} (${type}) of ${shop.name} did not reach its receiver`))
  }
  if (site.events.forged > 0) faults.push(`${site.events.forged} messages had no valid signature`)
  return { what: "events, listed and received", pairs, faults }
}

/** What waits in the store; nothing may, once everything had its time. */
export const waitingRows = (url: string): Promise<Readonly<Record<string, number>>> =>
  withClient(url, async (client) => {
    const { rows: [row] } = await client.query<Record<string, number>>(`select
      (select count(*)::int from operations where status in ('SUBMITTING', 'RECONCILING')) as "documents under way",
      (select count(*)::int from operations where status = 'VALIDATED') as "documents reserved and not sent",
      (select count(*)::int from receipt_deliveries where status = 'QUEUED') as "deliveries queued",
      (select count(*)::int from webhook_messages where status = 'PENDING') as "webhook messages queued",
      (select count(*)::int from journal_pending left join operations using (organization_id, operation_id)
        where status is distinct from 'OUTCOME_UNKNOWN') as "documents that the journal has not taken in",
      (select count(*)::int from attention where acknowledged_at is null) as "items for a person"`)
    return row ?? {}
  })

const leftovers = (waiting: Readonly<Record<string, number>>): Comparison => ({
  what: "rows that wait for something",
  pairs: Object.keys(waiting).length,
  faults: Object.entries(waiting).filter(([, count]) => count > 0).map(([name, count]) => `${name}: ${count}`)
})

/** Everything that two sides know, one by one. */
export const compareAll = async (site: ComparedSite): Promise<ReadonlyArray<Comparison>> => {
  const url = site.databaseUrl
  const known = await readBooks(url, site.controlUrl)
  const far = await farReceipts(site)
  const deliveries = await withClient(url, async (client) =>
    new Map((await client.query<{ readonly id: string; readonly status: string; readonly attempts: number }>("select delivery_id as id, status, attempts from receipt_deliveries")).rows.map((row) => [row.id, row])))
  return [
    answers(known, site.shops),
    books(known),
    told(known, site.shops),
    counters(known, far),
    await turnover(site, far),
    await proofs(site),
    await mails(site, deliveries),
    await events(site),
    leftovers(await waitingRows(url))
  ]
}
