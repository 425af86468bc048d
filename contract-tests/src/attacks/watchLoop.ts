/** Loaded into the attacked host before its own code: answers how long its event loop was away at most since it was last asked. */
import { monitorEventLoopDelay } from "node:perf_hooks"

const resolutionMillis = 2
const delay = monitorEventLoopDelay({ resolution: resolutionMillis })
delay.enable()
process.on("message", (asked) => {
  if (asked !== "loop") return
  process.send?.(delay.max / 1_000_000 - resolutionMillis)
  delay.reset()
})
// The channel alone must not keep a host from ending.
process.channel?.unref()
