/**
 * The store on a running Citus cluster (docs/operations/citus.md): the ports' contracts, the suites that run a whole installation on a database of
 * their own (API, worker, operator's command), and the kills of single servers under load.
 *
 *   npm run citus -- --nodes postgres://overa@127.0.0.1:55430,postgres://overa@127.0.0.1:55431,postgres://overa@127.0.0.1:55432 \
 *     [--kill 'command with {port}'] [--start 'command with {port}'] [--files a.test.ts,b.test.ts] \
 *     [--single postgres://overa@127.0.0.1:55440]
 *
 * Each suite has a database of its own, created on every server and dropped afterwards. If a single server of the same release is named, the store's
 * commits are measured on both alternately (`bench/citus-commits.ts`).
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { dropDatabase, makeDatabase, type Nodes, nodesFrom } from "./cluster.ts"
import { killNodes } from "./killNodes.ts"

const suites = [
  "postgresOperationStore",
  "postgresRefundStore",
  "postgresAdvanceCases",
  "postgresJournalStore",
  "postgresDeliveries",
  "postgresJournalLog",
  "postgresPorts",
  "postgresProductStore",
  "http.operational",
  "http.stop",
  "http.deliveries",
  "admin",
  "admin.elements",
  "admin.certificates"
].map((name) => `contract-tests/test/${name}.test.ts`)

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const runSuite = async (nodes: Nodes, file: string): Promise<boolean> => {
  const name = `overa_citus_${process.pid}`
  await dropDatabase(nodes, name)
  const url = await makeDatabase(nodes, name)
  try {
    const vitest = spawn("npx", ["vitest", "run", file, "--maxWorkers=1"], {
      stdio: "inherit",
      env: { ...process.env, OVERA_TEST_DATABASE: url }
    })
    const [code] = await once(vitest, "exit")
    return code === 0
  } finally {
    await dropDatabase(nodes, name)
  }
}

const compareSpeed = async (addresses: string, single: string): Promise<boolean> => {
  const bench = fileURLToPath(new URL("../../../bench/citus-commits.ts", import.meta.url))
  const child = spawn(process.execPath, ["--conditions=@overa/source", bench, addresses, single], { stdio: "inherit" })
  const [code] = await once(child, "exit")
  return code === 0
}

const { values } = parseArgs({
  options: { nodes: { type: "string" }, kill: { type: "string" }, start: { type: "string" }, single: { type: "string" }, files: { type: "string" } }
})
const addresses = values.nodes ?? process.env["OVERA_CITUS_NODES"] ?? ""
const nodes = nodesFrom(addresses)
if (nodes === undefined) {
  say("Name the servers of a running cluster, the coordinator first: --nodes postgres://…,postgres://…,postgres://… (docs/operations/citus.md)")
  process.exitCode = 1
} else {
  const verdicts = new Map<string, boolean>()
  for (const file of values.files?.split(",") ?? suites) verdicts.set(file, await runSuite(nodes, file))
  if (values.kill !== undefined && values.start !== undefined) {
    verdicts.set("each server killed under load", await killNodes(nodes, { kill: values.kill, start: values.start }, say))
  }
  if (values.single !== undefined) verdicts.set("speed beside a single server", await compareSpeed(addresses, values.single))
  for (const [name, passed] of verdicts) say(`${passed ? "passed" : "FAILED"}  ${name}`)
  process.exitCode = [...verdicts.values()].every(Boolean) ? 0 : 1
}
