import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Middleware } from "koa"
import { postmanCollection } from "./postmanCollection.ts"
import { referenceStyle, startScript, type TryItOut } from "./referencePage.ts"
import type { PublicRoute } from "../http/router.ts"
import { operations } from "../operations/operations.ts"
import { type ContractAddresses, openApiDocument } from "./openApiDocument.ts"
import { contractYaml } from "./contractYaml.ts"

const interfaceFiles = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"))

/** What the reference page may load: its own files. It may request tokens at the token endpoint. */
const pagePolicy = (tokenUrl: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${new URL(tokenUrl).origin}; ` +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Overa: reference</title>
<link rel="icon" href="/docs/favicon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/reference.css">
</head>
<body>
<nav aria-label="Documentation"><a href="/docs/pages">Guides, error codes, glossary</a> · <a href="/openapi.yaml">openapi.yaml</a> · <a href="/openapi.json">openapi.json</a> · <a href="/docs/postman-collection.json" download>Postman collection</a></nav>
<main id="reference"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** The machine-readable contract and the interactive reference to it, both public and without files from other servers. */
export const contractRoutes = (addresses: ContractAddresses, tryItOut: TryItOut | null = null): ReadonlyArray<PublicRoute> => {
  const document = openApiDocument(operations, addresses)
  // Written before the host serves: it takes long enough to delay sales.
  const yaml = contractYaml(addresses)
  const policy = pagePolicy(addresses.tokenUrl)
  const file = (path: string, mediaType: string, read: () => string | Buffer) => fileRoute(path, mediaType, policy, read)
  return [
    redirect("/"),
    redirect("/docs/"),
    file("/openapi.yaml", "application/yaml; charset=utf-8", () => yaml),
    file("/openapi.json", "application/json", () => JSON.stringify(document)),
    file("/docs/postman-collection.json", "application/json", () => JSON.stringify(postmanCollection(document, tryItOut))),
    file("/docs", "text/html; charset=utf-8", () => page),
    file("/docs/start.js", "text/javascript; charset=utf-8", () => startScript),
    file("/docs/try-it-out.json", "application/json", () => JSON.stringify(tryItOut)),
    file("/docs/reference.css", "text/css; charset=utf-8", () => referenceStyle),
    file("/docs/swagger-ui.css", "text/css; charset=utf-8", () => readFileSync(join(interfaceFiles, "swagger-ui.css"))),
    file("/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8", () =>
      readFileSync(join(interfaceFiles, "swagger-ui-bundle.js"))),
    file("/docs/favicon.png", "image/png", () => readFileSync(join(interfaceFiles, "favicon-32x32.png")))
  ]
}

/** The address without a path leads to the documentation. */
const redirect = (path: string): PublicRoute => ({
  method: "GET",
  path,
  serve: (context) => context.redirect("/docs")
})

/** Read on the first request, then kept. */
const fileRoute = (path: string, mediaType: string, policy: string, read: () => string | Buffer): PublicRoute => {
  let content: string | Buffer | null = null
  const serve: Middleware = (context) => {
    content ??= read()
    context.set("Content-Type", mediaType)
    context.set("Content-Security-Policy", policy)
    context.set("Cache-Control", "public, max-age=300")
    context.body = content
  }
  return { method: "GET", path, serve }
}
