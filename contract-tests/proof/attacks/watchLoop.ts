/** Loaded into the attacked host before its own code: answers for how long its event loop was blocked at most since the last call. */
import { monitorEventLoopDelay } from "node:perf_hooks"

const resolutionMillis = 2
const delay = monitorEventLoopDelay({ resolution: resolutionMillis })
delay.enable()
process.on("message", (asked) => {
  if (asked !== "loop") return
  process.send?.(delay.max / 1_000_000 - resolutionMillis)
  delay.reset()
})
// The channel alone must not keep the host's process alive.
process.channel?.unref()
