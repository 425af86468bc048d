import type { WriteLine } from "./http/RequestLog.ts"

/** Lines on their way to one write; `flush` sends what has gathered at once. */
export interface GatheredLines {
  readonly write: WriteLine
  readonly flush: () => void
}

/**
 * The lines of one turn of the event loop leave together: under load a write to the system for each costs more than making the line. None
 * waits for anything but the end of the turn, so a process that is killed loses no more than that turn's.
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
