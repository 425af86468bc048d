import type { Readable } from "node:stream"

/**
 * The stream of an answer. A reader who leaves ends it with an error, also after the framework has stopped listening to it; without a listener of its own
 * that error would end the process.
 */
export const withErrorListener = (stream: Readable): Readable => stream.on("error", () => undefined)
