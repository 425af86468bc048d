/** Attacks on the portal by sending forms, with and without a session. */
import { pageFolders } from "@overa/portal"
import { request } from "undici"
import { connect } from "node:net"
import { describe, expect, it } from "vitest"
import { password } from "../../src/portal/portalStage.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { client, stage } = sharedPortal()

const urlencoded = "application/x-www-form-urlencoded"

const post = async (path: string, body: Buffer | string, options: { readonly session?: string; readonly contentType?: string } = {}): Promise<number> => {
  const answer = await request(client.origin + path, {
    method: "POST",
    headers: {
      origin: client.origin,
      "content-type": options.contentType ?? urlencoded,
      ...(options.session === undefined ? {} : { cookie: `overa-session=${options.session}` })
    },
    body
  })
  await answer.body.dump()
  return answer.statusCode
}

describe("A form from somebody who is not signed in", () => {
  it.each(["/sign-in", "/language"])("to %s is taken up to 16 KiB and no further", async (path) => {
    expect(await post(path, `email=a%40b.example&password=${"x".repeat(15_000)}`)).not.toBe(413)
    expect(await post(path, `email=a%40b.example&password=${"x".repeat(20_000)}`)).toBe(413)
  })

  it("to a page that takes files is not read: the sender is sent to sign in at once", async () => {
    const { hostname, port } = new URL(client.origin)
    const answer = await new Promise<string>((resolve, reject) => {
      const head = `POST /catalogue/import HTTP/1.1\r\nHost: x\r\nOrigin: ${client.origin}\r\nContent-Type: ${urlencoded}\r\nContent-Length: 5000000\r\n\r\na=1`
      const socket = connect(Number(port), hostname, () => socket.write(head))
      socket.once("data", (chunk) => {
        socket.destroy()
        resolve(chunk.toString())
      })
      socket.once("error", reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 303 /)
  })

  it("that trickles in keeps nobody else from signing in", async () => {
    const { hostname, port } = new URL(client.origin)
    const sockets = Array.from({ length: 60 }, () => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`POST /sign-in HTTP/1.1\r\nHost: x\r\nOrigin: ${client.origin}\r\nContent-Type: ${urlencoded}\r\nContent-Length: 9000\r\n\r\nemail=`))
      socket.on("error", () => undefined)
      return socket
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    const answer = await client.ask("POST", "/sign-in", { form: { email: stage.people.OWNER.email, password } })
    for (const socket of sockets) socket.destroy()
    expect([answer.status, answer.location]).toEqual([303, "/"])
  })

  it("comes in turn, networks one after the other, and is told so when too many wait", async () => {
    const flood = Array.from({ length: 120 }, (_, index) => client.ask("POST", "/sign-in", { form: { email: `a${index}@flood.example`, password: "x" } }))
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(20)
    expect(statuses.filter((status) => status === 422).length).toBeGreaterThan(20)
  }, 60_000)
})

describe("A form from somebody who is signed in", () => {
  it("has a bounded number of fields, whatever writes them", async () => {
    const session = await stage.session(stage.people.OWNER)
    const proof = await client.proof(session)
    const fields = "&a=".repeat(100_000)
    expect(await post("/catalogue/import", `proof=${proof}${fields}`, { session })).toBe(413)
    const part = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const parts = `${part("proof", proof)}${part("a", "").repeat(20_000)}--b--\r\n`
    expect(await post("/setup/branding/x", parts.slice(0, 1_000_000), { session, contentType: "multipart/form-data; boundary=b" })).toBe(413)
  })
})

describe("An address with anything in it", () => {
  const names = ["text", "from", "to", "month", "cursor", "page", "taxpayer", "premise", "status", "next", "search", "done", "groupBy", "actor"]
  const values = ["%00", "%%0000", "%ff", "__proto__", "constructor", "a%0D%0ASet-Cookie:x=1", "<script>alert(1)</script>", "9".repeat(300), "..%2f.."]
  const pages = pageFolders.flatMap(({ routes }) => routes).filter(({ method, path }) => method === "GET" && !path.includes(":"))

  it.each(values)("is answered without a fault of the server, and nothing of it becomes a header or a script: %s", async (value) => {
    expect(pages.length).toBeGreaterThan(15)
    for (const person of [stage.people.OWNER, stage.people.OPERATOR]) {
      const session = await stage.session(person)
      for (const { path } of pages) {
        const answer = await client.get(`${path}?${names.map((name) => `${name}=${value}`).join("&")}`, { session })
        expect([path, answer.status < 500]).toEqual([path, true])
        expect(answer.text).not.toContain("<script>alert")
        expect(answer.cookies.has("x")).toBe(false)
      }
    }
  }, 120_000)
})
