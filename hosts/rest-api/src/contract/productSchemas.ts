import { noControls } from "./requestSchemas.ts"
import { decimal, flag, integer, type JsonSchema, list, nullable, object, ref, text, utcTime, uuid } from "./JsonSchema.ts"

const sku = text("Your own name of the product; one product of the taxpayer has it, compared character for character.", { minLength: 1, maxLength: 100, ...noControls })
const gtin = text("Its trade item number, where it has one.", { minLength: 1, maxLength: 32, ...noControls })
const name = text("What it is called.", { minLength: 1, maxLength: 500, ...noControls })
const unitOfMeasure = text("What it is counted in.", { minLength: 1, maxLength: 50, ...noControls })
const grossUnitPrice = decimal("Price of one unit with tax, dinars, at most two decimals.", { minimum: 0, maximum: 999_999_999_999.99, multipleOf: 0.01 })
const taxLabels = list("Labels of the tax-rate read; whether they are current is asked when a receipt is issued.", text("A label.", { minLength: 1, maxLength: 50, ...noControls }), {
  minItems: 1,
  uniqueItems: true
})
const isActive = flag("An inactive product stays in the catalogue and on its receipts.")

/** The catalogue: requests and answers. Source: Spec, Resources, Product; Catalogue operations. */
export const productSchemas: Readonly<Record<string, JsonSchema>> = {
  NewProduct: object("A product to be made; it starts active.", {
    taxpayerId: uuid("Whose product it is; never changes."),
    sku,
    gtin: nullable(gtin),
    name,
    unitOfMeasure,
    grossUnitPrice,
    taxLabels
  }, ["gtin"]),
  ProductReplacement: object("Every editable field of a product.", {
    sku,
    gtin: nullable(gtin),
    name,
    unitOfMeasure,
    grossUnitPrice,
    taxLabels,
    isActive
  }, ["gtin"]),
  Product: object("A product of a taxpayer's catalogue. Receipts keep their own copy of what they sold.", {
    id: uuid("The product."),
    taxpayerId: uuid("Whose product it is."),
    sku,
    gtin: nullable(gtin),
    name,
    unitOfMeasure: nullable(unitOfMeasure),
    grossUnitPrice,
    taxLabels,
    isActive,
    createdAt: utcTime("When it was made."),
    updatedAt: utcTime("When it last changed.")
  }),
  ProductPage: object("Products, newest first.", {
    items: list("The products.", ref("Product")),
    nextCursor: nullable(uuid("Send it as `cursor` for the next page; null at the end."))
  }),
  ProductImportResult: object("What an import did.", {
    created: integer("Products made.", { minimum: 0 }),
    updated: integer("Products replaced.", { minimum: 0 }),
    total: integer("Rows of the file.", { minimum: 1, maximum: 1_000 })
  })
}
