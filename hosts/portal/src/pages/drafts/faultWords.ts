type Words = readonly [serbian: string, english: string]

interface FaultWords {
  /** The form's field, without the number of its line. */
  readonly field: string
  readonly words: Words
}

const known: Readonly<Record<string, FaultWords>> = {
  "/items/name": { field: "name", words: ["Унесите назив; са јединицом мере сме да има највише 2048 знакова.", "Enter the name; with its unit it may have at most 2,048 characters."] },
  "/items/unitOfMeasure": { field: "unit", words: ["Унесите јединицу мере, нпр. ком.", "Enter the unit, pc for example."] },
  "/items/quantity": { field: "quantity", words: ["Унесите количину већу од нуле, највише три децимале, нпр. 1,5.", "Enter a quantity above zero with at most three decimals, 1,5 for example."] },
  "/items/unitPrice": { field: "price", words: ["Унесите цену и попуст од 0 до 100, нпр. 1.250,50 и 10.", "Enter the price, and a discount between 0 and 100: 1.250,50 and 10 for example."] },
  "/items/unitPriceBeforeDiscount": { field: "price", words: ["Цена пре попуста мора бити већа од цене са попустом.", "The price before the discount must be higher than the one after it."] },
  "/items/gtin": { field: "gtin", words: ["Баркод има 8 до 14 цифара; оставите празно ако га нема.", "A barcode has 8 to 14 digits; leave it empty if there is none."] },
  "/items/catalogProductId": { field: "name", words: ["Овај производ више није у каталогу.", "This product is not in the catalogue any more."] },
  "/items/taxLabels": { field: "labels", words: ["Унесите пореску ознаку која сада важи, нпр. А или Ђ.", "Enter a tax label that is in force now."] },
  "/items/": { field: "price", words: ["Износ ставке је превелик.", "The amount of this line is too large."] },
  "/items": { field: "name-0", words: ["Проверите ставке.", "Check the items."] },
  "/payments/type": { field: "payment", words: ["Изаберите начин плаћања.", "Choose the kind of payment."] },
  "/payments/amount": { field: "amount", words: ["Унесите износ у динарима, нпр. 1.250,50.", "Enter an amount in dinars, 1.250,50 for example."] },
  "/payments": { field: "amount", words: ["Плаћања заједно морају бити једнака укупном износу. Последње без износа плаћа остатак.", "The payments must equal the total. The last one without an amount pays the rest."] },
  "/totals": { field: "amount", words: ["Износи нису исправни. Плаћања заједно морају бити једнака укупном износу.", "The amounts are wrong. The payments must equal the total."] },
  "/buyer": { field: "buyer", words: ["Идентификација купца није исправна, нпр. 10:100000008 (ПИБ) или 11:0101990710009 (ЈМБГ).", "The buyer's identification is wrong; 10:100000008 (tax id) or 11:0101990710009 (personal number) for example."] },
  "/clientReference": { field: "reference", words: ["Унесите ознаку: 1 до 200 знакова.", "Enter a reference of 1 to 200 characters."] },
  "/cashier": { field: "cashier", words: ["Унесите име касира: највише 50 знакова.", "Enter the cashier's name: at most 50 characters."] },
  "/paymentOccurredAt": { field: "occurred", words: ["Дан мора бити пре данашњег, а међу плаћањима мора бити пренос на рачун.", "The day must be before today, and one of the payments must be a wire transfer."] },
  "/businessPremiseId": { field: "premise", words: ["Изаберите пословни простор.", "Choose the premise."] }
}

/** Which field is wrong, and what to correct, by the place of a fault in the request. */
export const faultWords = (place: string): FaultWords =>
  known[place] ?? known[place.slice(0, place.lastIndexOf("/"))] ?? { field: "kind", words: ["Проверите унос.", "Check the entries."] }

/** The place of a fault without the number of its line: `/items/name` for `/items/2/name`. */
export const placeOfFault = (pointer: string): string => {
  const [, list = "", index = "", member = ""] = pointer.split("/")
  return index === "" ? `/${list}` : `/${list}/${member}`
}
