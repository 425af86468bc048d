import { connect } from "node:net"
import { type Attack, bodies, counted, megabyte, open } from "./attackKinds.ts"
import { connectionAttacks } from "./connectionAttacks.ts"
import { ask, keepDoing, saleOf, tokenOf } from "./Ground.ts"
import { newerAttacks } from "./newerAttacks.ts"

/** What a host does on an ordinary day: it has then compiled its code and taken the memory that its work needs. */
export const ordinaryDay: Attack = {
  name: "ordinary-day",
  what: "sales of 16 connections, each with its files",
  run: async (ground, until) => {
    const { count, seen } = counted()
    const token = await tokenOf(ground)
    const formats = ["pdf-a4", "pdf-80mm", "pdf-58mm", "preview-png", "canonical-json"]
    let next = 0
    await keepDoing(16, until, async () => {
      const sold = await ask(ground.url, token, "/v1/fiscal-documents", saleOf(ground, 3))
      count(sold.status)
      next += 1
      if (sold.status !== 201 || next % 20 > 0) return
      const { id = "" } = JSON.parse(sold.text) as { readonly id?: string }
      count((await ask(ground.url, token, `/v1/fiscal-documents/${id}/representations/${formats[(next / 20) % formats.length]}`)).status)
    })
    return seen
  }
}

const pdfs: Attack = {
  name: "pdfs",
  what: "300 requests at once for the PDF of a receipt of 400 long lines",
  run: async (ground, until) => {
    const { count, seen } = counted()
    const token = await tokenOf(ground)
    const sold = await ask(ground.url, token, "/v1/fiscal-documents", saleOf(ground, 400, 900))
    count(sold.status)
    const { id = "" } = JSON.parse(sold.text) as { readonly id?: string }
    const formats = ["pdf-a4", "pdf-80mm", "pdf-58mm", "preview-png", "canonical-json"]
    let next = 0
    await keepDoing(300, until, async () => {
      const answer = await ask(ground.url, token, `/v1/fiscal-documents/${id}/representations/${formats[(next += 1) % formats.length]}`)
      count(answer.status)
      if (answer.status === 429) await new Promise((resolve) => setTimeout(resolve, 200))
    })
    return seen
  }
}

const slow: Attack = {
  name: "slow-bodies",
  what: "500 connections that send a megabyte a few bytes at a time",
  run: async (ground, until) => {
    const token = await tokenOf(ground)
    const { hostname, port } = new URL(ground.url)
    const head = `POST /v1/fiscal-documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${megabyte}\r\n\r\n`
    await keepDoing(500, until, () =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(port), hostname, () => socket.write(head))
        const drip = setInterval(() => socket.write(" ".repeat(1_000)), 100)
        const end = () => {
          clearInterval(drip)
          socket.destroy()
          resolve()
        }
        socket.on("error", end).on("close", end)
        until.addEventListener("abort", end, { once: true })
      }))
    return {}
  }
}

const bigNames = Object.fromEntries(Array.from({ length: 1_900 }, (_, index) => [`k${index}`.padEnd(500, "k"), 1]))

/** Every attack that is measured, each from one organization or without a credential. */
export const attacks: ReadonlyArray<Attack> = [
  bodies("long-number", "a number of a megabyte, 4 connections", 4, () => `{"amount":1${"0".repeat(megabyte)}1}`),
  bodies("junk-keys", "a megabyte of unknown members, 4 connections", 4, () => JSON.stringify(bigNames)),
  bodies("many-elements", "half a million elements, 8 connections", 8, () => `[${"1,".repeat(megabyte / 2)}1]`),
  bodies("wrong-items", "a thousand items wrong in every field, 8 connections", 8, (ground) =>
    JSON.stringify({ ...JSON.parse(saleOf(ground)) as object, items: Array.from({ length: 1_000 }, () => ({ name: "", quantity: "x", a: 1, b: 2, c: 3 })) })),
  bodies("large-sales", "100 valid sales of 850 kB at once", 100, (ground) => saleOf(ground, 480, 860)),
  bodies("many-sales", "valid sales as fast as 64 connections can", 64, (ground) => saleOf(ground, 3)),
  pdfs,
  slow,
  open("public-pages", "/docs and /openapi.yaml, 64 connections", 64, ({ url }) => fetch(`${url}${Math.random() < 0.5 ? "/docs" : "/openapi.yaml"}`)),
  open("wrong-secrets", "token requests with wrong secrets, 64 connections", 64, ({ url }) =>
    fetch(`${url}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials", client_id: `svc-sbx-${Math.random()}`, client_secret: "x".repeat(43) })
    })),
  open("false-tokens", "requests with tokens of nobody, 64 connections", 64, ({ url }) =>
    fetch(`${url}/v1/taxpayers`, { headers: { authorization: `Bearer eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.${Buffer.from(`{"exp":${Math.random()}}`).toString("base64url")}.${"A".repeat(342)}` } })),
  ...newerAttacks,
  ...connectionAttacks
]
