import type { LineItem } from "@overa/domain"

/** A line of a document as a request that gives it back names it; a member that is null counts as absent. */
export const lineMembers = ({ catalogProductId, gtin, name, quantity, taxLabels, unitOfMeasure, unitPrice, unitPriceBeforeDiscount }: LineItem) =>
  ({ catalogProductId, gtin, name, quantity, taxLabels, unitOfMeasure, unitPrice, unitPriceBeforeDiscount })
