import { BigDecimal, DateTime, Result } from "effect"
import * as fc from "fast-check"
import { compareElsewhere } from "../../src/elsewhere/compareElsewhere.ts"
import { copyOfElsewhere } from "../../src/elsewhere/copyOfElsewhere.ts"
import { elsewhereBy } from "../../src/elsewhere/elsewhereTotals.ts"
import { type ElsewhereReceipt, mergeElsewhere } from "../../src/elsewhere/ElsewhereReceipt.ts"
import { type GatheredPiece, receiptGatherer } from "../../src/elsewhere/gatherReceipts.ts"
import { type ElsewhereKnowledge, readElsewhere } from "../../src/elsewhere/readElsewhere.ts"
import { ElsewhereTally, type FoundElsewhere, settleElsewhere } from "../../src/elsewhere/settleElsewhere.ts"
import { readJournal } from "../../src/receipt-text/readJournal.ts"
import { externalReference } from "../../src/references/externalReference.ts"
import { formatDecimal } from "../../src/money/decimals.ts"
import { sandboxTin, saleAnswerText, saleLink, signerModulus, verificationRoot } from "../examples/verificationVectors.ts"
import { rule } from "./ruleBook.ts"

const { journal } = JSON.parse(saleAnswerText) as { readonly journal: string }
const knowledge: ElsewhereKnowledge = { taxIdentifier: "111911206", tin: sandboxTin, signers: [{ name: "YJLQTEQR", modulus: signerModulus }], verificationRoot }
const ofLink = Result.getOrThrow(readElsewhere({ _tag: "Link", line: 1, text: saleLink }, knowledge))
const ofText = Result.getOrThrow(readElsewhere({ _tag: "Journal", line: 1, text: journal }, knowledge))

const told = (receipt: ElsewhereReceipt) =>
  JSON.stringify({ ...receipt, totalAmount: formatDecimal(receipt.totalAmount), totalTax: receipt.totalTax === null ? null : formatDecimal(receipt.totalTax) })
const faultOf = (piece: GatheredPiece, known = knowledge) => Result.match(readElsewhere(piece, known), { onFailure: ({ _tag }) => _tag, onSuccess: ({ standing }) => standing })

const gather = (text: string, everyLine = false): ReadonlyArray<GatheredPiece> => {
  const gatherer = receiptGatherer({ everyLine })
  return [...text.split(/\r?\n/).flatMap(gatherer.take), ...gatherer.end()]
}

rule("ELSEWHERE-1", {
  says: "A link is proven only by the key of a known signer for the taxpayer's own TIN; a link that anything was changed in is refused or claims alone.",
  source: "V-PFR §7.1, §7.4; docs/adr/0240"
}, ({ holds, holdsForEvery }) => {
  const payload = Buffer.from(decodeURIComponent(saleLink.slice(saleLink.indexOf("vl=") + 3)), "base64")
  holds("any changed bit", { at: fc.integer({ min: 0, max: payload.length - 1 }), bit: fc.integer({ min: 0, max: 7 }) }, ({ at, bit }) => {
    const changed = Buffer.from(payload)
    changed[at] = (changed[at] ?? 0) ^ (1 << bit)
    const standing = faultOf({ _tag: "Link", line: 1, text: verificationRoot + encodeURIComponent(changed.toString("base64")) })
    return standing !== "PROVEN" && standing !== "CLAIMED"
  })
  const cases: ReadonlyArray<readonly [text: string, known: Partial<ElsewhereKnowledge>, told: string]> = [
    [saleLink, {}, "PROVEN"],
    [saleLink, { signers: [] }, "CLAIMED"],
    [saleLink, { signers: [{ name: "ANOTHER1", modulus: signerModulus + 2n }] }, "CLAIMED"],
    [saleLink, { tin: "RS100000008" }, "SignatureWrong"],
    [saleLink, { verificationRoot: "https://suf.purs.gov.rs/v/?vl=" }, "OtherAddress"],
    [saleLink, { verificationRoot: null }, "PROVEN"],
    [saleLink.replace("sandbox.suf", "sandbox.suf.purs.gov.rs.example"), {}, "OtherAddress"],
    [saleLink.slice(0, 300), {}, "LinkUnreadable"]
  ]
  holdsForEvery("what is known decides", cases, ([text, known, expected]) => faultOf({ _tag: "Link", line: 1, text }, { ...knowledge, ...known }) === expected)
  holdsForEvery("a text proves nothing, and another seller's is refused", [["111911206", "CLAIMED"], ["100000008", "OtherSeller"]] as const, ([taxIdentifier, expected]) =>
    faultOf({ _tag: "Journal", line: 1, text: journal }, { ...knowledge, taxIdentifier }) === expected)
  holdsForEvery("a text that is no whole receipt is refused", [journal.slice(0, 400), `${journal}x`, journal.replace("68,46", "6x,46"), `${journal}\0`, journal.replace("21:15", "61:15")], (text) =>
    faultOf({ _tag: "Journal", line: 1, text }) === "JournalUnreadable")
})

rule("ELSEWHERE-2", {
  says: "Link and text of one receipt are one receipt, in whatever order they come; the same once more changes nothing; what contradicts is refused with each member.",
  source: "docs/adr/0240"
}, ({ holds, holdsForEvery }) => {
  const empty = { receipts: new Map<string, ElsewhereReceipt>(), own: new Map<string, string>(), others: new Map<string, string>() }
  const found = (receipts: ReadonlyArray<ElsewhereReceipt>): ReadonlyArray<FoundElsewhere> => receipts.map((receipt, line) => ({ file: "a", line, read: Result.succeed(receipt) }))
  holds("any sequence of pieces comes to the same receipt", { pieces: fc.array(fc.constantFrom(ofLink, ofText), { minLength: 1, maxLength: 8 }), cut: fc.nat(8) }, ({ cut, pieces }) => {
    const all = [...pieces, ofLink, ofText]
    const tally = new ElsewhereTally()
    const stored = new Map<string, ElsewhereReceipt>()
    for (const batch of [all.slice(0, cut), all.slice(cut)]) {
      for (const receipt of settleElsewhere(found(batch), { ...empty, receipts: stored }, tally)) stored.set(receipt.pfrNumber, receipt)
    }
    const again = settleElsewhere(found(all), { ...empty, receipts: stored }, tally)
    const [receipt = ofText] = stored.values()
    return {
      "one receipt": stored.size === 1 && tally.result.added === 1 && tally.result.completed === 0,
      "of both": told(receipt) === told({ ...ofLink, totalTax: ofText.totalTax, journal }),
      "once more nothing": again.length === 0 && tally.faults.count === 0
    }
  })
  const changes: ReadonlyArray<readonly [Partial<ElsewhereReceipt>, string]> = [
    [{ pfrTime: DateTime.add(ofText.pfrTime, { seconds: 1 }) }, "pfrTime"],
    [{ transactionType: "REFUND" }, "kind"],
    [{ counter: "1/11389", totalAmount: BigDecimal.fromStringUnsafe("68.47") }, "counter,totalAmount"],
    [{ totalTax: BigDecimal.fromStringUnsafe("5.66"), buyerId: "10:1" }, "totalTax,buyerId"]
  ]
  holdsForEvery("each contradiction", changes, ([change, differences]) =>
    Result.match(mergeElsewhere(ofText, { ...ofText, ...change }), { onSuccess: () => false, onFailure: (it) => it._tag === "Contradicts" && it.differences.join() === differences }))
  holdsForEvery("a document of ours, and another taxpayer's, are never taken", ["own", "others"] as const, (whose) => {
    const tally = new ElsewhereTally()
    const changed = settleElsewhere(found([ofLink, ofText]), { ...empty, [whose]: new Map([[ofLink.pfrNumber, "id"]]) }, tally)
    return changed.length === 0 && tally.faults.count === 2 && tally.faults.faults.every(({ fault }) => fault._tag === (whose === "own" ? "OwnDocument" : "OtherTaxpayer"))
  })
})

rule("ELSEWHERE-3", {
  says: "Every receipt of a file is found, on the line where it begins, whatever stands around it and in whatever form the file holds it; a list's line without one is a fault.",
  source: "docs/adr/0240"
}, ({ holds, holdsForEvery }) => {
  const text = journal.trimEnd()
  const forms = {
    text: [text], quoted: [`1;"${text.replaceAll("\"", "\"\"")}";2`], link: [saleLink], linkInCsv: [`1;${saleLink};2`], json: [JSON.stringify({ deep: [{ journal, url: saleLink }] })],
    escaped: [JSON.stringify({ journal }).replaceAll(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)], blank: [""], other: ["Хвала на куповини"]
  }
  const pieces = { text: 1, quoted: 1, link: 1, linkInCsv: 1, json: 2, escaped: 1, blank: 0, other: 0 }
  const form = fc.constantFrom(...(Object.keys(forms) as ReadonlyArray<keyof typeof forms>))
  holds("any mixture", { parts: fc.array(form, { maxLength: 8 }), newline: fc.constantFrom("\n", "\r\n") }, ({ newline, parts }) => {
    let line = 1
    const expected: Array<number> = []
    const written = parts.flatMap((part) => {
      const lines = forms[part].flatMap((it) => it.split(/\r?\n/))
      for (let count = 0; count < pieces[part]; count += 1) expected.push(line)
      line += lines.length
      return lines
    })
    const gathered = gather(written.join(newline))
    return { lines: gathered.map((piece) => piece.line).join() === expected.join(), whole: gathered.every((piece) => faultOf(piece) === "PROVEN" || faultOf(piece) === "CLAIMED") }
  })
  const cases: ReadonlyArray<readonly [text: string, everyLine: boolean, tags: string]> = [
    [`heading\n${saleLink}\nnonsense\n`, true, "Link,Nothing"],
    ["nonsense\nhttps://suf.purs.gov.rs/v/?v=1", false, "Nothing"],
    [`${text.slice(0, 200)}\n${text}`, false, "Cut,Journal"],
    [text.slice(0, 200), false, "Cut"],
    [`\uFEFF${text}`, false, "Journal"],
    [text.replace("============ ФИСКАЛНИ", "=== ФИСКАЛНИ"), false, "Nothing,Nothing"]
  ]
  holdsForEvery("what is meant as a receipt and is none", cases, ([written, everyLine, tags]) => gather(written, everyLine).map(({ _tag }) => _tag).join() === tags)
})

rule("ELSEWHERE-4", {
  says: "What was issued elsewhere is summed on its own, refunds negative; only its copy may be issued here.",
  source: "Spec, Reference matrix; docs/adr/0240"
}, ({ holds, holdsForEvery }) => {
  const amount = fc.bigInt({ min: 0n, max: 10n ** 11n })
  holds("days sum to months and to the whole", { of: fc.uniqueArray(fc.record({ day: fc.integer({ min: 1, max: 90 }), sales: amount, refunds: amount }), { selector: ({ day }) => day }) }, ({ of }) => {
    const days = of.map(({ day, refunds, sales }) => ({
      day: new Date(Date.UTC(2026, 8, day)).toISOString().slice(0, 10), receipts: 1, sales: BigDecimal.make(sales, 2), refunds: BigDecimal.make(-refunds, 2)
    }))
    const sum = of.reduce((total, { refunds, sales }) => total + sales - refunds, 0n)
    const [whole, months, each] = ([0, 7, 10] as const).map((letters) => BigDecimal.sumAll([...elsewhereBy(days, letters).values()]))
    return [whole, months, each].every((it) => it !== undefined && BigDecimal.Equivalence(it, BigDecimal.make(sum, 2))) && elsewhereBy(days, 10).size === days.length
  })
  const kinds = (["NORMAL", "ADVANCE", "COPY", "PROFORMA", "TRAINING"] as const).flatMap((invoiceType) => (["SALE", "REFUND"] as const).map((transactionType) => ({ invoiceType, transactionType })))
  const external = { pfrNumber: ofLink.pfrNumber, pfrTime: "2023-06-06T13:21:15+02:00", invoiceType: "NORMAL", transactionType: "SALE" } as const
  holdsForEvery("of the ten kinds only a copy may refer to it", kinds, (kind) =>
    Result.isSuccess(externalReference(kind, { ...external, transactionType: kind.transactionType })) === (kind.invoiceType === "COPY"))
})

rule("ELSEWHERE-5", {
  says: "The copy of a receipt issued elsewhere has its printed items and payments, change taken off the cash; where they do not sum to the signed total, or there is no text, none is composed.",
  source: "Spec, fiscal-documents; Decisions §5, Copies"
}, ({ holdsForEvery }) => {
  const paid = "Готовина:                          68,46"
  const line = (key: string, value: string): string => key + value.padStart(40 - key.length)
  const texts: ReadonlyArray<readonly [text: string, payments: string]> = [
    [journal, "CASH 68.46"],
    [journal.replace(paid, `${line("Готовина:", "70,00")}\r\n${line("Повраћај:", "1,54")}`), "CASH 68.46"],
    [journal.replace(paid, `${line("Платна картица:", "50,00")}\r\n${line("Готовина:", "20,00")}\r\n${line("Повраћај:", "1,54")}`), "CARD 50,CASH 18.46"],
    [journal.replace(paid, line("Готовина:", "68,47")), "AMOUNTS"],
    [journal.replace("        34,23          2           68,46", "        34,22          2           68,46"), "AMOUNTS"]
  ]
  const paymentsIn = (text: string) => Result.match(copyOfElsewhere({ ...ofText, journal: text }), {
    onFailure: (why) => why as string,
    onSuccess: ({ payments }) => payments.map(({ amount, type }) => `${type} ${formatDecimal(amount)}`).join()
  })
  holdsForEvery("as printed", texts, ([text, payments]) => paymentsIn(text) === payments)
  holdsForEvery("never of a copy, nor of a link alone", [[{ ...ofText, invoiceType: "COPY" }, "KIND"], [ofLink, "NO_TEXT"]] as const, ([receipt, why]) =>
    Result.match(copyOfElsewhere(receipt), { onFailure: (found) => found === why, onSuccess: () => false }))
  const units = [["Sport-100 Helmet, Blue", "Sport-100 Helmet, Blue", "ком"], ["Књига/ком", "Књига", "ком"], ["XL/2XL / Kom.", "XL/2XL", "Kom."], ["a/", "a/", "ком"]] as const
  holdsForEvery("an item's unit", units, ([printed, name, unit]) =>
    Result.match(copyOfElsewhere({ ...ofText, journal: journal.replace("Sport-100 Helmet, Blue", printed) }), {
      onFailure: () => false, onSuccess: ({ items: [item] }) => item?.name === name && item.unitOfMeasure === unit
    }))
})

rule("ELSEWHERE-6", {
  says: "A receipt that this service would have had signed alike has no difference; each amount and rate that is otherwise is named, to the para.",
  source: "V-PFR §6.2, §6.3"
}, ({ holdsForEvery }) => {
  const group = (rate: string, label = "A") => ({ groupId: 1, validFrom: DateTime.makeUnsafe(0), rates: [{ label, category: "VAT", categoryType: 0 as const, rate: BigDecimal.fromStringUnsafe(rate) }] })
  const changed: ReadonlyArray<readonly [from: string, to: string, rates: ReturnType<typeof group> | null, told: string]> = [
    ["", "", group("9"), ""],
    ["        34,23          2           68,46", "        34,23          2           68,47", group("9"), "item 1 68.47 68.46"],
    ["Укупан износ:                      68,46", "Укупан износ:                      68,45", null, "total 68.45 68.46"],
    ["Готовина:                          68,46", "Готовина:                          70,00", group("9"), "payments 70.00 68.46"],
    ["9,00%          5,65", "9,00%          5,66", group("9"), "tax A 5.66 5.65"],
    ["Укупан износ пореза:                5,65", "Укупан износ пореза:                5,66", group("9"), "total tax 5.66 5.65"],
    ["", "", group("10"), "rate A 9.00 10.00;tax A 5.65 6.22;total tax 5.65 6.22"],
    ["", "", group("9", "B"), "rate A 9.00 none;tax A 5.65 none;total tax 5.65 0.00"],
    ["9,00%          5,65", "9,00%          5,66", null, ""]
  ]
  holdsForEvery("each amount alone", changed, ([from, to, rates, expected]) => {
    const printed = Result.getOrThrow(readJournal(journal.replace(from, to)))
    return compareElsewhere(printed, rates).map(({ ours, theirs, what }) => `${what} ${theirs} ${ours ?? "none"}`).join(";") === expected
  })
})
