import { fstatSync } from "node:fs"

const interval = 500

const stdinIsPipe = (): boolean => {
  try {
    const stdin = fstatSync(0)
    return stdin.isFIFO() || stdin.isSocket()
  } catch {
    return false
  }
}

/**
 * Calls back once when the parent process has ended: standard input closes, the channel disconnects, or this process has another parent. Only the
 * last works for every way of starting, so it is checked regularly.
 */
export const whenParentDies = (callback: () => void): void => {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid !== parent) fire()
  }, interval)
  const fire = (): void => {
    clearInterval(timer)
    callback()
  }
  timer.unref()
  process.once("disconnect", fire)
  // An empty standard input such as /dev/null ends at once and means nothing.
  if (stdinIsPipe()) process.stdin.once("end", fire).once("close", fire).resume()
}
