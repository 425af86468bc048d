/** Reads one file and ends: the process and everything it held in clear are gone afterwards. */
import { parsePfx, PfxRefused } from "./parsePfx.ts"
import type { PfxAnswer, PfxQuestion } from "./readPfx.ts"

const read = ({ bytes, password }: PfxQuestion): PfxAnswer => {
  try {
    return { file: parsePfx(bytes, password) }
  } catch (error) {
    const refused = error instanceof PfxRefused ? error : new PfxRefused("NOT_A_PFX", "the PFX file is damaged")
    return { fault: refused.fault, detail: refused.message }
  }
}

process.once("message", (question: PfxQuestion) => {
  process.send?.(read(question), () => process.disconnect())
})
