/** The drawing processes' entry. What goes wrong in a native or WebAssembly library here cannot take the host along. */
import workerpool from "workerpool"
import { draw } from "./draw.ts"
import type { DrawAnswer, RenderJob } from "./RenderJob.ts"

// Ctrl-C in a terminal reaches every process; the host ends this one when its own requests are answered.
process.on("SIGINT", () => {})

workerpool.worker({
  draw: (job: RenderJob): Promise<DrawAnswer> => draw(job).then((rendered) => ({ rendered }), (bug: unknown) => ({ bug }))
})
