import type pg from "pg"
import type { Bought, Engine } from "./Engine.ts"
import type { Installation } from "./Installation.ts"

interface Journal {
  /** Paras by order: sales less refunds of all that was signed. */
  readonly signed: ReadonlyMap<string, number>
  readonly numbers: ReadonlyArray<string>
  readonly kinds: ReadonlyMap<string, number>
}

const readJournal = async ({ client }: Installation): Promise<Journal> => {
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

/** Until every order with a payment says that everything is signed; meanwhile an operator decides what no search finds. Answers how many outcomes that were. */
export const untilSigned = async (engine: Engine, database: pg.Client, service: Installation): Promise<number> => {
  const deadline = Date.now() + 1_800_000
  let decided = 0
  for (let seconds = 1;; seconds += 1) {
    const unsigned = await engine.unsigned(database)
    if (unsigned.length === 0) return decided
    if (seconds % 60 === 0) decided += await service.decideUnsigned()
    if (Date.now() > deadline) throw new Error(`${unsigned.length} orders are not signed after thirty minutes: ${JSON.stringify(unsigned.slice(0, 3))}`)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

/** Compares order by order; lines about what differs, and one about what there was. Copies have no mail. */
export const compare = async (engine: Engine, service: Installation, database: pg.Client, bought: ReadonlyArray<Bought>, kills: number) => {
  const [paid, { kinds, numbers, signed }, atAuthority] = [await engine.paidByOrder(database), await readJournal(service), await service.signed()]
  const shown: Array<string> = []
  for (const one of bought) shown.push(...[await engine.faultAtStorefront(one)].flatMap((fault) => fault ?? []))
  const faults = [
    ...[...paid].filter(([code, paras]) => (signed.get(code) ?? 0) !== paras).map(([code, paras]) => `DIFFERENT ${code}: paid ${paras}, signed ${signed.get(code) ?? 0}`),
    ...[...signed.keys()].filter((code) => !paid.has(code)).map((code) => `NO SUCH ORDER ${code}`),
    ...(paid.size === bought.length ? [] : [`${bought.length} orders were bought, ${paid.size} are paid`]),
    ...(numbers.length === atAuthority ? [] : [`${numbers.length} receipts here, ${atAuthority} at the V-PFR`]),
    ...shown,
    ...(await engine.unmailed(numbers, kills)).map((number) => `NO MAIL ${number}`)
  ]
  const total = [...paid.values()].reduce((sum, paras) => sum + paras, 0)
  const summary = `${paid.size} orders, ${(total / 100).toFixed(2)} dinars paid and kept, ${numbers.length} receipts here (${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(", ")}), ${atAuthority} at the V-PFR`
  return { faults, summary }
}
