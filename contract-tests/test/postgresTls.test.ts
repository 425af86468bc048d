import { layerDatabase, PgDatabase } from "@overa/adapter-postgres"
import { chmodSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Redacted } from "effect"
import forge from "node-forge"
import pg from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type PostgresServer, startPostgresServer } from "../src/support/postgresServer.ts"

/** A certificate that signs itself, for one name. */
const selfSigned = (name: string) => {
  const keys = forge.pki.rsa.generateKeyPair(2048)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = keys.publicKey
  certificate.serialNumber = "01"
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000)
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000)
  const attributes = [{ name: "commonName", value: name }]
  certificate.setSubject(attributes)
  certificate.setIssuer(attributes)
  certificate.setExtensions([
    { name: "basicConstraints", cA: true },
    { name: "subjectAltName", altNames: [{ type: 2, value: name }] }
  ])
  certificate.sign(keys.privateKey, forge.md.sha256.create())
  return { certificate: forge.pki.certificateToPem(certificate), key: forge.pki.privateKeyToPem(keys.privateKey) }
}

const own = selfSigned("localhost")
const another = selfSigned("localhost")
let server: PostgresServer

const superuser = async (...statements: ReadonlyArray<string>): Promise<void> => {
  const client = new pg.Client({ connectionString: server.url("postgres") })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** Lets the server write a file of its own, under its own account. */
const write = (name: string, text: string) =>
  `do $$ declare folder text := current_setting('data_directory'); begin
    execute format('copy (select unnest(string_to_array(%L, E''\\n''))) to %L', '${text.replaceAll("\r", "").trim()}', folder || '/${name}'); end $$`

const serve = async ({ certificate, key }: { readonly certificate: string; readonly key: string }) => {
  await superuser(write("server.crt", certificate), write("server.key", key))
  chmodSync(join(server.directory, "data", "server.key"), 0o600)
  await superuser("alter system set ssl = on", "select pg_reload_conf()")
  // The server rereads its settings after a short time.
  for (let tries = 0; tries < 100 && !Exit.isSuccess(await encrypted("require", certificate)); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

beforeAll(async () => {
  server = await startPostgresServer("tls", { durable: false, maxConnections: 20 })
}, 120_000)
afterAll(() => server.destroy())

/** Whether the connection is encrypted; otherwise the reason why it could not be opened. */
const encrypted = (mode: string, trustAnchors: string | null, host = "localhost") => {
  const url = Redacted.make(server.url("postgres").replace("127.0.0.1", host) + (mode === "" ? "" : `?sslmode=${mode}`))
  const asked = Effect.gen(function*() {
    const session = yield* (yield* PgDatabase).session
    const [row] = yield* session.query<{ readonly ssl: boolean }>("select ssl from pg_stat_ssl where pid = pg_backend_pid()")
    return row?.ssl
  })
  return Effect.runPromiseExit(asked.pipe(Effect.scoped, Effect.provide(layerDatabase({ url, applicationName: "tls", trustAnchors }))))
}

describe("the connection to PostgreSQL", () => {
  it("is not made where TLS is demanded and the server has none", async () => {
    for (const mode of ["require", "verify-full"]) assert.isTrue(Exit.isFailure(await encrypted(mode, null)))
    assert.isTrue(Exit.isFailure(await encrypted("", own.certificate)))
  })

  it("is encrypted to a server whose certificate is trusted, and made to no other", async () => {
    await serve(own)
    for (const mode of ["require", "verify-ca", "verify-full", ""]) {
      assert.deepStrictEqual(await encrypted(mode, own.certificate), Exit.succeed(true), mode)
    }
    for (const mode of ["require", "verify-ca", "verify-full"]) {
      assert.isTrue(Exit.isFailure(await encrypted(mode, null)), "a certificate of nobody we trust")
      assert.isTrue(Exit.isFailure(await encrypted(mode, another.certificate)), "another's certificate")
      assert.isTrue(Exit.isFailure(await encrypted(mode, own.certificate, "127.0.0.1")), "a name the certificate does not have")
    }
  })
})
