import { randomBytes } from "node:crypto"
import { restApiConfig, startRestApi } from "@overa/rest-api"
import { ConfigProvider, Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type OperatorDesk, operatorDesk } from "../../src/support/operatorDesk.ts"

const because = ["--reason", "contract 17"]
const next = randomBytes(32).toString("base64")
let desk: OperatorDesk
let organization: string

beforeAll(async () => {
  desk = await operatorDesk()
  organization = (await desk.admin(["organizations", "add", "Зора", ...because, "--json"])).json.id
  await desk.admin(["token-keys", "add", ...because])
})
afterAll(() => desk.close())

interface Issued {
  readonly clientId: string
  readonly clientSecret: string
}

const withKeys = (keys: string) => ({ OVERA_CREDENTIAL_KEY: keys })

const issue = async (keys: string): Promise<Issued> =>
  (await desk.admin(["credentials", "issue", organization, "--environment", "sandbox", ...because, "--json"], { environment: withKeys(keys) })).json as Issued

/** The answer of a host with these keys to a client's token request. */
const statusOf = async (keys: string, { clientId, clientSecret }: Issued): Promise<number> => {
  const settings = { ...desk.environment, ...withKeys(keys), PORT: "0", OVERA_LISTEN_HOST: "127.0.0.1", OVERA_HOST_ID: "api" }
  const config = await Effect.runPromise(Effect.provide(restApiConfig, ConfigProvider.layer(ConfigProvider.fromUnknown(settings))))
  const api = await startRestApi(config, () => undefined)
  try {
    const body = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret })
    return (await fetch(`${api.url}/oauth/token`, { method: "POST", body })).status
  } finally {
    await api.stop()
  }
}

const listed = async (keys: string): Promise<ReadonlyArray<{ readonly current: boolean; readonly credentials: number }>> =>
  (await desk.admin(["secret-keys", "list", "--json"], { environment: withKeys(keys) })).json.credentialKeys

it("the credential key is replaced while clients go on, and the operator sees when the former one is needed no more", async () => {
  const former = desk.environment["OVERA_CREDENTIAL_KEY"] ?? ""
  const active = await issue(former)
  const idle = await issue(former)
  expect(await statusOf(former, active)).toBe(200)
  // Every host knows both keys before one of them uses the new one first.
  expect(await statusOf(`${former},${next}`, active)).toBe(200)
  expect(await statusOf(`${next},${former}`, active)).toBe(200)
  // A host that has not been restarted yet recognizes what the other one stored.
  expect(await statusOf(`${former},${next}`, active)).toBe(200)
  expect(await statusOf(`${next},${former}`, active)).toBe(200)
  expect(await listed(`${next},${former}`)).toEqual(expect.arrayContaining([
    expect.objectContaining({ current: true, credentials: 1 }),
    expect.objectContaining({ current: false, credentials: 1 })
  ]))
  expect(await statusOf(next, active)).toBe(200)
  expect(await statusOf(next, idle)).toBe(401)
  const revoked = await desk.admin(["credentials", "revoke", idle.clientId, ...because, "--yes"])
  expect(revoked.code).toBe(0)
  expect(await listed(next)).toEqual([expect.objectContaining({ current: true, credentials: 1 })])
  expect(await statusOf(next, await issue(next))).toBe(200)
}, 120_000)
