import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type pg from "pg"
import type { Bought } from "./buyer.ts"
import type { Service } from "./connect.ts"
import type { Vendure } from "./Vendure.ts"

/** Paras by order: what its buyer paid, less what was given back. */
const paidByOrder = async (database: pg.Client): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await database.query(`select o.code, sum(p.amount)
    - (select coalesce(sum(r.total), 0) from refund r join payment q on q.id = r."paymentId" where q."orderId" = o.id and r.state = 'Settled') as paid
    from "order" o join payment p on p."orderId" = o.id and p.state = 'Settled' group by o.id`)
  return new Map(rows.map(({ code, paid }) => [String(code), Number(paid)]))
}

interface Journal {
  /** Paras by order: sales less refunds of all that was signed. */
  readonly signed: ReadonlyMap<string, number>
  readonly numbers: ReadonlyArray<string>
  readonly kinds: ReadonlyMap<string, number>
}

const readJournal = async ({ client }: Service): Promise<Journal> => {
  const [signed, kinds, numbers] = [new Map<string, number>(), new Map<string, number>(), [] as Array<string>]
  for await (const { clientReference, invoiceType, pfr, transactionType } of client.journal({ pageSize: 200 })) {
    if (pfr === null) continue
    numbers.push(pfr.invoiceNumber)
    const kind = `${invoiceType} ${transactionType}`
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    if (invoiceType !== "COPY") signed.set(clientReference, (signed.get(clientReference) ?? 0) + (transactionType === "SALE" ? 1 : -1) * Math.round(pfr.totalAmount * 100))
  }
  return { signed, kinds, numbers }
}

/** Until every order with a payment says that everything is signed. */
export const untilSigned = async (database: pg.Client): Promise<void> => {
  const deadline = Date.now() + 900_000
  for (;;) {
    const { rows } = await database.query(`select o.code, o."customFieldsReceiptstatus" as status from "order" o where exists (select from payment p where p."orderId" = o.id and p.state = 'Settled')
      and (o."customFieldsOveraisopen" is not false or o."customFieldsOveraheard" <> 1 + (select count(*) from payment p where p."orderId" = o.id and p.state = 'Settled')
        + (select count(*) from refund r join payment p on p.id = r."paymentId" where p."orderId" = o.id and r.state = 'Settled'))`)
    if (rows.length === 0) return
    if (Date.now() > deadline) throw new Error(`${rows.length} orders are not signed after fifteen minutes: ${JSON.stringify(rows.slice(0, 3))}`)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

interface Shown {
  readonly receiptNumber: string | null
  readonly receiptUrl: string | null
  readonly receiptPdf: string | null
}

/** What the storefront shows of an order: the number, the link and a PDF. */
const faultAtStorefront = async (shop: Vendure, { code, token }: Bought): Promise<string | null> => {
  const { data } = await shop.ask("shop-api", "query ($code: String!) { orderByCode(code: $code) { customFields { receiptNumber receiptUrl receiptPdf } } }", { code }, token)
  const { receiptNumber, receiptPdf, receiptUrl } = (data["orderByCode"] as { readonly customFields: Shown }).customFields
  if (receiptNumber === null || receiptUrl === null || receiptPdf === null) return `NOT SHOWN ${code}: ${receiptNumber} ${receiptUrl} ${receiptPdf}`
  const pdf = Buffer.from(await (await fetch(`${shop.url}${receiptPdf}`)).arrayBuffer())
  return pdf.subarray(0, 5).toString() === "%PDF-" ? null : `NO PDF ${code}: ${receiptPdf}`
}

/** Receipts whose mail with the PDF was not written; the queue of mails has a minute for the last ones. Copies have none. */
const unmailed = async (shop: Vendure, numbers: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const deadline = Date.now() + 60_000
  for (;;) {
    const mails = readdirSync(shop.mails).map((name) => readFileSync(join(shop.mails, name), "utf8"))
    const missing = numbers.filter((number) => !mails.some((mail) => mail.includes(`${number}.pdf`) && mail.includes("%PDF-")))
    if (missing.length === 0 || Date.now() > deadline) return missing
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

/**
 * Compares order by order; lines about what differs, and one about what there was. The engine does not take up again what its queue was sending when it
 * was killed: one mail for each kill may be missing.
 */
export const compare = async (shop: Vendure, service: Service, database: pg.Client, bought: ReadonlyArray<Bought>, kills: number) => {
  const [paid, { kinds, numbers, signed }, atAuthority] = [await paidByOrder(database), await readJournal(service), await service.signed()]
  const [shown, mailless]: [Array<string>, ReadonlyArray<string>] = [[], await unmailed(shop, numbers)]
  for (const one of bought.filter(({ isPlaced }) => isPlaced)) shown.push(...[await faultAtStorefront(shop, one)].flatMap((fault) => fault ?? []))
  const faults = [
    ...[...paid].filter(([code, paras]) => (signed.get(code) ?? 0) !== paras).map(([code, paras]) => `DIFFERENT ${code}: paid ${paras}, signed ${signed.get(code) ?? 0}`),
    ...[...signed.keys()].filter((code) => !paid.has(code)).map((code) => `NO SUCH ORDER ${code}`),
    ...(paid.size === bought.length ? [] : [`${bought.length} orders were bought, ${paid.size} are paid`]),
    ...(numbers.length === atAuthority ? [] : [`${numbers.length} receipts here, ${atAuthority} at the V-PFR`]),
    ...shown,
    ...(mailless.length <= kills ? [] : mailless.map((number) => `NO MAIL ${number}`))
  ]
  const total = [...paid.values()].reduce((sum, paras) => sum + paras, 0)
  const summary = `${paid.size} orders, ${(total / 100).toFixed(2)} dinars paid and kept, ${numbers.length} receipts here (${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ")}), ${atAuthority} at the V-PFR, ${readdirSync(shop.mails).length} mails, ${mailless.length} receipts without one`
  return { faults, summary }
}
