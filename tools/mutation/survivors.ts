/** A mutant that no test notices, and the reason why none can: the changed program does the same. */
export interface Survivor {
  readonly file: string
  /** The line as it stands in the file, without the blanks around it. */
  readonly code: string
  /** `<mutator>: <Stryker's replacement>`, with white space as single blanks. */
  readonly mutant: string
  readonly reason: string
}

export const survivors: ReadonlyArray<Survivor> = [
  {
    file: "domain/src/advances/planAdvanceDocument.ts", code: "advanceStands: latestAdvance(sales) !== null,",
    mutant: "ConditionalExpression: true", reason: "Without an advance that stands nothing is composed."
  },
  {
    file: "domain/src/billing/PriceList.ts", code: "one === null || other.validFrom > one.validFrom || (other.validFrom === one.validFrom && other.version > one.version) ? other : one",
    mutant: "EqualityOperator: other.version >= one.version", reason: "No two lists have the same version."
  },
  {
    file: "domain/src/billing/invoiceNumber.ts", code: "const parts = /^(20\\d{2})-(\\d{6,9})$/.exec(text)",
    mutant: "Regex: /(20\\d{2})-(\\d{6,9})$/", reason: "The number printed again has to be the whole text."
  },
  {
    file: "domain/src/billing/invoiceNumber.ts", code: "const parts = /^(20\\d{2})-(\\d{6,9})$/.exec(text)",
    mutant: "Regex: /^(20\\d{2})-(\\d{6,9})/", reason: "The number printed again has to be the whole text."
  },
  {
    file: "domain/src/billing/monthsToClose.ts", code: "return last.filter((month) => begins !== undefined && month >= begins && mayClose(month, now))",
    mutant: "ConditionalExpression: true", reason: "No month is later than undefined."
  },
  {
    file: "domain/src/catalogue/productRow.ts", code: "if (fault.pointer === \"/isActive\") return { ...fault, message: activityFault }",
    mutant: "ConditionalExpression: false", reason: "The schema's own message is the same."
  },
  {
    file: "domain/src/catalogue/productSheet.ts", code: "const characters = Array.from(text.slice(0, 2 * most + 2))",
    mutant: "MethodExpression: text", reason: "Only quicker: no more characters are shown."
  },
  {
    file: "domain/src/catalogue/productSheet.ts", code: "pointer.split(\"/\").slice(1).map((segment) => (/^\\d+$/.test(segment) ? Number(segment) : segment))",
    mutant: "Regex: /\\d+$/", reason: "A segment of a pointer is a column or an index."
  },
  {
    file: "domain/src/catalogue/productSheet.ts", code: "pointer.split(\"/\").slice(1).map((segment) => (/^\\d+$/.test(segment) ? Number(segment) : segment))",
    mutant: "Regex: /^\\d+/", reason: "A segment of a pointer is a column or an index."
  },
  {
    file: "domain/src/journal-log/merkle.ts", code: "while (row.length > 1) {",
    mutant: "EqualityOperator: row.length >= 1", reason: "One hash alone is its own root."
  },
  {
    file: "domain/src/journal-log/treeProofs.ts", code: "if (from === 0 || from === to) return []",
    mutant: "ConditionalExpression: false", reason: "The loop below has no step for equal sizes."
  },
  {
    file: "domain/src/journal-log/treeProofs.ts", code: "while (!odd(node) && node !== 0) [node, last] = [half(node), half(last)]",
    mutant: "ConditionalExpression: true", reason: "Where the node is 0 the last node was 0 too, which was answered before."
  },
  {
    file: "domain/src/journal/JournalCursor.ts", code: "} catch {",
    mutant: "BlockStatement: {}", reason: "The block's last value is undefined, and what is undefined or null decodes to no cursor."
  },
  {
    file: "domain/src/journal/JournalCursor.ts", code: "return one.id > other.id ? -1 : 1",
    mutant: "EqualityOperator: one.id >= other.id", reason: "Equal ids were answered before."
  },
  {
    file: "domain/src/journal/JournalCursor.ts", code: "const asked = Object.entries(filter).sort(([one], [other]) => (one < other ? -1 : 1))",
    mutant: "EqualityOperator: one <= other", reason: "No two members have the same name."
  },
  {
    file: "domain/src/journal/turnover.ts", code: "const compareTexts = (one: string, other: string): number => one < other ? -1 : 1",
    mutant: "EqualityOperator: one <= other", reason: "No two groups, payments or labels of a row are the same."
  },
  {
    file: "domain/src/references/documentTree.ts", code: "DateTime.toEpochMillis(one.createdAt) - DateTime.toEpochMillis(other.createdAt) || (one.id < other.id ? -1 : 1)",
    mutant: "EqualityOperator: one.id <= other.id", reason: "No two documents have the same id."
  },
  {
    file: "domain/src/refunds/refundQuantities.ts", code: "return line === undefined ? [] : differingFields(item, line).map((field) => ({",
    mutant: "ArrayDeclaration: [\"Stryker was here\"]", reason: "A line that the original does not have was refused before."
  },
  {
    file: "domain/src/refunds/refundQuantities.ts", code: "return line === undefined ? [] : [{",
    mutant: "ArrayDeclaration: [\"Stryker was here\"]", reason: "A line that the original does not have was refused before."
  },
  {
    file: "domain/src/refunds/refundQuantities.ts", code: "return line === undefined ? [] : differingFields(item, line).map((field) => ({",
    mutant: "ConditionalExpression: false", reason: "A line that the original does not have was refused before."
  },
  {
    file: "domain/src/refunds/refundQuantities.ts", code: "return line === undefined ? [] : [{",
    mutant: "ConditionalExpression: false", reason: "A line that the original does not have was refused before."
  },
  {
    file: "domain/src/refunds/refundQuantities.ts", code: "if (line === undefined) return item",
    mutant: "ConditionalExpression: false", reason: "A line that the original does not have was refused before."
  },
  {
    file: "domain/src/refunds/refundable.ts", code: "if (item === undefined || BigDecimal.isZero(quantity)) return null",
    mutant: "ConditionalExpression: false", reason: "A ledger has the lines of its document."
  },
  {
    file: "domain/src/requests/bodySize.ts", code: "for (const child of children) if (!isLeaf(child)) waiting.push(child)",
    mutant: "ConditionalExpression: true", reason: "Only quicker: a leaf is passed over when its turn comes."
  },
  {
    file: "domain/src/requests/decimalFromJsonNumber.ts", code: "if (text.length === 1 && text >= \"0\" && text <= \"9\") return BigDecimal.fromBigInt(BigInt(text))",
    mutant: "ConditionalExpression: false", reason: "Only quicker: one digit is read alike below."
  },
  {
    file: "domain/src/requests/decimalFromJsonNumber.ts", code: "if (text.length === 1 && text >= \"0\" && text <= \"9\") return BigDecimal.fromBigInt(BigInt(text))",
    mutant: "ConditionalExpression: true", reason: "Only quicker: one digit is read alike below."
  },
  {
    file: "domain/src/requests/decimalFromJsonNumber.ts", code: "if (text.length === 1 && text >= \"0\" && text <= \"9\") return BigDecimal.fromBigInt(BigInt(text))",
    mutant: "EqualityOperator: text > \"0\"", reason: "Only quicker: one digit is read alike below."
  },
  {
    file: "domain/src/requests/decimalFromJsonNumber.ts", code: "if (text.length === 1 && text >= \"0\" && text <= \"9\") return BigDecimal.fromBigInt(BigInt(text))",
    mutant: "EqualityOperator: text < \"0\"", reason: "Only quicker: one digit is read alike below."
  },
  {
    file: "domain/src/requests/decimalFromJsonNumber.ts", code: "if (text.length === 1 && text >= \"0\" && text <= \"9\") return BigDecimal.fromBigInt(BigInt(text))",
    mutant: "EqualityOperator: text < \"9\"", reason: "Only quicker: one digit is read alike below."
  },
  {
    file: "domain/src/requests/decimalFromJsonNumber.ts", code: "if (text.length === 1 && text >= \"0\" && text <= \"9\") return BigDecimal.fromBigInt(BigInt(text))",
    mutant: "EqualityOperator: text > \"9\"", reason: "Only quicker: one digit is read alike below."
  },
  {
    file: "domain/src/requests/decodeShape.ts", code: "if (!isObject(body) || elements.length <= slice) return whole(body)",
    mutant: "ConditionalExpression: true", reason: "Only quicker: the whole list decodes to the same."
  },
  {
    file: "domain/src/requests/decodeShape.ts", code: "if (!isObject(body) || elements.length <= slice) return whole(body)",
    mutant: "LogicalOperator: !isObject(body) && elements.length <= slice", reason: "Only quicker: the whole list decodes to the same."
  },
  {
    file: "domain/src/requests/decodeShape.ts", code: "if (!isObject(body) || elements.length <= slice) return whole(body)",
    mutant: "BooleanLiteral: isObject(body)", reason: "Only quicker: the whole list decodes to the same."
  },
  {
    file: "domain/src/requests/decodeShape.ts", code: "if (!isObject(body) || elements.length <= slice) return whole(body)",
    mutant: "ConditionalExpression: false", reason: "Only quicker: the whole list decodes to the same."
  },
  {
    file: "domain/src/requests/decodeShape.ts", code: "if (!isObject(body) || elements.length <= slice) return whole(body)",
    mutant: "EqualityOperator: elements.length < slice", reason: "Only quicker: the whole list decodes to the same."
  },
  {
    file: "domain/src/requests/decodeShape.ts", code: "if (!isObject(body) || elements.length <= slice) return whole(body)",
    mutant: "EqualityOperator: elements.length > slice", reason: "Only quicker: the whole list decodes to the same."
  },
  {
    file: "domain/src/requests/textField.ts", code: "for (let index = 0; index < text.length - 1; index++) {",
    mutant: "EqualityOperator: index <= text.length - 1", reason: "Behind the last character there is no second half of a pair."
  },
  {
    file: "domain/src/requests/textField.ts", code: "for (let index = 0; index < text.length - 1; index++) {",
    mutant: "ArithmeticOperator: text.length + 1", reason: "Behind the last character there is no second half of a pair."
  },
  {
    file: "domain/src/requests/textField.ts", code: "const isLongerThan = (text: string, limit: number): boolean => text.length > limit && codePoints(text) > limit",
    mutant: "ConditionalExpression: true", reason: "A text has no more code points than units."
  },
  {
    file: "domain/src/requests/textField.ts", code: "const isLongerThan = (text: string, limit: number): boolean => text.length > limit && codePoints(text) > limit",
    mutant: "EqualityOperator: text.length >= limit", reason: "A text has no more code points than units."
  },
  {
    file: "domain/src/requests/trailingZeros.ts", code: "while (end > 0 && digits.charCodeAt(end - 1) === zero) end -= 1",
    mutant: "ConditionalExpression: true", reason: "Before the first digit there is no zero."
  },
  {
    file: "domain/src/requests/trailingZeros.ts", code: "while (end > 0 && digits.charCodeAt(end - 1) === zero) end -= 1",
    mutant: "EqualityOperator: end >= 0", reason: "Before the first digit there is no zero."
  },
  {
    file: "domain/src/requests/trailingZeros.ts", code: "return end === digits.length ? digits : digits.slice(0, end)",
    mutant: "ConditionalExpression: false", reason: "Only quicker: the whole text is its own slice."
  },
  {
    file: "domain/src/search/foldText.ts", code: "if (before !== undefined) return before",
    mutant: "ConditionalExpression: true", reason: "The runner's process has looked the characters up before; in a new process the tests fail."
  },
  {
    file: "domain/src/search/foldText.ts", code: "if (before !== undefined) return before",
    mutant: "ConditionalExpression: false", reason: "The runner's process has looked the characters up before; in a new process the tests fail."
  },
  {
    file: "domain/src/search/foldText.ts", code: "if (before !== undefined) return before",
    mutant: "EqualityOperator: before === undefined", reason: "The runner's process has looked the characters up before; in a new process the tests fail."
  },
  {
    file: "domain/src/search/foldText.ts", code: "if (known.size < mostKnown) known.set(character, folded)",
    mutant: "ConditionalExpression: true", reason: "Only quicker: a character folds to the same text."
  },
  {
    file: "domain/src/search/foldText.ts", code: "if (known.size < mostKnown) known.set(character, folded)",
    mutant: "ConditionalExpression: false", reason: "Only quicker: a character folds to the same text."
  },
  {
    file: "domain/src/search/foldText.ts", code: "if (known.size < mostKnown) known.set(character, folded)",
    mutant: "EqualityOperator: known.size <= mostKnown", reason: "Only quicker: a character folds to the same text."
  },
  {
    file: "domain/src/search/foldText.ts", code: "if (known.size < mostKnown) known.set(character, folded)",
    mutant: "EqualityOperator: known.size >= mostKnown", reason: "Only quicker: a character folds to the same text."
  },
  {
    file: "domain/src/search/foldText.ts", code: "if (known.size < mostKnown) known.set(character, folded)",
    mutant: "CallExpression: ;", reason: "Only quicker: a character folds to the same text."
  },
  {
    file: "domain/src/search/foldText.ts", code: "if (plainAscii.test(text)) return text.toLowerCase()",
    mutant: "ConditionalExpression: false", reason: "Only quicker: each character of ASCII folds to its small letter."
  },
  {
    file: "domain/src/tax/taxByLabel.ts", code: "const known = sets.get(key) ?? labelSet(taxLabels.flatMap((label) => rateOf.get(label) ?? []))",
    mutant: "ArrayDeclaration: [\"Stryker was here\"]", reason: "What is no rate has no type and is in no set."
  },
  {
    file: "domain/src/verification/base64.ts", code: "for (let i = 0; i < binary.length; i += 1) bytes[i] = binary.charCodeAt(i)",
    mutant: "EqualityOperator: i <= binary.length", reason: "A byte behind the end of an array is not stored."
  },
  {
    file: "domain/src/verification/bytesEqual.ts", code: "for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false",
    mutant: "EqualityOperator: i <= a.length", reason: "Behind the end both have undefined."
  },
  {
    file: "domain/src/verification/parseExactJson.ts", code: "if (!perhapsLong.test(text)) return false",
    mutant: "ConditionalExpression: false", reason: "Only quicker: without sixteen digits in a row there is no long number."
  },
  {
    file: "domain/src/verification/parseExactJson.ts", code: "if (match[0].length > digitsOfDouble && !match[0].startsWith('\"')) return true",
    mutant: "MethodExpression: match[0].endsWith('\"')", reason: "Only a text begins with a quote; one without its end is no JSON."
  },
  {
    file: "domain/src/verification/parseExactJson.ts", code: "} catch {",
    mutant: "BlockStatement: {}", reason: "The function's value is undefined all the same."
  }
]
