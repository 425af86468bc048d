import { parentPort, workerData } from "node:worker_threads"
import { parsePfx, PfxRefused } from "./parsePfx.ts"

/** One file per thread: the thread and everything it held in clear are gone afterwards. */
const { bytes, password } = workerData as { readonly bytes: Uint8Array; readonly password: string }

const answer = () => {
  try {
    return { file: parsePfx(bytes, password) }
  } catch (error) {
    const refused = error instanceof PfxRefused ? error : new PfxRefused("NOT_A_PFX", "the PFX file is damaged")
    return { fault: refused.fault, detail: refused.message }
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(answer())
