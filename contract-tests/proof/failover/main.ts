/**
 * A primary killed under load and its standby promoted, repeatedly; API and worker run throughout and find the new primary themselves among the
 * servers in their DATABASE_URL.
 *
 *   npm run failover -- [--rounds 20] [--connections 64] [--asynchronous]
 *
 * With a synchronous standby nothing acknowledged may be lost. With an asynchronous one, which loses the last commits, no sale may be signed twice
 * while its host runs.
 */
import { parseArgs } from "node:util"
import { failOverUnderLoad } from "./failOverUnderLoad.ts"

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "20" }, connections: { type: "string", default: "64" }, asynchronous: { type: "boolean", default: false } }
})
const verdict = await failOverUnderLoad({
  rounds: Number(values.rounds),
  connections: Number(values.connections),
  replication: values.asynchronous ? "asynchronous" : "synchronous",
  say: (line) => void process.stdout.write(`${line}\n`)
})
/** Sales must succeed again this soon after the promotion, without a restart. */
const boundMillis = 5_000
process.exitCode = verdict.contradictions.length === 0 && verdict.slowestMillis <= boundMillis ? 0 : 1
