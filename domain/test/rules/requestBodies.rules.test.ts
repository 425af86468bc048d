import { BigDecimal, Result } from "effect"
import * as fc from "fast-check"
import { keyOf, pointerOf } from "../../src/requests/Fault.ts"
import { decodeNormalSale } from "../../src/requests/FiscalDocumentRequest.ts"
import { decodeIdempotencyKey } from "../../src/idempotency/boundKey.ts"
import { codePoints } from "../../src/requests/fields.ts"
import { UnrepresentableNumber } from "../../src/requests/bodyTree.ts"
import {
  externalCopyBody,
  faultsOf,
  hasFaultAt,
  isAccepted,
  isOnlyFaultAt,
  itemBody,
  saleBody,
  validSale,
  withAt
} from "../arbitraries/SaleBody.ts"
import { decimal } from "../arbitraries/SaleLine.ts"
import { rule } from "./ruleBook.ts"

type Place = ReadonlyArray<string | number>

const required: ReadonlyArray<Place> = [
  ["taxpayerId"],
  ["businessPremiseId"],
  ["clientReference"],
  ["invoiceType"],
  ["transactionType"],
  ["cashier"],
  ["cashier", "id"],
  ["items"],
  ["items", 0, "name"],
  ["items", 0, "unitOfMeasure"],
  ["items", 0, "quantity"],
  ["items", 0, "unitPrice"],
  ["items", 0, "taxLabels"],
  ["payments"],
  ["payments", 0, "type"],
  ["payments", 0, "amount"]
]

const optional: ReadonlyArray<Place> = [
  ["cashier", "displayName"],
  ["items", 0, "unitPriceBeforeDiscount"],
  ["items", 0, "gtin"],
  ["items", 0, "catalogProductId"],
  ["buyer"],
  ["buyer", "id"],
  ["buyer", "optionalField"],
  ["commercialFooter"],
  ["metadata"],
  ["reference"],
  ["transactionOccurredAt"]
]

const texts: ReadonlyArray<Place> = [
  ["clientReference"],
  ["cashier", "id"],
  ["cashier", "displayName"],
  ["items", 0, "name"],
  ["items", 0, "unitOfMeasure"],
  ["items", 0, "gtin"],
  ["items", 0, "taxLabels", 0],
  ["buyer", "id"],
  ["buyer", "optionalField"],
  ["commercialFooter"]
]

const objects: ReadonlyArray<Place> = [[], ["cashier"], ["items", 0], ["payments", 0], ["buyer"]]

const refusedAt = (path: Place, value: unknown): boolean => hasFaultAt(withAt(saleBody, path, value), pointerOf(path))

rule("BODY-1", {
  says: "A field the request does not know is refused at its place, so that a misspelt one does not vanish from a fiscal document.",
  source: "Decisions §1, unknown body fields"
}, ({ holdsForEvery, holds }) => {
  holdsForEvery("in the body and in every object of it", objects,
    (path) => isOnlyFaultAt(withAt(saleBody, [...path, "unitprice"], "x"), pointerOf([...path, "unitprice"]), keyOf([...path, "unitprice"])))
  holds("whatever its name", { name: fc.string({ maxLength: 12 }).filter((name) => !(name in saleBody) && name !== "__proto__" && ![...optional].some(([at]) => at === name)) },
    ({ name }) => hasFaultAt(withAt(saleBody, [name], "x"), pointerOf([name])))
})

rule("BODY-2", {
  says: "A required field must be there and not null; an optional one may be null, which means absent.",
  source: "Spec, fiscal-documents; Decisions §1, null"
}, ({ holdsForEvery }) => {
  holdsForEvery("a missing required field is the only fault, under its own key", required,
    (path) => isOnlyFaultAt(withAt(saleBody, path, undefined), pointerOf(path), keyOf(path)))
  holdsForEvery("null in a required field is refused like its absence", required, (path) => refusedAt(path, null))
  holdsForEvery("null in an optional field changes nothing", optional, (path) => isAccepted(withAt(saleBody, path, null)))
})

rule("BODY-3", {
  says: "A text is never empty, except a value of the metadata; it holds no control characters, except newlines in the footer.",
  source: "Decisions §1, empty strings and control characters"
}, ({ holdsForEvery, holds }) => {
  holdsForEvery("an empty text is refused wherever a text is read", texts, (path) => refusedAt(path, ""))
  holds("any control character is refused in any text",
    {
      path: fc.constantFrom(...texts),
      control: fc.oneof(fc.integer({ min: 0, max: 0x1f }), fc.integer({ min: 0x7f, max: 0x9f })).filter((code) => code !== 0x0a)
    },
    ({ path, control }) => refusedAt(path, `a${String.fromCharCode(control)}b`))
  holdsForEvery("a line feed is accepted in the footer alone", texts,
    (path) => refusedAt(path, "a\nb") === (path[0] !== "commercialFooter"))
  holdsForEvery("a newline of a text area, CRLF, is one too, and is kept as LF; a carriage return without its line feed is none", ["a\r\nb\r\n\r\nc"], (footer) => {
    const read = decodeNormalSale({ ...saleBody, commercialFooter: footer }, { environment: "production" })
    return texts.every((path) => refusedAt(path, footer) === (path[0] !== "commercialFooter")) && refusedAt(["commercialFooter"], "a\rb") &&
      refusedAt(["commercialFooter"], "a\r") && Result.isSuccess(read) && read.success.commercialFooter === "a\nb\n\nc"
  })
  holdsForEvery("an empty metadata value is accepted, an empty metadata name is not", [""],
    (empty) => isAccepted({ ...saleBody, metadata: { note: empty } }) && !isAccepted({ ...saleBody, metadata: { [empty]: "x" } }))
})

const bounds: ReadonlyArray<{ readonly path: Place; readonly longest: number; readonly letter?: string }> = [
  { path: ["clientReference"], longest: 200 },
  { path: ["cashier", "id"], longest: 50 },
  { path: ["cashier", "displayName"], longest: 100 },
  { path: ["items", 0, "unitOfMeasure"], longest: 50 },
  { path: ["commercialFooter"], longest: 2000 },
  { path: ["metadata", "note"], longest: 500 }
]

rule("BODY-4", {
  says: "Lengths are counted in characters (code points), whatever each takes in memory, and are neither trimmed nor normalized.",
  source: "Spec, Limits; Decisions §1, Bounds"
}, ({ holds, holdsForEvery }) => {
  for (const [kind, letter] of [["Latin", "a"], ["Cyrillic", "Ш"], ["beyond the first plane", "𐐀"], ["combining", "\u0301"]] as const) {
    holdsForEvery(`${kind}: the longest text is accepted, one character more is not`, bounds, ({ path, longest }) =>
      isAccepted(withAt(saleBody, path, letter.repeat(longest))) && refusedAt(path, letter.repeat(longest + 1)))
  }
  holds("whatever its halves of pairs, a text has as many characters as it is read in",
    { codes: fc.array(fc.constantFrom(0x61, 0x448, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000), { maxLength: 8 }) },
    ({ codes }) => codePoints(String.fromCharCode(...codes)) === [...String.fromCharCode(...codes)].length)
  holdsForEvery("name, stroke and unit together have at most 2 048 characters; longer is a fault of the name",
    [{ unit: "k" }, { unit: "kom" }, { unit: "𐐀".repeat(50) }], ({ unit }) => {
      const room = 2048 - 1 - [...unit].length
      const sale = (length: number) => withAt(withAt(saleBody, ["items", 0, "unitOfMeasure"], unit), ["items", 0, "name"], "н".repeat(length))
      return isAccepted(sale(room)) && isOnlyFaultAt(sale(room + 1), "/items/0/name", "Items.Name")
    })
  holdsForEvery("a metadata name has at most 64 characters", [64], (longest) =>
    isAccepted({ ...saleBody, metadata: { ["𐐀".repeat(longest)]: "x" } }) &&
    !isAccepted({ ...saleBody, metadata: { ["𐐀".repeat(longest + 1)]: "x" } }))
})

const listOf = <A>(length: number, element: A): ReadonlyArray<A> => Array.from({ length }, () => element)
const payment = (amount: string) => ({ type: "CARD", amount: decimal(amount) })

rule("BODY-5", {
  says: "A document has 1 to 1 000 items and 1 to 50 payments; metadata has at most 50 keys.",
  source: "Spec, Limits; Decisions §1, Bounds"
}, ({ holdsForEvery }) => {
  holdsForEvery("items: none is refused, 1 and 1 000 are accepted, 1 001 are refused", [0, 1, 1000, 1001], (count) => {
    const sale = { ...saleBody, items: listOf(count, itemBody), payments: [payment(String(count * 10))] }
    return hasFaultAt(sale, "/items") === (count === 0 || count > 1000)
  })
  holdsForEvery("payments: none is refused, 1 and 50 are accepted, 51 are refused", [0, 1, 50, 51], (count) => {
    const sale = withAt({ ...saleBody, payments: listOf(count, payment("1")) }, ["items", 0, "unitPrice"], decimal(String(count)))
    return hasFaultAt(sale, "/payments") === (count === 0 || count > 50)
  })
  holdsForEvery("metadata keys", [0, 50, 51], (count) => {
    const metadata = Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, "x"]))
    return hasFaultAt({ ...saleBody, metadata }, "/metadata") === count > 50
  })
})

const numbers: ReadonlyArray<{ readonly path: Place; readonly accepted: ReadonlyArray<string>; readonly refused: ReadonlyArray<string> }> = [
  {
    path: ["items", 0, "quantity"],
    accepted: ["0.001", "1.500", "99999999999.999"],
    refused: ["0", "-1", "0.0005", "1.0001", "100000000000"]
  },
  { path: ["items", 0, "unitPrice"], accepted: ["0", "0.01", "10.10", "999999999999.99"], refused: ["-0.01", "1.001", "1000000000000"] },
  {
    path: ["items", 0, "unitPriceBeforeDiscount"],
    accepted: ["10.01", "999999999999.99"],
    refused: ["-0.01", "10.001", "1000000000000", "10", "9.99"]
  },
  { path: ["payments", 0, "amount"], accepted: ["0", "0.001", "999999999999.99"], refused: ["-0.01", "1000000000000"] }
]

const isFaultOfThePlace = (path: Place, value: unknown): boolean =>
  faultsOf(withAt(saleBody, path, value)).some((fault) => fault.pointer === pointerOf(path) && fault.key === keyOf(path))

rule("BODY-6", {
  says: "Prices have at most two decimals, quantities three, each within its bounds; a payment's decimals are left to the V-PFR.",
  source: "Spec, Limits; Decisions §1, Numbers and Bounds"
}, ({ holdsForEvery }) => {
  holdsForEvery("each number's edges", numbers, ({ path, accepted, refused }) =>
    accepted.every((text) => !isFaultOfThePlace(path, decimal(text))) &&
    refused.every((text) => isFaultOfThePlace(path, decimal(text))))
  holdsForEvery("a number of too many digits, a text or an object is refused where a number is due", numbers, ({ path }) =>
    [new UnrepresentableNumber("0.1234567890123456"), "10", true, {}, []].every((value) => isFaultOfThePlace(path, value)))
  holdsForEvery("a line of more than 999 999 999 999.99 is refused at the line", ["2"], (quantity) => {
    const sale = withAt(withAt(saleBody, ["items", 0, "unitPrice"], decimal("999999999999.99")), ["items", 0, "quantity"], decimal(quantity))
    return hasFaultAt(sale, "/items/0")
  })
})

rule("BODY-7", {
  says: "Everything the body alone decides is reported at once.",
  source: "Decisions §1, Problem body"
}, ({ holds }) => {
  const wrong: ReadonlyArray<{ readonly path: Place; readonly value: unknown }> = [
    { path: ["taxpayerId"], value: "no uuid" },
    { path: ["cashier", "id"], value: null },
    { path: ["buyer", "id"], value: "10:123" },
    { path: ["items", 0, "gtin"], value: "123" },
    { path: ["items", 0, "unitPriceBeforeDiscount"], value: decimal("0") },
    { path: ["items", 0, "unitOfMeasure"], value: undefined },
    { path: ["payments"], value: [payment("1234567.89")] },
    { path: ["transactionOccurredAt"], value: "2026-08-29T12:30:00Z" },
    { path: ["unknown"], value: true },
    { path: ["metadata", "note"], value: [] }
  ]
  holds("any combination of independent faults is reported whole", { sale: validSale, chosen: fc.subarray([...wrong], { minLength: 1 }) },
    ({ sale, chosen }) => {
      const body = chosen.reduce((spoilt, { path, value }) => withAt(spoilt, path, value), sale)
      const pointers = faultsOf(body).map((fault) => fault.pointer)
      return chosen.every(({ path }) => pointers.includes(pointerOf(path))) && pointers.length === chosen.length
    })
  holds("and a valid sale is reported nothing", { sale: validSale }, ({ sale }) => isAccepted(sale))
})

rule("BODY-8", {
  says: "A date-time has seconds and an offset or Z, and is one that exists.",
  source: "Decisions §1, DateTime"
}, ({ holdsForEvery, holds }) => {
  const at = (text: unknown) => withAt(externalCopyBody, ["reference", "pfrTime"], text)
  const accepted = ["2026-08-29T12:30:00Z", "2024-02-29T23:59:59+01:00", "2024-02-29T17:07:27.4551405+01:00", "2026-01-01T00:00:00-05:30"]
  const refused = [
    "2026-08-29",
    "2026-08-29T12:30:00",
    "2026-08-29T12:30Z",
    "2026-08-29 12:30:00Z",
    "2026-02-30T12:00:00Z",
    "2025-02-29T12:00:00Z",
    "1900-02-29T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "2026-00-10T12:00:00Z",
    "2026-04-31T12:00:00Z",
    "2026-08-29T24:00:00Z",
    "2026-08-29T12:60:00Z",
    "2026-08-29T23:59:60Z",
    "2026-08-29T12:30:00+15:00",
    "2026-08-29T12:30:00+0200",
    "2026-08-29t12:30:00z",
    " 2026-08-29T12:30:00Z",
    "2026-08-29T12:30:00.Z",
    ""
  ]
  holdsForEvery("these are accepted", accepted, (text) => isAccepted(at(text)))
  holdsForEvery("these are refused", refused, (text) => hasFaultAt(at(text), "/reference/pfrTime"))
  holds("every instant in its full form is accepted", { instant: fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }) },
    ({ instant }) => isAccepted(at(instant.toISOString())))
})

rule("BODY-9", {
  says: "An Idempotency-Key has 16 to 200 visible ASCII characters and is taken literally.",
  source: "Spec, Limits; Decisions §1"
}, ({ holds, holdsForEvery }) => {
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
  holds("every such key is read as it is", { key: fc.string({ unit: visible, minLength: 16, maxLength: 200 }) },
    ({ key }) => Result.getOrNull(decodeIdempotencyKey(key)) === key)
  holdsForEvery("shorter, longer, with a blank, beyond ASCII, empty or missing is refused under IdempotencyKey",
    ["k".repeat(15), "k".repeat(201), `${"k".repeat(16)} `, `${"k".repeat(16)}ш`, `${"k".repeat(16)}\n`, "", undefined], (key) => {
      const read = decodeIdempotencyKey(key)
      return Result.isFailure(read) && read.failure.key === "IdempotencyKey"
    })
})

rule("BODY-10", {
  says: "Keys of the metadata are only ever data, whatever they are called.",
  source: "Decisions §1, Bounds of metadata"
}, ({ holds }) => {
  const value = fc.oneof(fc.constantFrom("x", "", true, null), fc.integer().map((number) => BigDecimal.fromBigInt(BigInt(number))))
  holds("names of the language itself are kept like any other", { name: fc.constantFrom("__proto__", "constructor", "toString", "metadata"), value },
    (given) => isAccepted({ ...saleBody, metadata: Object.fromEntries([[given.name, given.value]]) }))
  holds("a value that is no single value is refused", { name: fc.constantFrom("__proto__", "note"), nested: fc.constantFrom([], {}, [1]) },
    ({ name, nested }) => hasFaultAt({ ...saleBody, metadata: Object.fromEntries([[name, nested]]) }, `/metadata/${name}`))
})

rule("LABEL-4", {
  says: "An item names each of its tax labels once, and at least one.",
  source: "Spec, Resources, LineItem"
}, ({ holds, holdsForEvery }) => {
  const place = ["items", 0, "taxLabels"]
  const labels = fc.uniqueArray(fc.constantFrom("Ђ", "Е", "Г", "А", "A", "E", "F"), { minLength: 1, maxLength: 6 })
  holds("any labels that differ are taken", { labels }, ({ labels: named }) => isAccepted(withAt(saleBody, place, named)))
  holds("a label that comes back is refused, wherever the two stand", { labels, again: fc.nat(), at: fc.nat() }, ({ labels: named, again, at }) =>
    hasFaultAt(withAt(saleBody, place, [...named].toSpliced(at % (named.length + 1), 0, named[again % named.length] ?? "Ђ")), "/items/0/taxLabels"))
  holdsForEvery("without a label the item is refused", [[]], (none) => hasFaultAt(withAt(saleBody, place, none), "/items/0/taxLabels"))
})
