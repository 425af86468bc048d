import { type Attack, open, repeated } from "./attackKinds.ts"
import { ask, type Ground, keepDoing, saleOf } from "./Ground.ts"

/** Issues this many receipts for the reads that follow. Returns the id of the last one. */
const receipts = async (ground: Ground, token: string, count: number, body: string): Promise<string> => {
  let [left, id] = [count, ""]
  const enough = new AbortController()
  await keepDoing(32, enough.signal, async () => {
    if (left <= 0) return enough.abort()
    left -= 1
    const sold = await ask(ground.url, token, "/v1/fiscal-documents", body)
    if (sold.status === 201) id = (JSON.parse(sold.text) as { readonly id: string }).id
    else left += 1
  })
  return id
}

/** A GET with its answer read to the end. */
const reads = (name: string, what: string, workers: number, prepare: (ground: Ground, token: string) => Promise<(turn: number) => string>): Attack =>
  repeated(name, what, workers, async (ground, token) => {
    const pathOf = await prepare(ground, token)
    return (turn) => ask(ground.url, token, pathOf(turn))
  })

/** A file of a thousand products with rows of the greatest length. */
const productFile = (label: string): string =>
  ["sku,name,gtin,unitOfMeasure,grossUnitPrice,taxLabels,isActive", ...Array.from({ length: 1_000 }, (_, row) => `"s${row}","${"ж".repeat(1_000)}","","ком",10,"${label}",true`)].join("\r\n")

const csv = async (url: string, token: string, path: string, body: string) => {
  const answer = await fetch(url + path, { method: "POST", headers: { authorization: `Bearer ${token}`, "content-type": "text/csv" }, body })
  return { status: answer.status, text: await answer.text() }
}

/** A token with the header and claims of a real one and a wrong signature: the host must verify it to know. */
const forged = (token: string): string => `${token.slice(0, token.lastIndexOf("."))}.${"A".repeat(342)}`

/** Attacks on reads, files, tokens and the portal. */
export const newerAttacks: ReadonlyArray<Attack> = [
  reads("exports", "the export of 2 000 documents, 64 connections", 64, async (ground, token) => {
    await receipts(ground, token, 2_000, saleOf(ground))
    return () => "/v1/journal/export"
  }),
  reads("searches", "a search for what nobody has, 64 connections", 64, async (ground, token) => {
    await receipts(ground, token, 500, saleOf(ground, 20, 200))
    return (turn) => `/v1/journal?pageSize=200&text=${encodeURIComponent(`нема ${turn}`)}`
  }),
  reads("turnovers", "the turnover of everything by everything, 64 connections", 64, async (ground, token) => {
    await receipts(ground, token, 500, saleOf(ground))
    return () => "/v1/reports/turnover?groupBy=day&groupBy=taxLabel&groupBy=paymentType&groupBy=cashier"
  }),
  reads("large-pages", "pages of 100 receipts of 850 kB, 16 connections", 16, async (ground, token) => {
    await receipts(ground, token, 100, saleOf(ground, 480, 860))
    return () => "/v1/journal?pageSize=200"
  }),
  reads("proofs", "the proof of a receipt of 400 long lines, 64 connections", 64, async (ground, token) => {
    const id = await receipts(ground, token, 1, saleOf(ground, 400, 900))
    return () => `/v1/fiscal-documents/${id}/proof`
  }),
  repeated("dry-runs", "dry runs of 480 items of 1 000 letters, 64 connections", 64, (ground, token) => {
    const body = saleOf(ground, 480, 860)
    return Promise.resolve(() => ask(ground.url, token, "/v1/fiscal-documents/dry-run", body))
  }),
  repeated("small-dry-runs", "dry runs of three items as fast as 64 connections can", 64, (ground, token) => {
    const body = saleOf(ground, 3)
    return Promise.resolve(() => ask(ground.url, token, "/v1/fiscal-documents/dry-run", body))
  }),
  repeated("imports", "files of 1 000 products with long names, 16 connections", 16, (ground, token) => {
    const file = productFile(ground.label)
    return Promise.resolve(() => csv(ground.url, token, `/v1/products/import?taxpayerId=${ground.shop.taxpayerId}`, file))
  }),
  repeated("forged-tokens", "tokens with a real key's name and no signature, 64 connections", 64, (ground, token) => {
    const bad = forged(token)
    return Promise.resolve(() => ask(ground.url, bad, "/v1/taxpayers"))
  }),
  open("documentation-search", "the search of the documentation, 64 connections", 64, ({ url }) => fetch(`${url}/docs/search?q=e+t+a+o+i+n+s+r`)),
  open("sign-ins", "the portal's sign-in with wrong passwords, 64 connections", 64, ({ portalUrl }) =>
    fetch(`${portalUrl}/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: portalUrl },
      body: new URLSearchParams({ email: `a${Math.random()}@attack.example`, password: "x".repeat(40) })
    })),
  open("portal-forms", "forms of 5 MB from nobody to the portal, 200 connections", 200, ({ portalUrl }) =>
    fetch(`${portalUrl}/catalogue/import`, { method: "POST", redirect: "manual", headers: { origin: portalUrl }, body: new URLSearchParams({ csv: "x".repeat(5_000_000) }) }))
]
