import type { Element } from "@overa/vpfr-simulator"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type DeskGround, newKeys, type OperatorDesk, operatorDesk } from "./operatorDesk.ts"
import { databasesAreOwn, throwawayDatabase } from "./throwawayDatabase.ts"
import { openShop, type Shop } from "./openShop.ts"

/** An operator's desk with one organization that has a sandbox shop. */
export interface ShopDesk {
  readonly desk: OperatorDesk
  readonly shop: Shop
  /** The element that the shop issues with, as issued. */
  readonly element: Element
}

interface Prepared extends Omit<ShopDesk, "desk"> {
  readonly written: string
  readonly ground: DeskGround & { readonly simulatorFiles: string }
}

const newFolder = () => mkdtempSync(join(tmpdir(), "overa-simulator-"))

const prepare = async (): Promise<Prepared> => {
  const ground = { database: await throwawayDatabase({ kept: true }), simulatorFiles: newFolder(), keys: newKeys() }
  const kept = newFolder()
  process.once("exit", () => rmSync(kept, { recursive: true, force: true }))
  const desk = await operatorDesk({ ...ground, database: { ...ground.database, drop: () => Promise.resolve() } })
  const opened = await openShop(desk)
  await desk.simulator.stop()
  cpSync(ground.simulatorFiles, kept, { recursive: true })
  await desk.close()
  return { ...opened, written: desk.written(), ground: { ...ground, simulatorFiles: kept } }
}

let prepared: Promise<Prepared> | undefined

/**
 * Opens one. The first of a process is made as an operator makes it, by ten commands, which takes two seconds; each test gets a copy of that: its database,
 * its keys, and the simulator's certificates and elements.
 */
export const shopDesk = async (): Promise<ShopDesk> => {
  if (!databasesAreOwn) {
    const desk = await operatorDesk()
    return { desk, ...await openShop(desk) }
  }
  const { element, ground, shop, written } = await (prepared ??= prepare())
  const simulatorFiles = newFolder()
  cpSync(ground.simulatorFiles, simulatorFiles, { recursive: true })
  const desk = await operatorDesk({ database: await throwawayDatabase({ copyOf: ground.database }), simulatorFiles, keys: ground.keys })
  return { desk: { ...desk, written: () => `${written}\n${desk.written()}` }, element, shop }
}
