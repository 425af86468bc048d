/** Reads one file and ends: everything it held unencrypted ends with the process. */
import { parsePfx, PfxRefused } from "./parsePfx.ts"
import type { PfxAnswer, PfxQuestion } from "./readPfx.ts"

const read = ({ atMillis, bytes, password }: PfxQuestion): PfxAnswer => {
  try {
    return { file: parsePfx(bytes, password, atMillis) }
  } catch (error) {
    const refused = error instanceof PfxRefused ? error : new PfxRefused("NOT_A_PFX", "the PFX file is damaged")
    return { fault: refused.fault, detail: refused.message }
  }
}

process.once("message", (question: PfxQuestion) => {
  process.send?.(read(question), () => process.disconnect())
})
