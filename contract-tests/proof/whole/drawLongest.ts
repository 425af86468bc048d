/** Draws the longest receipt of the contract, and tells what that took: a process of its own, because a peak of memory is the process's. */
import { composeLayout, draw } from "@overa/adapter-renderers"
import { maximumSignedNameLength } from "@overa/domain"
import { sampleItem, sampleReceipt } from "../../src/support/sampleReceipts.ts"

const longestName = "Шл".repeat(maximumSignedNameLength / 2).slice(0, maximumSignedNameLength - "/ком".length)
const items = Array.from({ length: 1_000 }, () =>
  sampleItem(longestName, "ком", "99999999999.999", "0.01", "Ђ", { gtin: "12345678901234", before: "999999999999.99" }))
const before = process.cpuUsage()
const { bytes } = await draw({ layout: composeLayout(sampleReceipt("NORMAL", "SALE", { items }), null), paper: "a4", output: "png" })
const { system, user } = process.cpuUsage(before)
process.send?.({
  size: [Buffer.from(bytes).readUInt32BE(16), Buffer.from(bytes).readUInt32BE(20)],
  processorSeconds: (user + system) / 1e6,
  peakMegabytes: process.resourceUsage().maxRSS / 1e3
})
