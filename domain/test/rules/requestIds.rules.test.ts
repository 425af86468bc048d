import * as fc from "fast-check"
import { derivedRequestId, isSameAttempt, nextRequestIds, possibleRequestIds } from "../../src/operations/derivedRequestId.ts"
import type { Operation } from "../../src/operations/Operation.ts"
import { FiscalDocumentId, OrganizationId } from "../../src/tenancy/identifiers.ts"
import { operationOf } from "../arbitraries/Operation.ts"
import { rule } from "./ruleBook.ts"

interface Facts {
  readonly organizationId: string
  readonly environment: "sandbox" | "production"
  readonly key: string
  readonly pfrNumber: string
  readonly serial: number
}

const facts = fc.record<Facts>({
  organizationId: fc.constantFrom("01900000-0000-7000-8000-000000000001", "01900000-0000-7000-8000-000000000002"),
  environment: fc.constantFrom("sandbox", "production"),
  key: fc.constantFrom("a:copy", "a", "a\",\"1", "1", "ж"),
  pfrNumber: fc.constantFrom("A-A-1", "A-A-11", "1"),
  serial: fc.integer({ min: 1, max: 12 })
})

/** The copy of a cash refund with these facts. */
const copyOf = ({ environment, key, organizationId, pfrNumber }: Omit<Facts, "serial">): Operation => {
  const base = operationOf({ organizationId: OrganizationId.make(organizationId), environment })
  const reference = { source: "SVC", pfrNumber } as unknown as Operation["content"]["reference"]
  return { ...base, boundKey: { ...base.boundKey, role: "INNER", key }, content: { ...base.content, invoiceType: "COPY", transactionType: "REFUND", reference } }
}

const copy = copyOf({ organizationId: "01900000-0000-7000-8000-000000000001", environment: "sandbox", key: "a:copy", pfrNumber: "A-A-1" })
const idOf = (given: Facts): string | null => derivedRequestId(copyOf(given), given.serial)

rule("REQUESTID-1", {
  says: "The RequestId of a copy or final sale that the service sends is computed from organization, environment, key, the referenced receipt and a number: the same facts give the same RequestId, others another one.",
  source: "Decisions §4; docs/adr/0121"
}, ({ holds, holdsForEvery }) => {
  holds("of any two documents", { one: facts, other: facts }, ({ one, other }) => (idOf(one) === idOf(other)) === (JSON.stringify(one) === JSON.stringify(other)), { cases: 2_000 })
  holds("32 hex characters", { one: facts }, ({ one }) => /^[0-9a-f]{32}$/.test(idOf(one) ?? ""))
  const lost = { ...copy, id: FiscalDocumentId.make("01900003-0000-7000-8000-00000000000f"), clientId: "another", attempt: 3 }
  holdsForEvery("whatever else changes when the row is lost and made again", [1, 2, 40], (serial) => derivedRequestId(lost, serial) === derivedRequestId(copy, serial))
  holdsForEvery("for ever: these are the RequestIds of this release", [[1, "38b3833c64dbf7b052efea305eed7318"], [2, "2021b921b561099374e9d75c24b36f13"]] as const, ([serial, id]) => derivedRequestId(copy, serial) === id)
  const byCallers: ReadonlyArray<Operation> = [
    { ...copy, boundKey: { ...copy.boundKey, role: "REQUEST" } },
    { ...copy, content: { ...copy.content, invoiceType: "NORMAL" } },
    { ...copy, content: { ...copy.content, reference: null } }
  ]
  holdsForEvery("of no document that a caller sends, and of none without its reference", byCallers, (one) => derivedRequestId(one, 1) === null && nextRequestIds(one, 1, [], 3).length === 0)
})

rule("REQUESTID-2", {
  says: "The next attempts of such a document have the RequestIds from their number on, without those that stored attempts have.",
  source: "docs/adr/0121"
}, ({ holds, holdsForEvery }) => {
  const given = { number: fc.integer({ min: 1, max: 5 }), count: fc.integer({ min: 1, max: 8 }), taken: fc.uniqueArray(fc.integer({ min: 1, max: 16 }), { maxLength: 6 }) }
  holds("any stored attempts", given, ({ count, number, taken }) => {
    const expected = Array.from({ length: 30 }, (_, at) => number + at).filter((serial) => !taken.includes(serial)).slice(0, count)
    const stored = [...taken.map((serial) => ({ requestId: derivedRequestId(copy, serial) ?? "" })), { requestId: "0".repeat(32) }]
    return nextRequestIds(copy, number, stored, count).join() === expected.map((serial) => derivedRequestId(copy, serial)).join()
  })
  const pairs = [[{ requestId: "a", mark: "1" }, true], [{ requestId: "a", mark: "2" }, false], [{ requestId: "a", mark: null }, false], [{ requestId: "b", mark: "1" }, false]] as const
  holdsForEvery("with one RequestId, attempts of two processes differ by their mark", pairs, ([other, same]) => isSameAttempt({ requestId: "a", mark: "1" }, other) === same)
})

rule("REQUESTID-3", {
  says: "An attempt that was lost with the key of such a document is the document's own only under a RequestId that is derived from it: another one refers to another receipt.",
  source: "docs/adr/0121"
}, ({ holds, holdsForEvery }) => {
  holds("of any two documents", { one: facts, other: facts }, ({ one, other }) =>
    (possibleRequestIds(copyOf(one))?.has(idOf(other) ?? "") === true) === (JSON.stringify({ ...one, serial: 1 }) === JSON.stringify({ ...other, serial: 1 })), { cases: 200 })
  holdsForEvery("every other document may have any", [{ ...copy, boundKey: { ...copy.boundKey, role: "REQUEST" } }, { ...copy, content: { ...copy.content, reference: null } }] as ReadonlyArray<Operation>, (one) => possibleRequestIds(one) === null)
})
