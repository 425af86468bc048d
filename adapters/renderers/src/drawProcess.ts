/** The entry point of the drawing processes. A crash of a native or WebAssembly library here cannot end the host. */
import workerpool from "workerpool"
import { draw } from "./draw.ts"
import type { DrawAnswer, RenderJob } from "./RenderJob.ts"

// Ctrl-C in a terminal reaches every process; the host ends this one when the host's own requests are answered.
process.on("SIGINT", () => {})

workerpool.worker({
  draw: (job: RenderJob): Promise<DrawAnswer> => draw(job).then((rendered) => ({ rendered }), (bug: unknown) => ({ bug }))
})
