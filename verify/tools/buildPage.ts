import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { pageStyle } from "./pageStyle.ts"

const entry = fileURLToPath(new URL("../src/page/main.ts", import.meta.url))

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

const bundled = async (): Promise<string> => {
  const bundle = await rolldown({ input: entry, platform: "browser", logLevel: "silent", resolve: { conditionNames: ["@overa/source", "import", "browser", "default"] } })
  const { output } = await bundle.generate({ format: "iife", minify: true })
  await bundle.close()
  const [chunk] = output.filter(({ type }) => type === "chunk")
  if (chunk?.type !== "chunk" || chunk.imports.length > 0) throw new Error("the page's program is not one piece")
  // The end tag may occur in a text of the program, and only there.
  return chunk.code.replaceAll("</script", "<\\/script")
}

/**
 * One HTML file with everything in it: program, style, the reader of QR codes. It loads nothing and connects to nothing, and its policy enforces
 * that.
 */
export const buildPage = async (): Promise<string> => {
  const program = await bundled()
  const qrReader = (await readFile(new URL(import.meta.resolve("zxing-wasm/reader/zxing_reader.wasm")))).toString("base64")
  const policy = `default-src 'none'; script-src ${hashOf(program)} 'wasm-unsafe-eval'; style-src ${hashOf(pageStyle)}; img-src blob:; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="sr-Cyrl">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Overa: verify</title>
<style>${pageStyle}</style>
</head>
<body>
<main id="page"></main>
<noscript>This page computes on your own device and needs JavaScript for it. The command overa-verify does not.</noscript>
<script type="text/plain" id="qr-reader">${qrReader}</script>
<script>${program}</script>
</body>
</html>
`
}
