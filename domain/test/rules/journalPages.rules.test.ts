import { DateTime, Result } from "effect"
import * as fc from "fast-check"
import {
  compareInJournal,
  cursorBinding,
  encodeJournalCursor,
  isBehindCursor,
  journalPage,
  readJournalPlace
} from "../../src/journal/JournalCursor.ts"
import { type JournalFilter, matchesJournalFilter, readJournalFilter } from "../../src/journal/JournalFilter.ts"
import { journalLineOf } from "../../src/journal/JournalLine.ts"
import { journalSheetHead, journalSheetRow } from "../../src/journal/journalSheet.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import type { Tenant } from "../../src/tenancy/Caller.ts"
import { OrganizationId } from "../../src/tenancy/identifiers.ts"
import { journalOperation } from "../arbitraries/JournalOperation.ts"
import { signedAnswer } from "../arbitraries/Operation.ts"
import { decimal } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

const tenant: Tenant = { organizationId: OrganizationId.make("01900009-0000-7000-8000-00000000000a"), environment: "sandbox" }
const filterOf = (query: Record<string, string>): JournalFilter =>
  Result.getOrThrow(readJournalFilter(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))))

rule("JOURNAL-8", {
  says: "The journal runs from the latest operation to the earliest, of one moment from the greatest id to the least, and a page's cursor leads to the next " +
    "page of the same question alone.",
  source: "Decisions §5, Journal; Decisions §11"
}, ({ holdsForEvery }) => {
  const placed = (minute: number, id: number) =>
    ({ createdAt: DateTime.makeUnsafe(Date.UTC(2026, 7, 29, 10, minute)), id: `01900003-0000-7000-8000-00000000000${id}` })
  const orders = [
    { one: placed(2, 1), other: placed(1, 2), order: -1 },
    { one: placed(1, 2), other: placed(1, 1), order: -1 },
    { one: placed(1, 1), other: placed(1, 2), order: 1 },
    { one: placed(1, 1), other: placed(1, 1), order: 0 },
    { one: placed(1, 2), other: placed(2, 1), order: 1 }
  ]
  holdsForEvery("two operations of different or the same moment", orders, ({ one, order, other }) =>
    Math.sign(compareInJournal(one, other)) === order && isBehindCursor(one, other) === (order > 0))
  holdsForEvery("only one row more than a page leads on, from the page's last one", [[0, null], [1, null], [2, null], [3, 2]] as const, ([count, last]) => {
    const rows = Array.from({ length: count }, (_, at) => placed(9 - at, at + 1))
    const { items, nextCursor } = journalPage(rows, 2)
    return items.length === Math.min(count, 2) && (nextCursor?.id ?? null) === (last === null ? null : rows[last - 1]?.id) &&
      (last === null || nextCursor?.createdAt === rows[last - 1]?.createdAt)
  })
  const question = { status: "FISCALIZED", buyerId: null, text: "a" }
  const others = [
    [tenant, { ...question, text: "b" }],
    [{ ...tenant, environment: "production" as const }, question],
    [{ ...tenant, organizationId: OrganizationId.make("01900009-0000-7000-8000-00000000000b") }, question]
  ] as const
  holdsForEvery("the question is determined by its members, in whatever order", others, ([other, asked]) => {
    const own = cursorBinding(tenant, question)
    return own === "4bd25e6bc013c479" && own === cursorBinding(tenant, { text: "a", status: "FISCALIZED", buyerId: null }) && cursorBinding(other, asked) !== own
  })
  holdsForEvery("a cursor is taken for its own question and refused for another", ["0000000000000000", "ffffffffffffffff"], (asked) => {
    const text = encodeJournalCursor(placed(1, 7), "0000000000000000")
    const read = readJournalPlace({ cursor: [text], pageSize: ["7"] }, asked)
    return asked === "0000000000000000"
      ? Result.isSuccess(read) && read.success.cursor?.id === placed(1, 7).id && read.success.cursor.createdAt.epochMilliseconds === placed(1, 7).createdAt.epochMilliseconds &&
        read.success.pageSize === 7
      : Result.isFailure(read) && read.failure.faults.map(({ key }) => key).join() === "Cursor"
  })
  holdsForEvery("without a cursor the journal begins at its beginning", [{}], (query) => {
    const read = readJournalPlace(query, "0000000000000000")
    return Result.isSuccess(read) && read.success.cursor === null && read.success.pageSize === 50
  })
})

rule("JOURNAL-9", {
  says: "A range of signing times holds receipts alone, ids are compared in lower case, and the total tax of an export is the printed one, amounts have at least two decimals.",
  source: "Decisions §5, Journal; Decisions §1; V-PFR §6.3"
}, ({ holdsForEvery }) => {
  const [sample] = fc.sample(journalOperation, { numRuns: 1, seed: 3 }) as [Operation]
  const taxes = ["10.3082", "107.3266"].map((amount, at) => ({ label: at === 0 ? "Ђ" : "Е", category: "ПДВ", categoryType: 0, rate: decimal("20"), amount: decimal(amount) }))
  const receipt: Operation = {
    ...sample,
    status: "FISCALIZED",
    answer: { ...signedAnswer, taxes }
  }
  const ranges = [
    { query: { pfrFrom: "2026-08-29T10:00:01Z" }, holds: true },
    { query: { pfrFrom: "2026-08-29T10:00:02Z" }, holds: false },
    { query: { pfrTo: "2026-08-29T10:00:01Z" }, holds: false },
    { query: { pfrTo: "2026-08-29T10:00:02Z" }, holds: true },
    { query: {}, holds: true }
  ]
  holdsForEvery("from its lower bound up to its upper one", ranges, ({ holds: isHeld, query }) =>
    matchesJournalFilter(filterOf(query), receipt) === isHeld && matchesJournalFilter(filterOf(query), { ...receipt, answer: null }) === (Object.keys(query).length === 0))
  holdsForEvery("ids written in capitals", ["01900002-0000-7000-8000-00000000000A"], (id) => {
    const filter = filterOf({ taxpayerId: id, businessPremiseId: id })
    return filter.taxpayerId === id.toLowerCase() && filter.businessPremiseId === id.toLowerCase()
  })
  holdsForEvery("equal amounts are written alike, with two decimals or more", [["12.5", "12.50"], ["12.5000", "12.50"], ["7", "7.00"], ["10.3082", "10.3082"]] as const, ([amount, text]) => {
    const tax = { label: "Ђ", category: "ПДВ", categoryType: 0, rate: decimal("20"), amount: decimal(amount) }
    const cells = journalSheetRow(["Ђ"])(journalLineOf({ ...receipt, answer: { ...signedAnswer, taxes: [tax] } }))
    return cells[journalSheetHead(["Ђ"]).indexOf("tax.Ђ")] === text
  })
  holdsForEvery("10.3082 and 107.3266 are printed as 117.64", [[receipt, "117.64"], [{ ...receipt, answer: null }, ""]] as const, ([operation, text]) => {
    const cells = journalSheetRow(["Ђ"])(journalLineOf(operation))
    const head = journalSheetHead(["Ђ"])
    return cells[head.indexOf("printedTotalTax")] === text && cells[head.indexOf("tax.Ђ")] === (text === "" ? "" : "10.3082")
  })
})
