import { DateTime, Result } from "effect"
import { assert, describe, it } from "vitest"
import { type DeliveryFilter, matchesDeliveryFilter, readDeliveryFilter } from "../../src/delivery/DeliveryFilter.ts"
import { brokenLimit, deliveryLimits, recipientFault } from "../../src/delivery/deliverability.ts"
import { afterDeliveryAttempt, longestDeliveryMillis, transportWait } from "../../src/delivery/deliveryTransitions.ts"
import { type ReceiptDelivery, shownError } from "../../src/delivery/ReceiptDelivery.ts"

describe("what a mail server said, as it is shown", () => {
  it.each([
    ["550 5.1.1 <a@b.rs>: no such user", "550 5.1.1 (address) no such user"],
    ["  450\r\n\tgreylisted \u0000\u200b soon ", "450 greylisted soon"],
    ["mailbox full", "mailbox full"],
    ["", ""],
    ["x".repeat(300), "x".repeat(300)],
    ["x".repeat(301), `${"x".repeat(299)}…`],
    ["😀".repeat(301), `${"😀".repeat(299)}…`]
  ])("%j", (words, shown) => {
    assert.strictEqual(shownError(words), shown)
  })

  it("is kept with every outcome but a message that was taken", () => {
    const before = { attempts: 0, maybeTaken: 0 }
    assert.strictEqual(afterDeliveryAttempt(before, { _tag: "Unreachable", reason: "to a@b.rs: no route" }, 0).lastError, "to (address) no route")
    assert.strictEqual(afterDeliveryAttempt(before, { _tag: "Taken" }, 0).lastError, null)
  })
})

describe("the next attempt of a delivery", () => {
  const unreachable = { _tag: "Unreachable", reason: "no route" } as const

  it("comes after a minute where the server was not reached, which costs no attempt", () => {
    assert.deepInclude(afterDeliveryAttempt({ attempts: 3, maybeTaken: 0 }, unreachable, 0), { event: "deferred", attempts: 3, nextAttemptInMillis: transportWait })
  })

  it("comes as long as it lies within five days, and not a millisecond later", () => {
    const at = (age: number) => afterDeliveryAttempt({ attempts: 0, maybeTaken: 0 }, unreachable, age).event
    assert.strictEqual(at(longestDeliveryMillis - transportWait), "deferred")
    assert.strictEqual(at(longestDeliveryMillis - transportWait + 1), "exhausted")
  })

  it("is owed to a message that may have been taken once, however many came before, and not to one that may have been taken twice", () => {
    const maybe = { _tag: "MayBeTaken", reason: "the connection broke", recipientNamed: true } as const
    assert.deepInclude(afterDeliveryAttempt({ attempts: 9, maybeTaken: 0 }, maybe, 0), { event: "deferred", nextAttemptInMillis: transportWait })
    assert.deepInclude(afterDeliveryAttempt({ attempts: 1, maybeTaken: 1 }, maybe, 0), { event: "exhausted", failure: "UNCERTAIN" })
    assert.deepInclude(afterDeliveryAttempt({ attempts: 1, maybeTaken: 2 }, unreachable, 0), { event: "deferred", failure: null })
  })
})

describe("the limits of deliveries are reached, not passed", () => {
  const { deliveriesOfDocument, perHour, recipientsOfDocument } = deliveryLimits
  const none = { otherRecipients: 0, deliveriesOfDocument: 0, inLastHour: 0 }

  it.each([
    [{ otherRecipients: recipientsOfDocument - 1 }, null],
    [{ otherRecipients: recipientsOfDocument }, "DOCUMENT"],
    [{ deliveriesOfDocument: deliveriesOfDocument - 1 }, null],
    [{ deliveriesOfDocument }, "DOCUMENT"],
    [{ inLastHour: perHour.sandbox - 1 }, null],
    [{ inLastHour: perHour.sandbox }, "HOUR"]
  ])("%j: %s", (use, broken) => {
    assert.strictEqual(brokenLimit({ ...none, ...use }, "sandbox"), broken)
  })
})

describe("an address", () => {
  const domain = `${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.rs`

  it("may have 254 octets and no more", () => {
    const local = "a".repeat(64)
    const [longest, longer] = [254, 255].map((length) => `${local}@${"b".repeat(length - 65 - domain.length - 1)}.${domain}`)
    assert.strictEqual(recipientFault(longest ?? ""), undefined)
    assert.strictEqual(recipientFault(longer ?? ""), "must have at most 254 octets")
  })

  it("has something before its at sign", () => {
    for (const address of ["@example.rs", "example.rs", ""]) assert.match(recipientFault(address) ?? "", /must be one e-mail address/)
  })
})

describe("a list of deliveries", () => {
  const id = "0198A7E2-7A41-7CC2-9A6B-0F4A86D3C101"
  const delivery = {
    status: "SENT",
    fiscalDocumentId: id.toLowerCase(),
    recipient: "Kupac@Example.rs",
    createdAt: DateTime.makeUnsafe("2026-08-29T10:00:00Z")
  } as unknown as ReceiptDelivery
  const filterOf = (query: Readonly<Record<string, string>>): DeliveryFilter =>
    Result.getOrThrow(readDeliveryFilter(Object.fromEntries(Object.entries(query).map(([name, text]) => [name, [text]]))))

  it.each<readonly [Readonly<Record<string, string>>, boolean]>([
    [{}, true],
    [{ status: "SENT" }, true],
    [{ status: "QUEUED" }, false],
    [{ fiscalDocumentId: id }, true],
    [{ fiscalDocumentId: id.replace("0198", "0199") }, false],
    [{ recipient: "kupac@example.RS" }, true],
    [{ recipient: "kupac@example.com" }, false],
    [{ createdFrom: "2026-08-29T10:00:00Z" }, true],
    [{ createdTo: "2026-08-29T10:00:00Z" }, false],
    [{ pfrFrom: "2026-08-29T09:59:00.123Z" }, true],
    [{ pfrFrom: "2026-08-29T09:59:00.124Z" }, false],
    [{ pfrTo: "2026-08-29T09:59:00.124Z" }, true],
    [{ pfrTo: "2026-08-29T09:59:00.123Z" }, false],
    [{ status: "SENT", recipient: "kupac@example.com" }, false]
  ])("%j: %s", (query, matches) => {
    assert.strictEqual(matchesDeliveryFilter(filterOf(query), delivery, "2026-08-29T11:59:00.123+02:00"), matches)
  })

  it("asks for an address in small letters, as a store compares it: ß is not SS", () => {
    assert.strictEqual(filterOf({ recipient: "Kupac@Straße.RS" }).recipient, "kupac@straße.rs")
    assert.isFalse(matchesDeliveryFilter(filterOf({ recipient: "kupac@strasse.rs" }), { ...delivery, recipient: "kupac@straße.rs" }, null))
  })

  it("by the time of signing finds none of a receipt that is not known", () => {
    assert.isFalse(matchesDeliveryFilter(filterOf({ pfrTo: "9999-01-01T00:00:00Z" }), delivery, null))
    assert.isTrue(matchesDeliveryFilter(filterOf({}), delivery, null))
  })

  it("finds no erased address", () => {
    assert.isFalse(matchesDeliveryFilter(filterOf({ recipient: "kupac@example.rs" }), { ...delivery, recipient: null }, null))
  })

  it("names everything that is wrong with it at once", () => {
    const read = readDeliveryFilter({ status: ["LOST"], fiscalDocumentId: ["1"], recipient: ["nobody"], createdFrom: ["soon"], pfrTo: ["late"] })
    assert.isTrue(Result.isFailure(read) && read.failure.faults.length === 5)
  })
})
