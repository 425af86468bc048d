import { BigDecimal, DateTime, Option, Result } from "effect"
import * as fc from "fast-check"
import { PaymentType } from "../../src/documents/LineItem.ts"
import {
  compareInJournal,
  decodeJournalCursor,
  encodeJournalCursor,
  isBehindCursor,
  cursorBinding,
  type JournalCursor,
  journalPage,
  readJournalPlace
} from "../../src/journal/JournalCursor.ts"
import { type JournalFilter, matchesJournalFilter, readJournalFilter } from "../../src/journal/JournalFilter.ts"
import { journalLineOf } from "../../src/journal/JournalLine.ts"
import { checkExportSize, journalExportLimit, journalSheetHead, journalSheetRow, journalWorkbookRow } from "../../src/journal/journalSheet.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { guardText } from "../../src/spreadsheets/Sheet.ts"
import type { Tenant } from "../../src/tenancy/Caller.ts"
import { OrganizationId } from "../../src/tenancy/identifiers.ts"
import { pfrInstant } from "../../src/time/PfrTime.ts"
import { journalHistory, journalOperation, moment } from "../arbitraries/JournalOperation.ts"
import { fiscalDocumentId } from "../arbitraries/ReferencedDocument.ts"
import { decimal, lineOf } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

const tenant: Tenant = { organizationId: OrganizationId.make("01900009-0000-7000-8000-00000000000a"), environment: "sandbox" }
const binding = cursorBinding(tenant, Result.getOrThrow(readJournalFilter({})))

const iso = (instant: DateTime.Utc): string => DateTime.formatIso(instant)
const filterOf = (query: Record<string, string>): JournalFilter =>
  Result.getOrThrow(readJournalFilter(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))))

rule("JOURNAL-1", {
  says: "A time filter begins with its lower bound and ends before its upper one: ranges that meet hold every operation exactly once.",
  source: "Spec, Limits (time filters); Spec, Operations known by name only"
}, ({ holds }) => {
  const given = { operation: journalOperation, times: fc.tuple(moment, moment, moment) }
  const ordered = (times: ReadonlyArray<DateTime.Utc>): ReadonlyArray<string> =>
    times.toSorted((one, other) => one.epochMilliseconds - other.epochMilliseconds).map(iso)
  const held = (operation: Operation, name: string, times: ReadonlyArray<string>): ReadonlyArray<boolean> => {
    const [a = "", b = "", c = ""] = times
    return [[a, b], [b, c], [a, c]].map(([from = "", to = ""]) =>
      matchesJournalFilter(filterOf({ [`${name}From`]: from, [`${name}To`]: to }), operation))
  }
  holds("on the creation time: of two ranges that meet, one operation of the whole is in exactly one", given, ({ operation, times }) => {
    const [first, second, whole] = held(operation, "created", ordered(times))
    return whole === (first !== second) && !(first === true && second === true)
  })
  holds("on the signing time alike; what is not signed is in no range", given, ({ operation, times }) => {
    const [first, second, whole] = held(operation, "pfr", ordered(times))
    return whole === (first !== second) && !(first === true && second === true) && (operation.answer !== null || whole === false)
  })
  holds("its very own time is a lower bound that holds it and an upper one that does not", { operation: journalOperation }, ({ operation }) => {
    const at = operation.answer === null ? Option.none() : pfrInstant(operation.answer.pfr.sdcTime)
    return matchesJournalFilter(filterOf({ createdFrom: iso(operation.createdAt) }), operation) &&
      !matchesJournalFilter(filterOf({ createdTo: iso(operation.createdAt) }), operation) &&
      (Option.isNone(at) || (matchesJournalFilter(filterOf({ pfrFrom: iso(at.value) }), operation) &&
        !matchesJournalFilter(filterOf({ pfrTo: iso(at.value) }), operation)))
  })
})

rule("JOURNAL-2", {
  says: "Every filter narrows the journal to what it asks for, and several together ask for all of it.",
  source: "Decisions §5, Journal"
}, ({ holds, holdsForEvery }) => {
  const fields: ReadonlyArray<{ name: string; of: (operation: Operation) => string | null }> = [
    { name: "taxpayerId", of: (one) => one.taxpayerId },
    { name: "businessPremiseId", of: (one) => one.businessPremiseId },
    { name: "status", of: (one) => one.status },
    { name: "invoiceType", of: (one) => one.content.invoiceType },
    { name: "transactionType", of: (one) => one.content.transactionType },
    { name: "clientReference", of: (one) => one.content.clientReference },
    { name: "pfrNumber", of: (one) => one.answer?.pfr.invoiceNumber ?? null },
    { name: "buyerId", of: (one) => one.content.buyer?.id ?? null },
    { name: "cashierId", of: (one) => one.content.cashier.id }
  ]
  holds("asked for the value of one operation, another is found exactly when it has the same", {
    field: fc.constantFrom(...fields),
    wanted: journalOperation,
    other: journalOperation
  }, ({ field, wanted, other }) => {
    const value = field.of(wanted)
    return value === null || matchesJournalFilter(filterOf({ [field.name]: value }), other) === (field.of(other) === value)
  })
  holds("two filters find what both find", { operation: journalOperation, one: fc.constantFrom(...fields), other: fc.constantFrom(...fields), wanted: journalOperation },
    ({ operation, one, other, wanted }) => {
      const asks = [one, other].flatMap((field) => {
        const value = field.of(wanted)
        return value === null ? [] : [{ [field.name]: value }]
      })
      return matchesJournalFilter(filterOf(Object.assign({}, ...asks)), operation) ===
        asks.every((ask) => matchesJournalFilter(filterOf(ask), operation))
    })
  holds("a text is found in any letter case, in the reference as in the cashier", { operation: journalOperation, at: fc.nat(), length: fc.integer({ min: 1, max: 5 }) },
    ({ operation, at, length }) =>
      [operation.content.clientReference, "ana", "Бојан"].every((text) => {
        const start = at % text.length
        const part = text.slice(start, start + length).toUpperCase()
        const hasIt = operation.content.clientReference.toUpperCase().includes(part) ||
          operation.content.cashier.id.toUpperCase().includes(part)
        return !hasIt || matchesJournalFilter(filterOf({ text: part }), operation)
      }))
  holds("a text is found wherever a document says it, and nowhere else", { operation: journalOperation }, ({ operation }) => {
    const said = { ...operation, content: { ...operation.content, items: [lineOf("1", "1", { name: "Чај од камилице" })] } }
    const nameOf = (legalName: string): Operation => ({
      ...said,
      buyerDetails: {
        legalName,
        taxIdentifier: "101670560",
        registrationNumber: null,
        address: null,
        city: null,
        source: "NBS",
        resolvedAt: operation.createdAt
      }
    })
    return matchesJournalFilter(filterOf({ text: "КАМИЛИЦЕ" }), said) && !matchesJournalFilter(filterOf({ text: "нана" }), said) &&
      matchesJournalFilter(filterOf({ text: "kamilice" }), said) && !matchesJournalFilter(filterOf({ text: "нана" }), nameOf("Нана ДОО")) &&
      matchesJournalFilter(filterOf({ text: "abcd1234-AB" }), said) === (operation.answer !== null) && matchesJournalFilter(filterOf({ text: "1234-abcd" }), said) === (operation.answer !== null) &&
      !matchesJournalFilter(filterOf({ text: "1234-ABCD-" }), said) &&
      matchesJournalFilter(filterOf({ text: "101670560" }), said) === (operation.content.buyer?.id === "10:101670560")
  })
  holdsForEvery("a filter that is not given asks for nothing", [{}], (query) =>
    Object.values(filterOf(query)).every((asked) => asked === null || JSON.stringify(asked) === "{\"from\":null,\"to\":null}"))
})

rule("JOURNAL-3", {
  says: "A filter that no operation could ever match by its form is refused, all faults at once.",
  source: "Decisions §1 (queries: 422 problem), §10"
}, ({ holdsForEvery }) => {
  const queries: ReadonlyArray<{ query: Record<string, ReadonlyArray<string>>; keys: string }> = [
    { query: { taxpayerId: ["x"], businessPremiseId: ["y"] }, keys: "TaxpayerId,BusinessPremiseId" },
    { query: { status: ["fiscalized"], invoiceType: ["INVOICE"], transactionType: [""] }, keys: "Status,InvoiceType,TransactionType" },
    { query: { clientReference: ["a".repeat(201)], text: [""] }, keys: "ClientReference,Text" },
    { query: { clientReference: ["😀".repeat(200)] }, keys: "" },
    { query: { pfrFrom: ["2026-02-30T00:00:00Z"], createdTo: ["2026-08-29T12:00:00"] }, keys: "PfrFrom,CreatedTo" },
    { query: { createdFrom: ["2026-08-29T12:00:00Z"], createdTo: ["2026-08-29T13:59:59+02:00"] }, keys: "CreatedTo" },
    { query: { createdFrom: ["2026-08-29T12:00:00Z"], createdTo: ["2026-08-29T14:00:00+02:00"] }, keys: "" }
  ]
  holdsForEvery("each query is read or refused on exactly these parameters", queries, ({ query, keys }) => {
    const read = readJournalFilter(query)
    return (Result.isFailure(read) ? read.failure.faults.map((fault) => fault.key).join() : "") === keys
  })
})

/** The pages of a journal, requested one after the other with the cursor of each answer. */
const pagesOf = (journal: ReadonlyArray<Operation>, pageSize: number): ReadonlyArray<ReadonlyArray<Operation>> => {
  const pages: Array<ReadonlyArray<Operation>> = []
  let cursor: JournalCursor | null = null
  for (;;) {
    const rows = journal.filter((one) => isBehindCursor(one, cursor)).sort(compareInJournal).slice(0, pageSize + 1)
    const page = journalPage(rows, pageSize)
    pages.push(page.items)
    if (page.nextCursor === null) return pages
    cursor = page.nextCursor
  }
}

rule("JOURNAL-4", {
  says: "The journal runs by creation time and then id, descending; its pages together hold every operation once, also when others are " +
    "issued meanwhile.",
  source: "Spec, Limits (pagination)"
}, ({ holds }) => {
  const given = { journal: journalHistory, pageSize: fc.integer({ min: 1, max: 5 }) }
  holds("the pages are the whole journal in order, none larger than asked for and only the last one smaller", given, ({ journal, pageSize }) => {
    const pages = pagesOf(journal, pageSize)
    const ids = pages.flat().map((one) => one.id)
    const inOrder = pages.flat().every((one, at, all) => at === 0 || (all[at - 1] as Operation).createdAt.epochMilliseconds > one.createdAt.epochMilliseconds ||
      ((all[at - 1] as Operation).createdAt.epochMilliseconds === one.createdAt.epochMilliseconds && (all[at - 1] as Operation).id > one.id))
    return inOrder && ids.length === journal.length && new Set(ids).size === ids.length &&
      pages.slice(0, -1).every((page) => page.length === pageSize) && (pages.at(-1)?.length ?? 0) <= pageSize
  })
  holds("what is created after the first page is on no later one and moves nothing", { ...given, later: journalOperation }, ({ journal, pageSize, later }) => {
    const [first = []] = pagesOf(journal, pageSize)
    const last = first.at(-1)
    const newest = { ...later, createdAt: DateTime.makeUnsafe("2030-01-01T00:00:00Z") }
    return last === undefined ||
      (!isBehindCursor(newest, last) && [...journal, newest].filter((one) => isBehindCursor(one, last)).length === journal.length - first.length)
  })
})

rule("JOURNAL-5", {
  says: "A cursor is opaque, survives the way to the caller and back, and is refused when the service never wrote it for these filters, this " +
    "organization and this environment; a page has 1 to 200 operations, 50 unless said otherwise.",
  source: "Spec, Limits (page size, pagination); Decisions §5, Journal; Decisions §11"
}, ({ holds, holdsForEvery }) => {
  const tenants = [tenant, { ...tenant, environment: "production" as const }, { ...tenant, organizationId: OrganizationId.make("01900009-0000-7000-8000-00000000000b") }]
  const asked = fc.record({ tenant: fc.constantFrom(...tenants), query: fc.dictionary(fc.constantFrom("cashierId", "text", "clientReference"), fc.constantFrom("a", "b", "c\",\"d"), { maxKeys: 3 }), created: fc.constantFrom({}, { createdFrom: "2026-01-01T00:00:00Z" }, { createdTo: "2026-01-01T00:00:00Z" }, { pfrFrom: "2026-01-01T00:00:00Z" }) })
  holds("a cursor opens only what it was written for", { createdAt: moment, id: fiscalDocumentId, one: asked, other: asked }, ({ createdAt, id, one, other }) => {
    const bindings = [one, other].map((of) => cursorBinding(of.tenant, filterOf({ ...of.query, ...of.created })))
    const same = JSON.stringify([one.tenant, Object.entries(one.query).sort(), one.created]) === JSON.stringify([other.tenant, Object.entries(other.query).sort(), other.created])
    return Option.isSome(decodeJournalCursor(encodeJournalCursor({ createdAt, id }, bindings[0] ?? ""), bindings[1] ?? "")) === same
  })
  holds("there and back is the same place, and it needs no escaping in a URL", { createdAt: moment, id: fiscalDocumentId }, (cursor) => {
    const text = encodeJournalCursor(cursor, binding)
    const back = Option.getOrNull(decodeJournalCursor(text, binding))
    return encodeURIComponent(text) === text && back?.id === cursor.id && back.createdAt.epochMilliseconds === cursor.createdAt.epochMilliseconds
  })
  holds("no other text is taken for one", { text: fc.oneof(fc.string(), fc.base64String(), fc.uuid()) }, ({ text }) =>
    Option.isNone(decodeJournalCursor(text, binding)))
  holds("nor is a cursor with a letter more", { createdAt: moment, id: fiscalDocumentId, more: fc.constantFrom("=", "A", " ", "!") },
    ({ more, ...cursor }) => Option.isNone(decodeJournalCursor(encodeJournalCursor(cursor, binding) + more, binding)))
  const sizes = [
    { query: {}, size: 50 },
    { query: { pageSize: ["1"] }, size: 1 },
    { query: { pageSize: ["200"] }, size: 200 },
    { query: { pageSize: ["0"] }, size: null },
    { query: { pageSize: ["201"] }, size: null },
    { query: { pageSize: ["1.5"] }, size: null },
    { query: { cursor: ["elsewhere"] }, size: null }
  ]
  holdsForEvery("page sizes", sizes, ({ query, size }) => {
    const place = readJournalPlace(query, binding)
    return Result.isSuccess(place) ? place.success.pageSize === size : size === null
  })
})

rule("JOURNAL-6", {
  says: "An export holds at most 10,000 operations; more are refused, never cut off.",
  source: "Spec, Limits; Spec, Errors, Catalogue",
  proves: ["JOURNAL_EXPORT_RESULT_LIMIT_EXCEEDED"]
}, ({ holdsForEvery }) => {
  const counted = [{ matching: 0, fits: true }, { matching: 10_000, fits: true }, { matching: 10_001, fits: false }]
  holdsForEvery("one more than the limit is refused", counted, ({ matching, fits }) => {
    const answer = checkExportSize(matching)
    return fits ? Result.isSuccess(answer) : Result.isFailure(answer) &&
      answer.failure.code === "JOURNAL_EXPORT_RESULT_LIMIT_EXCEEDED" && answer.failure.limit === journalExportLimit
  })
})

rule("JOURNAL-7", {
  says: "An export has one row for each operation, with a column for every payment type and tax label; no cell of it runs as a formula.",
  source: "Decisions §5, Journal; Decisions §11"
}, ({ holds, holdsForEvery }) => {
  const labels = ["A", "Ђ", "="]
  const head = journalSheetHead(labels)
  const cellsOf = (operation: Operation) => {
    const cells = journalSheetRow(labels)(journalLineOf(operation))
    return (name: string): string => cells[head.indexOf(name)] ?? "absent"
  }
  holds("each row has the columns of the head, and the facts under their names", { journal: journalHistory }, ({ journal }) =>
    journal.every((operation) => {
      const cell = cellsOf(operation)
      return journalSheetRow(labels)(journalLineOf(operation)).length === head.length && cell("id") === operation.id && cell("status") === operation.status &&
        cell("clientReference") === guardText(operation.content.clientReference) && cell("cashierId") === guardText(operation.content.cashier.id) &&
        cell("pfrNumber") === (operation.answer?.pfr.invoiceNumber ?? "")
    }))
  holds("a workbook has the same cells, texts without a guard and amounts as numbers", { operation: journalOperation }, ({ operation }) => {
    const line = journalLineOf(operation)
    return journalWorkbookRow(labels)(line).every((cell, at) => {
      const written = journalSheetRow(labels)(line)[at] ?? ""
      if (cell === null) return written === ""
      return typeof cell === "string" ? written === guardText(cell) : BigDecimal.equals(decimal(written), cell)
    })
  })
  holds("payments of one type are summed in its column, signed taxes stand under their label", { operation: journalOperation }, ({ operation }) => {
    const cell = cellsOf(operation)
    const paid = operation.content.payments.reduce((sum, { amount }) => BigDecimal.sum(sum, amount), decimal("0"))
    const shown = PaymentType.literals.map((type) => cell(`payment.${type}`)).filter((text) => text !== "")
    return BigDecimal.equals(BigDecimal.sumAll(shown.map(decimal)), paid) && labels.every((label) => {
      const tax = operation.answer?.taxes.find((one) => one.label === label)
      return tax === undefined ? cell(`tax.${label}`) === "" : BigDecimal.equals(decimal(cell(`tax.${label}`)), tax.amount)
    })
  })
  holds("whatever a caller writes, no cell begins like a formula", { operation: journalOperation, text: fc.string({ minLength: 1 }), lead: fc.constantFrom("=", "+", "-", "@", "\t=", " =", "\r", "＝", "") },
    ({ operation, text, lead }) => {
      const cell = cellsOf({ ...operation, content: { ...operation.content, clientReference: lead + text } })("clientReference")
      return !/^\s*[=+\-@＝＋－＠]/u.test(cell) && !/^[\t\r\n]/.test(cell)
    })
  const amounts = [["10", "10.00"], ["0.1", "0.10"], ["1234567.89", "1234567.89"], ["1.005", "1.005"]] as const
  holdsForEvery("amounts have a point and at least two decimals", amounts, ([amount, text]) => {
    const [sample] = fc.sample(journalOperation, { numRuns: 1, seed: 1 }) as [Operation]
    return cellsOf({ ...sample, content: { ...sample.content, items: [], payments: [{ type: "CARD", amount: decimal(amount) }] } })("payment.CARD") === text
  })
})
