/** The credential for "Try it out", which everybody on this machine may use. Only the sandbox has one. */
export interface TryItOut {
  readonly clientId: string
  readonly clientSecret: string
  readonly taxpayerId: string
  readonly businessPremiseId: string
}

export const referenceStyle = `body { margin: 0; background: #fff; color: #1c1c1c }
body > nav { padding: .75rem 1.25rem; font: 1rem/1.5 system-ui, sans-serif }
body > nav a { color: #0b57a4 }
/* The library's own colours have too little contrast for WCAG AA; they are drawn with more of it here. */
.swagger-ui, .swagger-ui .info .title small pre, .swagger-ui .opblock-tag small, .swagger-ui .parameter__type, .swagger-ui .parameter__in,
.swagger-ui .parameter__name.required::after, .swagger-ui .opblock-description-wrapper p, .swagger-ui .response-control-media-type__accept-message { color: #1c1c1c; opacity: 1 }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #333 }
.swagger-ui .info .title small pre { color: #fff; background: #333 }
.swagger-ui a, .swagger-ui a.link, .swagger-ui .info a { color: #0b57a4 }
.swagger-ui .btn.authorize { color: #0b5c3b; border-color: #0b5c3b }
.swagger-ui .btn.execute { background: #0b57a4; border-color: #0b57a4; color: #fff }
.swagger-ui .btn.cancel, .swagger-ui .btn-clear, .swagger-ui .parameter__name.required span { color: #a3181d; border-color: #a3181d }
.swagger-ui .opblock .opblock-summary-method, .swagger-ui .download-contents { background: #333; color: #fff; text-shadow: none }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0b5c3b }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b57a4 }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #7a4300 }
.swagger-ui .response-control-media-type__title, .swagger-ui .parameter__extension, .swagger-ui .response-control-examples__title { color: #1c1c1c }
@media (max-width: 40rem) {
  .swagger-ui .wrapper, .swagger-ui .opblock .opblock-section-header, .swagger-ui .opblock-description-wrapper { padding: 0 .5rem }
  .swagger-ui .opblock-summary, .swagger-ui .opblock-summary-method-description-wrapper { flex-wrap: wrap }
  .swagger-ui .opblock-summary-path { max-width: 100%; overflow-wrap: anywhere }
  .swagger-ui .parameters-col_name, .swagger-ui .response-col_status { min-width: 0; width: auto }
  .swagger-ui table, .swagger-ui table tbody, .swagger-ui table tr, .swagger-ui table td { display: block; width: 100% }
  .swagger-ui table thead { display: none }
  .swagger-ui .parameters-col_description input, .swagger-ui select, .swagger-ui textarea { width: 100%; max-width: 100%; min-width: 0 }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap }
  .swagger-ui .schemes-server-container, .swagger-ui .servers, .swagger-ui .servers > label { max-width: 100%; overflow: hidden }
}
`

/**
 * Starts the reference. Its addresses are those of the host it was loaded from. Where the installation offers a credential, examples contain that
 * installation's ids and a current label, requests have its token, and each gets a key of its own.
 */
export const startScript = `const exampleKey = "order-2026-000123-sale"
const newKey = () => "try-" + Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
const json = async (address, options) => (await fetch(address, options)).json()

const tokens = ({ clientId, clientSecret }, address) => {
  let kept = { token: "", until: 0 }
  return async () => {
    if (kept.until > Date.now()) return kept.token
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret })
    const answer = await json(address, { method: "POST", body })
    kept = { token: answer.access_token, until: Date.now() + (answer.expires_in - 30) * 1000 }
    return kept.token
  }
}

/** Examples of requests with ids and a label of this installation. */
const filled = async (document, offer, token) => {
  const example = document.paths["/v1/fiscal-documents"].post.requestBody.content["application/json"].example
  const query = new URLSearchParams({ taxpayerId: offer.taxpayerId, businessPremiseId: offer.businessPremiseId })
  const rates = await json("/v1/tax-rates?" + query, { headers: { Authorization: "Bearer " + await token() } })
  const label = rates.labels.find(({ categoryType }) => categoryType === 0).label
  const exampleLabel = example.items[0].taxLabels[0]
  const fill = (value, name) =>
    Array.isArray(value) ? value.map((one) => name === "taxLabels" && one === exampleLabel ? label : fill(one, ""))
    : value !== null && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, key)]))
    : value === example.taxpayerId ? offer.taxpayerId
    : value === example.businessPremiseId ? offer.businessPremiseId
    : value
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path)) {
      const content = operation.requestBody?.content["application/json"]
      if (content !== undefined) content.example = fill(content.example, "")
      for (const parameter of operation.parameters) {
        if (parameter.name in offer) parameter.example = offer[parameter.name]
      }
    }
  }
}

/** What the library draws without a name gets the one that stands beside it. */
const nameControls = () => {
  for (const control of document.querySelectorAll("#reference select, #reference textarea, #reference input")) {
    // The label around the list of servers has no words of its own.
    if (control.hasAttribute("aria-label") || (control.id !== "servers" && control.labels.length > 0)) continue
    const row = control.closest("tr")
    const name = row?.getAttribute("data-param-name") ?? (control.id === "servers" ? "Server" : control.classList.contains("body-param__text") ? "Request body" : "")
    control.setAttribute("aria-label", name || control.title || control.placeholder || "Content type")
  }
  for (const block of document.querySelectorAll("#reference pre, #reference .opblock-section-header + .table-container")) block.tabIndex = 0
}

const start = async () => {
  const document = await json("/openapi.json")
  const offer = await json("/docs/try-it-out.json")
  const flow = document.components.securitySchemes.clientCredentials.flows.clientCredentials
  const [, published] = document.servers
  // Our own token endpoint is asked at the host this page came from, whichever of its names was used.
  if (flow.tokenUrl.startsWith(published.url + "/")) flow.tokenUrl = location.origin + flow.tokenUrl.slice(published.url.length)
  document.servers = [document.servers[0]]
  const token = offer === null ? null : tokens(offer, flow.tokenUrl)
  if (token !== null) await filled(document, offer, token)
  new MutationObserver(nameControls).observe(window.document.getElementById("reference"), { childList: true, subtree: true })
  SwaggerUIBundle({
    spec: document,
    dom_id: "#reference",
    // A link inside the button of an operation is nothing that a keyboard or a screen reader can use.
    deepLinking: false,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    // Its colours have too little contrast.
    syntaxHighlight: { activated: false },
    tryItOutEnabled: token !== null,
    presets: [SwaggerUIBundle.presets.apis],
    requestInterceptor: async (request) => {
      if (!new URL(request.url, location).pathname.startsWith("/v1/")) return request
      if (token !== null) request.headers.Authorization ??= "Bearer " + await token()
      const key = Object.keys(request.headers).find((name) => name.toLowerCase() === "idempotency-key")
      if (key !== undefined && request.headers[key] === exampleKey) request.headers[key] = newKey()
      return request
    }
  })
}
start()
`
