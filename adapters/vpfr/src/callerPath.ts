/** The V-PFR's names with the caller's names for the same field (Spec, Request building blocks). Without a counterpart: the V-PFR's own. */
const topLevel: ReadonlyMap<string, string> = new Map([
  ["buyerid", "buyer.id"],
  ["buyercostcenterid", "buyer.optionalField"],
  ["cashier", "cashier.id"],
  ["dateandtimeofissue", "paymentOccurredAt"],
  ["invoicetype", "invoiceType"],
  ["items", "items"],
  ["payment", "payments"],
  ["referentdocumentdt", "reference.pfrTime"],
  ["referentdocumentnumber", "reference.pfrNumber"],
  ["transactiontype", "transactionType"]
])
const members: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    "items",
    new Map([
      ["gtin", "gtin"],
      ["labels", "taxLabels"],
      ["name", "name"],
      ["quantity", "quantity"],
      ["unitprice", "unitPrice"]
    ])
  ],
  ["payments", new Map([["amount", "amount"], ["paymenttype", "type"]])]
])

const segment = /^([A-Za-z]+)((?:\[\d+\])*)$/

const translate = (part: string, names: ReadonlyMap<string, string> | undefined): string | null => {
  const match = segment.exec(part)
  const name = names?.get((match?.[1] ?? "").toLowerCase())
  return name === undefined ? null : name + (match?.[2] ?? "")
}

/**
 * A path in the V-PFR's request as the path in the caller's request. Names without a counterpart are unchanged.
 *
 * @example callerPath("items[0].labels[0]") // "items[0].taxLabels[0]"
 */
export const callerPath = (property: string): string => {
  const [first = "", second, ...rest] = property.split(".")
  const head = translate(first, topLevel)
  if (head === null || rest.length > 0) return property
  if (second === undefined) return head
  const member = translate(second, members.get(head.split("[", 1)[0] ?? ""))
  return member === null ? property : `${head}.${member}`
}
