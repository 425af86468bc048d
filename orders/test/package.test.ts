import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { expect, it } from "vitest"

it("the package is one small file that needs no other", async () => {
  const bundle = await rolldown({ input: "orders/src/index.ts", platform: "browser", logLevel: "silent" })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  expect(output).toHaveLength(1)
  expect(output[0].imports).toEqual([])
  expect(gzipSync(output[0].code).byteLength).toBeLessThan(8_000)
})
