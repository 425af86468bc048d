import type pg from "pg"
import type { Installation } from "./Installation.ts"

/** An order that the trial placed. */
export interface Bought {
  readonly id: string
  /** Its number, which receipts name. */
  readonly code: string
}

/** A real shop engine with its sample data and the plugin, as the trial drives it through its public APIs. */
export interface Engine {
  /** Installs it and stores its sample data, without the plugin. */
  readonly prepare: () => Promise<void>
  /** Installs the plugin and migrates the database; answers the milliseconds of what a shop has to wait for. */
  readonly plugIn: () => Promise<number>
  readonly run: () => Promise<void>
  /** Builds the admin's pages, which are there from the next start on; answers where they are and who signs in. */
  readonly buildAdmin: () => Promise<string>
  /** As a machine that loses power. */
  readonly kill: () => Promise<void>
  /** Deletes what it wrote beside the database. */
  readonly clean: () => void
  /** Fills in the settings as the shop's administrator does; `label` is the tax label of every rate. */
  readonly connect: (service: Installation, label: string) => Promise<void>
  readonly correctLabels: (label: string) => Promise<void>
  /** Buys, pays, and does what the order's number says: refunds, cancels, calls off. */
  readonly buy: (number: number) => Promise<Bought>
  /** What the order says in the engine's admin. */
  readonly statusOf: (id: string) => Promise<string>
  /** What orders with a payment say while not everything is signed. */
  readonly unsigned: (database: pg.Client) => Promise<ReadonlyArray<string>>
  /** Paras by order: what its buyer paid, less what was given back, from the engine's own rows. */
  readonly paidByOrder: (database: pg.Client) => Promise<ReadonlyMap<string, number>>
  /** What the storefront's API lacks of an order's number, link and PDF. */
  readonly faultAtStorefront: (bought: Bought) => Promise<string | null>
  /** Receipts whose mail is missing, beyond what the engine loses when it is killed so often; nothing where the engine sends none. */
  readonly unmailed: (numbers: ReadonlyArray<string>, kills: number) => Promise<ReadonlyArray<string>>
}
