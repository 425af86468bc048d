import type { Element } from "@overa/vpfr-simulator"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
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
  readonly ground: DeskGround
  /** The simulator's files by name. In memory: a test run that is killed leaves no folder of them. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

const newFolder = () => mkdtempSync(join(tmpdir(), "overa-simulator-"))
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })

const filesIn = (folder: string): Prepared["files"] =>
  new Map(readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name, parentPath }) => {
    const path = join(parentPath, name)
    return [relative(folder, path), readFileSync(path)] as const
  }))

const folderOf = (files: Prepared["files"]): string => {
  const folder = newFolder()
  for (const [name, bytes] of files) {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  return folder
}

const prepare = async (): Promise<Prepared> => {
  const ground = { database: await throwawayDatabase({ kept: true }), simulatorFiles: newFolder(), keys: newKeys() }
  const desk = await operatorDesk({ ...ground, database: { ...ground.database, drop: () => Promise.resolve() } })
  const opened = await openShop(desk)
  await desk.close()
  const files = filesIn(ground.simulatorFiles)
  remove(ground.simulatorFiles)
  return { ...opened, written: desk.written(), files, ground }
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
  const { element, files, ground, shop, written } = await (prepared ??= prepare())
  const simulatorFiles = folderOf(files)
  const desk = await operatorDesk({ database: await throwawayDatabase({ copyOf: ground.database }), simulatorFiles, keys: ground.keys })
  const close = async () => {
    await desk.close()
    remove(simulatorFiles)
  }
  return { desk: { ...desk, close, written: () => `${written}\n${desk.written()}` }, element, shop }
}
