/** Turns one logo into its bitmap and ends. Started with a limit on its memory, and killed when it takes too long. */
import type { BrandingLogo } from "@overa/domain"
import { logoBitmap } from "./logoBitmap.ts"

// The time limit of a logo begins when this program has loaded.
process.send?.("ready")
process.once("message", async (logo) => {
  process.send?.(await logoBitmap(logo as BrandingLogo), () => process.disconnect())
})
