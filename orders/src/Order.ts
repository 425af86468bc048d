import type { Buyer, Cashier, PaymentType } from "@overa/client"
import type { Amount } from "./decimals.ts"

/** Off a price, before rounding: dinars, or percent of what it is taken from. */
export type Discount = { readonly amount: Amount } | { readonly percent: Amount }

/** A discount on the whole order. */
export type OrderDiscount = Discount & {
  /** Goods only, the default, or shipping too. A tip is never discounted. */
  readonly on?: "goods" | "goods and shipping"
}

/** One position of an order. Shipping and tips are positions too. */
export interface OrderLine {
  /** Unique in the order; events name it. */
  readonly id: string
  /** Goods is the default. */
  readonly kind?: "goods" | "shipping" | "tip" | "giftVoucher"
  readonly name: string
  readonly unit: string
  /** Up to three decimals. */
  readonly quantity: Amount
  /** With tax: two decimals. Without tax: up to six. */
  readonly unitPrice: Amount
  readonly taxLabels: ReadonlyArray<string>
  /** The percent that the labels stand for; only where prices are without tax. */
  readonly taxPercent?: Amount
  /** On this position alone, one after the other. */
  readonly discounts?: ReadonlyArray<Discount>
  /** 8 to 14 digits. */
  readonly gtin?: string
}

/** What was ordered, as every shop program knows it. */
export interface Order {
  /** Unique in the shop; it becomes `clientReference` and a part of each key. */
  readonly number: string
  readonly lines: ReadonlyArray<OrderLine>
  /** Whether prices and discounts in dinars are with tax. */
  readonly pricesIncludeTax: boolean
  readonly discounts?: ReadonlyArray<OrderDiscount>
  /** What rounding the total to whole dinars added, or took off with a minus. */
  readonly rounding?: Amount
  /** What the buyer was told to pay. It must be what the positions come to. */
  readonly total: Amount
  readonly buyer?: Buyer
}

/** Money of one kind. */
export interface Money {
  readonly type: PaymentType
  readonly amount: Amount
}

/** A part of a position. */
export interface LineQuantity {
  readonly line: string
  readonly quantity: Amount
}

interface Told<Type extends string> {
  /** Unique in the order and the same whenever this event is told again. */
  readonly id: string
  readonly type: Type
}

/** Goods that come back, or are not sent, and the money given back for them; null where none was. */
export interface GivenBack extends Told<"partlyCancelled" | "partlyRefunded" | "returned"> {
  /** Left out: all that is left of the order. */
  readonly lines?: ReadonlyArray<LineQuantity>
  readonly givenBack: ReadonlyArray<Money> | null
  /** Who gets it, `prefix:value`; left out: the order's buyer. */
  readonly buyerId?: string
}

/** Another price for a part of a position. */
export interface PriceCorrected extends Told<"priceCorrected">, LineQuantity {
  /** With tax. */
  readonly unitPrice: Amount
  /** The difference as it was paid or given back; null where the buyer has not paid yet. */
  readonly settled: Money | null
  readonly buyerId?: string
}

/** Money given back while the buyer keeps the goods: what they cost is less, in proportion and to the para. */
export interface PriceReduced extends Told<"priceReduced"> {
  /** Whose price it is off. Left out: all that is left of the order. */
  readonly lines?: ReadonlyArray<LineQuantity>
  readonly givenBack: ReadonlyArray<Money>
  /** Who gets it, `prefix:value`; left out: the order's buyer. */
  readonly buyerId?: string
}

/** Everything that happens to an order and means something to its receipts. */
export type OrderEvent =
  | Told<"placed"> & { readonly order: Order }
  /** Money that came before or without a delivery: the whole sum, or a deposit. */
  | Told<"paid" | "depositPaid"> & {
    readonly payments: ReadonlyArray<Money>
    /** When a wire transfer arrived, only if on an earlier day (Belgrade) than it is recorded. */
    readonly occurredAt?: string
  }
  /** The buyer will pay whoever brings the parcel. */
  | Told<"cashOnDelivery"> & { readonly by: PaymentType }
  /** The money of the parcel came. */
  | Told<"collected"> & { readonly amount: Amount }
  | Told<"shipped" | "delivered">
  /** The parcel was not taken. `givenBack`: a deposit that was given back. */
  | Told<"refused"> & { readonly givenBack: ReadonlyArray<Money> | null; readonly buyerId?: string }
  | GivenBack
  | PriceCorrected
  | PriceReduced

/** What a shop chooses once. */
export interface Settings {
  /** The beginning of every key: another one for each shop and each environment of an organization. */
  readonly shop: string
  readonly taxpayerId: string
  readonly businessPremiseId: string
  readonly cashier: Cashier
  /** Decides the prescribed names of advances. */
  readonly environment: "sandbox" | "production"
  /** When the receipt of an order that is paid beforehand is due. Money that comes earlier gets an advance receipt. */
  readonly prepaidDue: "paid" | "shipped" | "delivered"
  /** When the receipt of a parcel that is paid at the door is due. */
  readonly cashOnDeliveryDue: "shipped" | "delivered" | "collected"
  /** Who stands on refunds and closings where neither event nor order identifies the buyer; left out: such an event waits. */
  readonly unidentifiedBuyerId?: string
}
