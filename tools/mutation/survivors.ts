/** Changes of one line that no test notices, and the reason why none can: the changed program does the same. */
export interface Survivor {
  /** Below `domain/src`. */
  readonly file: string
  /** The line as it stands in the file, without the blanks around it. */
  readonly code: string
  /** Each `<part of the line> → <what stands there instead>`, with white space as single blanks. */
  readonly changes: ReadonlyArray<string>
  readonly reason: string
}

export const survivors: ReadonlyArray<Survivor> = [
  {
    file: "advances/planAdvanceDocument.ts", code: "advanceStands: latestAdvance(sales) !== null,",
    changes: ["latestAdvance(sales) !== null → true"], reason: "Without an advance that stands nothing is composed."
  },
  {
    file: "billing/PriceList.ts", code: "one === null || other.validFrom > one.validFrom || (other.validFrom === one.validFrom && other.version > one.version) ? other : one",
    changes: ["other.version > one.version → other.version >= one.version"], reason: "No two lists have the same version."
  },
  {
    file: "billing/composeInvoice.ts", code: "const parts = /^(20\\d{2})-(\\d{6,9})$/.exec(text)",
    changes: ["/^(20\\d{2})-(\\d{6,9})$/ → /(20\\d{2})-(\\d{6,9})$/", "/^(20\\d{2})-(\\d{6,9})$/ → /^(20\\d{2})-(\\d{6,9})/"], reason: "The number printed again has to be the whole text."
  },
  {
    file: "billing/licensedDays.ts", code: "return last.filter((month) => begins !== undefined && month >= begins && mayClose(month, now))",
    changes: ["begins !== undefined → true"], reason: "No month is later than undefined."
  },
  {
    file: "catalogue/productRow.ts", code: "if (fault.pointer === \"/isActive\") return { ...fault, message: activityFault }",
    changes: ["fault.pointer === \"/isActive\" → false"], reason: "The schema's own message is the same."
  },
  {
    file: "catalogue/productSheet.ts", code: "const characters = Array.from(text.slice(0, 2 * most + 2))",
    changes: ["text.slice(0, 2 * most + 2) → text"], reason: "Only quicker: no more characters are shown."
  },
  {
    file: "catalogue/productSheet.ts", code: "pointer.split(\"/\").slice(1).map((segment) => (/^\\d+$/.test(segment) ? Number(segment) : segment))",
    changes: ["/^\\d+$/ → /\\d+$/", "/^\\d+$/ → /^\\d+/"], reason: "A segment of a pointer is a column or an index."
  },
  {
    file: "delivery/deliveryTransitions.ts", code: "if (outcome._tag === \"Unreachable\") return false",
    changes: ["outcome._tag === \"Unreachable\" → false"], reason: "An unreachable server has no `recipientNamed`, and what is missing counts as false."
  },
  {
    file: "delivery/deliverability.ts", code: "return at > 0 && octets(local) <= longestLocalPart && localPart.test(local) && domainName.test(address.slice(at + 1))",
    changes: ["at > 0 → true", "at > 0 → at >= 0"], reason: "Without an at sign, or with nothing before it, the local part is empty, which its form refuses."
  },
  {
    file: "idempotency/boundKey.ts", code: "if (field === undefined) return text",
    changes: ["field === undefined → false"], reason: "The sets of names do not contain undefined, so the text stays as it is."
  },
  {
    file: "journal-log/Checkpoint.ts", code: "if (origin === undefined || origin === \"\" || encoded === undefined || !text.endsWith(\"\\n\")) return null",
    changes: ["encoded === undefined → false"], reason: "A text of fewer than three lines that ends with a line feed has an empty second line, which is no size."
  },
  {
    file: "journal-log/Checkpoint.ts", code: "if (origin === undefined || origin === \"\" || encoded === undefined || !text.endsWith(\"\\n\")) return null",
    changes: ["origin === undefined → false"], reason: "`split` returns at least one line."
  },
  {
    file: "journal-log/Checkpoint.ts", code: "if (size === undefined || !/^(?:0|[1-9]\\d{0,15})$/.test(size)) return null",
    changes: ["size === undefined → false"], reason: "A text of one line does not end with a line feed and was refused before."
  },
  {
    file: "journal-log/ErasureNote.ts", code: "const erasure = text === null ? null : readText(text)",
    changes: ["text === null → false"], reason: "The expression reads null as the text `null`, which has not the form of an erasure."
  },
  {
    file: "journal-log/ErasureNote.ts", code: "return text === undefined ? null : readText(text)",
    changes: ["text === undefined → false"], reason: "The expression reads undefined as a text, which has not the form of an erasure."
  },
  {
    file: "journal-log/consistencyQuery.ts", code: "return text !== null && /^(?:0|[1-9]\\d{0,14})$/.test(text) ? Number(text) : Number.NaN",
    changes: ["text !== null → true"], reason: "The expression reads null as the text `null`, which is no number."
  },
  {
    file: "journal-log/logTiles.ts", code: "const hashesAt = (level: number, position: number) => edge.find((tile) => tile.level === level && tile.position === position)?.hashes ?? []",
    changes: ["[] → [\"Stryker was here\"]"], reason: "A tile is missing only where none of its hashes is taken: the slice of it is empty."
  },
  {
    file: "journal-log/merkle.ts", code: "while (row.length > 1) {",
    changes: ["row.length > 1 → row.length >= 1"], reason: "One hash alone is its own root."
  },
  {
    file: "journal-log/treeProofs.ts", code: "if (first === undefined) return false",
    changes: ["first === undefined → false"], reason: "Without a first hash the last node is not 0, so the answer is false all the same."
  },
  {
    file: "journal-log/treeProofs.ts", code: "if (from === 0 || from === to) return []",
    changes: ["from === to → false"], reason: "The loop below has no step for equal sizes."
  },
  {
    file: "journal-log/treeProofs.ts", code: "while (!odd(node) && node !== 0) [node, last] = [half(node), half(last)]",
    changes: ["node !== 0 → true"], reason: "Where the node is 0 the last node was 0 too, which was answered before."
  },
  {
    file: "journal/JournalCursor.ts", code: "const asked = Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1))",
    changes: ["one < other → one <= other"], reason: "No two members have the same name."
  },
  {
    file: "journal/JournalCursor.ts", code: "if (parts === null || parts[3] !== binding) return Option.none()",
    changes: ["parts[3] !== binding → false"], reason: "A cursor with another binding is not spelled as the service spells it for this one, which is compared below."
  },
  {
    file: "journal/JournalCursor.ts", code: "return one.id > other.id ? -1 : 1",
    changes: ["one.id > other.id → one.id >= other.id"], reason: "Equal ids were answered before."
  },
  {
    file: "journal/JournalCursor.ts", code: "} catch {",
    changes: ["{ return null // atob has no other way to say \"not base64\" } → {}"], reason: "The block's last value is undefined, and what is undefined or null decodes to no cursor."
  },
  {
    file: "journal/turnover.ts", code: "const compareTexts = (one: string, other: string): number => one < other ? -1 : 1",
    changes: ["one < other → one <= other"], reason: "No two groups, payments or labels of a row are the same."
  },
  {
    file: "journal/turnoverParts.ts", code: "sources.map(([paymentType], column) => ({ taxLabel, paymentType, paras: table[row]?.[column] ?? 0n, taxes: new Map() }))",
    changes: ["table[row]?.[column] → table[row][column]"], reason: "`spread` returns a row for every set of labels."
  },
  {
    file: "references/documentTree.ts", code: "DateTime.toEpochMillis(one.createdAt) - DateTime.toEpochMillis(other.createdAt) || (one.id < other.id ? -1 : 1)",
    changes: ["one.id < other.id → one.id <= other.id"], reason: "No two documents have the same id."
  },
  {
    file: "refunds/refundQuantities.ts", code: "if (line === undefined) return item",
    changes: ["line === undefined → false"], reason: "A line that the original does not have was refused before."
  },
  {
    file: "refunds/refundQuantities.ts", code: "return line === undefined ? [] : [{",
    changes: ["[] → [\"Stryker was here\"]", "line === undefined → false"], reason: "A line that the original does not have was refused before."
  },
  {
    file: "refunds/refundQuantities.ts", code: "return line === undefined ? [] : differingFields(item, line).map((field) => ({",
    changes: ["[] → [\"Stryker was here\"]", "line === undefined → false"], reason: "A line that the original does not have was refused before."
  },
  {
    file: "refunds/refundable.ts", code: "if (item === undefined || BigDecimal.isZero(quantity)) return null",
    changes: ["item === undefined → false"], reason: "A ledger has the lines of its document."
  },
  {
    file: "requests/FiscalDocumentRequest.ts", code: "return body.invoiceType === \"COPY\" && reference?.source === \"EXTERNAL\"",
    changes: ["reference?.source === \"EXTERNAL\" → true", "reference?.source → reference.source"], reason: "A COPY without an EXTERNAL reference was refused by `operationRule`."
  },
  {
    file: "requests/RequestTime.ts", code: "const fraction = withoutTrailingZeros(fullForm.exec(text)?.[5] ?? \"\")",
    changes: ["fullForm.exec(text)?.[5] → fullForm.exec(text)[5]"], reason: "`requestInstant` has matched the text before."
  },
  {
    file: "requests/decodeRequest.ts", code: "for (const child of children) if (!isLeaf(child)) waiting.push(child)",
    changes: ["!isLeaf(child) → true"], reason: "Only quicker: a leaf is passed over when its turn comes."
  },
  {
    file: "requests/bodyTree.ts", code: "if (text.length === 1 && text >= \"0\" && text <= \"9\") return BigDecimal.fromBigInt(BigInt(text))",
    changes: ["text.length === 1 && text >= \"0\" && text <= \"9\" → false", "text >= \"0\" → true", "text >= \"0\" → text > \"0\"", "text >= \"0\" → text < \"0\"", "text <= \"9\" → true", "text <= \"9\" → text < \"9\"", "text <= \"9\" → text > \"9\""], reason: "Only quicker: one digit is read alike below."
  },
  {
    file: "requests/decodeRequest.ts", code: "const listSchemaOf = (shape: object): Schema.ConstraintDecoder<unknown> | undefined => {",
    changes: ["{ const fields = \"fields\" in shape ? shape.fields : undefined return isObject(fields) ? fields[longList] as Schema.ConstraintDecoder<unknown> | undefined : undefined } → {}"], reason: "Only quicker: the whole list decodes to the same, and has the same faults in another order."
  },
  {
    file: "requests/decodeRequest.ts", code: "if (listSchema === undefined) return whole",
    changes: ["listSchema === undefined → true"], reason: "Only quicker: the whole list decodes to the same, and has the same faults in another order."
  },
  {
    file: "requests/decodeRequest.ts", code: "if (!isObject(body) || elements.length <= slice) return whole(body)",
    changes: ["!isObject(body) || elements.length <= slice → true", "!isObject(body) || elements.length <= slice → !isObject(body) && elements.length <= slice", "!isObject(body) → isObject(body)", "elements.length <= slice → false", "elements.length <= slice → elements.length < slice", "elements.length <= slice → elements.length > slice"], reason: "Only quicker: the whole list decodes to the same, and has the same faults in another order."
  },
  {
    file: "requests/itemsField.ts", code: "const label = name === undefined ? Option.none() : advanceLiteralLabel(name, environment)",
    changes: ["name === undefined → false"], reason: "Neither environment has a literal that matches undefined."
  },
  {
    file: "requests/Fault.ts", code: "const textOf = (value: unknown): string | undefined => (typeof value === \"string\" ? value : undefined)",
    changes: ["typeof value === \"string\" → true"], reason: "Effect's messages and expectations are texts, or missing."
  },
  {
    file: "requests/Fault.ts", code: "if (ast._tag === \"Union\" && isObject(found) && sourcesOf(ast).length > 0) {",
    changes: ["ast._tag === \"Union\" → true"], reason: "Only a union has an issue `AnyOf`."
  },
  {
    file: "requests/fields.ts", code: "const isLongerThan = (text: string, limit: number): boolean => text.length > limit && codePoints(text) > limit",
    changes: ["text.length > limit → true", "text.length > limit → text.length >= limit"], reason: "A text has no more code points than units."
  },
  {
    file: "requests/fields.ts", code: "for (let index = 0; index < text.length - 1; index++) {",
    changes: ["index < text.length - 1 → index <= text.length - 1", "text.length - 1 → text.length + 1"], reason: "Behind the last character there is no second half of a pair."
  },
  {
    file: "requests/bodyTree.ts", code: "return end === digits.length ? digits : digits.slice(0, end)",
    changes: ["end === digits.length → false"], reason: "Only quicker: the whole text is its own slice."
  },
  {
    file: "requests/bodyTree.ts", code: "while (end > 0 && digits.charCodeAt(end - 1) === zero) end -= 1",
    changes: ["end > 0 → true", "end > 0 → end >= 0"], reason: "Before the first digit there is no zero."
  },
  {
    file: "restore/checkKept.ts", code: "if (pfr === null || read === null) return []",
    changes: ["pfr === null || read === null → pfr === null && read === null", "pfr === null → false", "read === null → false"], reason: "A link is read exactly where there is a `pfr`: both are null or none."
  },
  {
    file: "restore/planTakeBack.ts", code: "if (kept._tag !== \"Proof\" || sale === null || tried === null) {",
    changes: ["kept._tag !== \"Proof\" → false"], reason: "Only a proof has a sale and an attempt, which are asked for beside it."
  },
  {
    file: "search/foldText.ts", code: "if (plainAscii.test(text)) return text.toLowerCase()",
    changes: ["plainAscii.test(text) → false"], reason: "Only quicker: each character of ASCII folds to its small letter."
  },
  {
    file: "tax/taxByLabel.ts", code: "const known = sets.get(key) ?? labelSet(taxLabels.flatMap((label) => rateOf.get(label) ?? []))",
    changes: ["[] → [\"Stryker was here\"]"], reason: "What is no rate has no type and is in no set."
  },
  {
    file: "verification/bytes.ts", code: "for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i)",
    changes: ["i < binary.length → i <= binary.length"], reason: "A byte behind the end of an array is not stored."
  },
  {
    file: "verification/bytes.ts", code: "for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false",
    changes: ["i < a.length → i <= a.length"], reason: "Behind the end both have undefined."
  },
  {
    file: "verification/exactJson.ts", code: "const decimal = typeof value === \"number\" ? null : decimalField(object, name)",
    changes: ["typeof value === \"number\" → false"], reason: "Only quicker: a number read through its decimal is the same number; -0 is written as 0."
  },
  {
    file: "verification/exactJson.ts", code: "for (let at = 0; at < text.length; at += 1) {",
    changes: ["at < text.length → at <= text.length"], reason: "Behind the end there is no character, and nothing is counted."
  },
  {
    file: "verification/exactJson.ts", code: "if (!perhapsLong.test(text)) return false",
    changes: ["!perhapsLong.test(text) → false"], reason: "Only quicker: without sixteen digits in a row there is no long number."
  },
  {
    file: "verification/exactJson.ts", code: "if (match[0].length > digitsOfDouble && !match[0].startsWith('\"')) return true",
    changes: ["match[0].startsWith('\"') → match[0].endsWith('\"')"], reason: "Only a text begins with a quote; one without its end is no JSON."
  },
  {
    file: "verification/exactJson.ts", code: "} catch {",
    changes: ["{ return undefined // JSON.parse has no other way to say \"not JSON\" } → {}"], reason: "The function's value is undefined all the same."
  },
  {
    file: "verification/readSignedAnswer.ts", code: "if (offset === null) return null",
    changes: ["offset === null → false"], reason: "What has no offset is no date; with `null` behind it, it has no milliseconds either."
  },
  {
    file: "verification/readSignedAnswer.ts", code: "const counter = (value: number | null): number | null => (value !== null && value >= 0 && value < 2 ** 32 ? value : null)",
    changes: ["value !== null → true"], reason: "In comparisons null counts as 0, and is returned as null."
  },
  {
    file: "verification/readSignedAnswer.ts", code: "invoiceCounterExtension: textField(body, \"invoiceCounterExtension\") ?? (printed?.[3]?.trim() || null)",
    changes: ["printed?.[3]?.trim → printed?.[3].trim"], reason: "The third group takes part in every match."
  },
  {
    file: "verification/receiptFoundByHand.ts", code: "const [, ofType] = printedCounter.exec(journal) ?? []",
    changes: ["[] → [\"Stryker was here\"]"], reason: "The first element is the whole match, which is not read."
  },
  {
    file: "verification/receiptFoundByHand.ts", code: "const [, requestedBy, signedBy, counter] = statedNumber.exec(stated?.invoiceNumber.trim() ?? \"\") ?? []",
    changes: ["[] → [\"Stryker was here\"]"], reason: "The first element is the whole match, which is not read."
  },
  {
    file: "verification/receiptFoundByHand.ts", code: "if (requestedBy === undefined || signedBy === undefined || time === null) return null",
    changes: ["requestedBy === undefined || signedBy === undefined → requestedBy === undefined && signedBy === undefined", "requestedBy === undefined → false", "signedBy === undefined → false"], reason: "A number has both JIDs or none."
  }
]
