import { NewProductShape, ProductReplacementShape } from "@overa/domain"
import { integer, type JsonSchema, list, memberSchema, nullable, object, ref, utcTime, uuid } from "@overa/host-kit/contract"

const member = (name: string) => memberSchema(NewProductShape, name)
const content = Object.fromEntries(["sku", "gtin", "name", "unitOfMeasure", "grossUnitPrice", "taxLabels"].map((name) => [name, member(name)]))

/** The catalogue: answers. Source: Spec, Resources, Product; Catalogue operations. */
export const productSchemas: Readonly<Record<string, JsonSchema>> = {
  Product: object("A product of a taxpayer's catalogue. Receipts keep their own copy of what they sold.", {
    id: uuid("The product."),
    taxpayerId: uuid("The taxpayer of the product."),
    ...content,
    unitOfMeasure: nullable(member("unitOfMeasure")),
    isActive: memberSchema(ProductReplacementShape, "isActive"),
    createdAt: utcTime("When it was made."),
    updatedAt: utcTime("When it last changed.")
  }),
  ProductPage: object("Products, newest first.", {
    items: list("The products.", ref("Product")),
    nextCursor: nullable(uuid("Send it as `cursor` for the next page; null at the end."))
  }),
  ProductImportResult: object("The result of an import.", {
    created: integer("Products made.", { minimum: 0 }),
    updated: integer("Products replaced.", { minimum: 0 }),
    total: integer("Rows of the file.", { minimum: 1, maximum: 1_000 })
  })
}
