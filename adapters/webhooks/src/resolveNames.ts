import { lookup, type LookupAddress, promises } from "node:dns"
import { setTimeout as sleep } from "node:timers/promises"

/** All addresses of a name; ends when the signal aborts. */
export type ResolveName = (host: string, signal: AbortSignal) => Promise<ReadonlyArray<LookupAddress>>

/** The first wait for a name server, which doubles once. */
const waitMillis = 2_000
/** Where one family has an address, the other one's is waited for so long. */
const otherFamilyMillis = 1_000

const failureOf = (results: ReadonlyArray<PromiseSettledResult<unknown>>): unknown => {
  const reasons = results.flatMap((result) => result.status === "rejected" ? [result.reason as NodeJS.ErrnoException] : [])
  // That a name has no address of one family says less than why the other family's are not known.
  return reasons.find(({ code }) => code !== "ENODATA") ?? reasons[0]
}

/**
 * Asks the system's name servers, by a resolver of this look-up's own: the system's look-up has four threads for the whole process and cannot be cancelled, so
 * that four names whose server is silent would hold up every other look-up of the worker. IPv4 first. The file of hosts is not read.
 */
export const resolveByNameServers = (nameServers: ReadonlyArray<string> | undefined): ResolveName => async (host, signal) => {
  const resolver = new promises.Resolver({ timeout: waitMillis, tries: 2 })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener("abort", cancel, { once: true })
  const families = [resolver.resolve4(host), resolver.resolve6(host)] as const
  const late = Promise.any(families).then(() => sleep(otherFamilyMillis, undefined, { ref: false }), () => undefined)
  await Promise.race([Promise.allSettled(families), late])
  resolver.cancel()
  signal.removeEventListener("abort", cancel)
  const [four, six] = await Promise.allSettled(families)
  const found = [
    ...(four.status === "fulfilled" ? four.value : []).map((address) => ({ address, family: 4 })),
    ...(six.status === "fulfilled" ? six.value : []).map((address) => ({ address, family: 6 }))
  ]
  if (found.length === 0) throw failureOf([four, six])
  return found
}

/** The system's own look-up, which knows the file of hosts and names of the local network: for a sandbox on one machine. */
export const resolveBySystem: ResolveName = (host) =>
  new Promise((resolve, reject) => lookup(host, { all: true }, (error, addresses) => error === null ? resolve(addresses) : reject(error)))
