/**
 * Imports receipts of another ESIR by the operator's command: first their texts, then a list of their links, then both files once more. Each link has a real
 * signature, which is checked. Prints the seconds of each import and the most memory that the process had; another number of receipts is the first argument.
 *
 *     node --conditions=@overa/source bench/elsewhere.ts [receipts, 10000 if left out]
 */
import { createWriteStream } from "node:fs"
import { once } from "node:events"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { otherEsir } from "../contract-tests/src/support/otherEsir.ts"

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const count = Number(process.argv[2] ?? 10_000)

const server = await startPostgresServer("elsewhere", { durable: true })
// The desk makes its database on this server.
process.env["OVERA_TEST_SERVER"] = server.url("postgres")
const { operatorDesk } = await import("../contract-tests/src/support/operatorDesk.ts")
const { openShop } = await import("../contract-tests/src/support/openShop.ts")
const desk = await operatorDesk()
const { shop } = await openShop(desk)
const esir = otherEsir("RS100000049", { root: desk.simulator.sandbox.verificationUrl })
await desk.admin(["reference", "add-signer", "sandbox", esir.signedBy, "--pem", desk.file("signer.pem", esir.signerPem), "--reason", "bench"])

const [texts, links] = [desk.file("all.txt", ""), desk.file("all.links", "")]
const [text, link] = [createWriteStream(texts), createWriteStream(links)]
for (let number = 1; number <= count; number += 1) {
  const receipt = esir.issue(number)
  text.write(`${receipt.journal}\n`)
  link.write(`${receipt.link}\n`)
}
await Promise.all([text, link].map((stream) => once(stream.end(), "finish")))

let most = 0
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss)
}, 50)

const bring = async (name: string, ...files: ReadonlyArray<string>): Promise<void> => {
  const from = performance.now()
  const answer = await desk.admin(["elsewhere", "import", shop.taxpayerId, ...files, "--reason", "bench", "--json"])
  if (answer.code !== 0) throw new Error(answer.err)
  print(`${name}: ${((performance.now() - from) / 1000).toFixed(1)} s, ${JSON.stringify(answer.json)}`)
}

const before = process.memoryUsage().rss
await bring(`${count} texts`, texts)
await bring(`${count} links`, links)
await bring("both once more", texts, links)
clearInterval(watch)
print(`memory: ${Math.round(before / 1e6)} MB before, ${Math.round(most / 1e6)} MB at most`)
await desk.close()
await server.destroy()
