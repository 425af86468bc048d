export { type Amount, fromMinorUnits } from "./decimals.ts"
export { answered, failed, type FiscalRequest, nextRequest, type OrderProgress, type Progress } from "./nextRequest.ts"
export type {
  Discount, GivenBack, LineQuantity, Money, Order, OrderDiscount, OrderEvent, OrderLine, PriceCorrected, PriceReduced, Settings
} from "./Order.ts"
export { costOf, type Plan, planOrder, type Remark } from "./planOrder.ts"
export type { Step } from "./Step.ts"
