import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { open, readFile, rename } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { syncDirectory } from "./syncDirectory.ts"

/** The simulator's durable data: keys, elements, tax rates and every signed receipt. */
export interface DataDirectory {
  readonly pathOf: (name: string) => string
  /** The file's text, or null when there is none yet. */
  readonly read: (name: string) => Promise<string | null>
  /** Replaces the file as a whole: after a crash it holds either the old text or the new one. */
  readonly write: (name: string, text: string) => Promise<void>
  readonly close: () => void
}

const openHere = new Set<string>()

const isAlive = (processId: number): boolean => {
  try {
    process.kill(processId, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

const longestMillis = 3000
const interval = 50

const claim = (path: string): boolean => {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" })
    return true
  } catch {
    return false
  }
}

/** The running process that holds the lock; null where that process has ended, or its id is now this process's. */
const holderOf = (path: string): number | null => {
  try {
    const holder = Number(readFileSync(path, "utf8"))
    return holder > 0 && holder !== process.pid && isAlive(holder) ? holder : null
  } catch {
    return null
  }
}

/**
 * Two simulators with one directory would use the same receipt numbers, so the second one refuses to start. It waits a little first: the holder may
 * be stopping because its parent process ended.
 */
const lock = async (directory: string): Promise<string> => {
  const path = join(directory, "simulator.lock")
  if (openHere.has(directory)) throw new Error(`The data directory ${directory} is already open in this process.`)
  openHere.add(directory)
  for (let waited = 0; !claim(path); waited += interval) {
    const holder = holderOf(path)
    if (holder === null) rmSync(path, { force: true })
    else if (waited < longestMillis) await wait(interval)
    else {
      openHere.delete(directory)
      throw new Error(`The data directory ${directory} is in use by process ${holder}; stop it or name another directory.`)
    }
  }
  return path
}

const replaceFile = async (path: string, text: string): Promise<void> => {
  const draft = `${path}.new`
  const handle = await open(draft, "w", 0o600)
  try {
    await handle.writeFile(text)
    await handle.datasync()
  } finally {
    await handle.close()
  }
  await rename(draft, path)
  await syncDirectory(dirname(path))
}

/** Without a path a temporary directory is used, which is deleted on close. */
export const openDataDirectory = async (path: string | undefined): Promise<DataDirectory> => {
  const directory = path === undefined ? mkdtempSync(join(tmpdir(), "overa-vpfr-simulator-")) : resolve(path)
  mkdirSync(join(directory, "keys"), { recursive: true, mode: 0o700 })
  const lockFile = await lock(directory)
  return {
    pathOf: (name) => join(directory, name),
    read: (name) =>
      readFile(join(directory, name), "utf8").catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === "ENOENT") return null
        throw cause
      }),
    write: (name, text) => replaceFile(join(directory, name), text),
    close: () => {
      openHere.delete(directory)
      rmSync(lockFile, { force: true })
      if (path === undefined) rmSync(directory, { recursive: true, force: true })
    }
  }
}
