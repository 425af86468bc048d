import type { WriteLine } from "@overa/host-kit"

/** Lines collected for one write; `flush` writes the collected ones at once. */
export interface GatheredLines {
  readonly write: WriteLine
  readonly flush: () => void
}

/**
 * The lines of one turn of the event loop are written together: under load, one write to the system for each line costs more than producing it. No
 * line waits longer than the end of the turn, so a process that is killed loses only that turn's lines.
 */
export const gatherLines = (writeText: (text: string) => void): GatheredLines => {
  let gathered = ""
  const flush = (): void => {
    if (gathered === "") return
    const text = gathered
    gathered = ""
    writeText(text)
  }
  return {
    write: (line) => {
      if (gathered === "") setImmediate(flush)
      gathered += `${line}\n`
    },
    flush
  }
}
