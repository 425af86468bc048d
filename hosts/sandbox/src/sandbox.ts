import { mkdirSync, rmSync } from "node:fs"
import { join, relative } from "node:path"
import { Console, Effect } from "effect"
import { writeAdminFile } from "./AdminFile.ts"
import { openBackends } from "./backends.ts"
import { sandboxConfig } from "./Config.ts"
import { currentLabel, firstReceiptCommand } from "./firstReceipt.ts"
import { isFree } from "./freePort.ts"
import { type LogFile, logFile } from "./logFile.ts"
import { onlyStart } from "./onlyStart.ts"
import { announceReady, type SandboxAddresses, sandboxFilePath } from "./SandboxFile.ts"
import { SandboxProblem } from "./SandboxProblem.ts"
import type { SandboxPeople } from "./seed/sandboxPeople.ts"
import type { SeededSandbox } from "./seed/SeededSandbox.ts"

/** Locks the home and removes the files that a killed start may have left: no program may read addresses that no longer answer. */
const openHome = Effect.fnUntraced(function*(home: string) {
  yield* Effect.try({
    try: () => mkdirSync(home, { recursive: true }),
    catch: (cause) => new SandboxProblem({ line: `OVERA_HOME ${home} cannot be made: ${(cause as Error).message}` })
  })
  yield* onlyStart(home)
  yield* Effect.sync(() => rmSync(sandboxFilePath(home), { force: true }))
})

const portMustBeFree = Effect.fnUntraced(function*(port: number) {
  if (port === 0 || (yield* isFree(port))) return
  return yield* new SandboxProblem({ line: `PORT ${port} is taken; stop the program that uses it or choose another PORT (0 means any free one)` })
})

/** In the form in which the person at the terminal would type it. */
const shown = (path: string): string => {
  const near = relative(process.cwd(), path)
  return near.startsWith("..") ? path : near
}

const welcome = (
  addresses: SandboxAddresses,
  { people, seeded }: { readonly seeded: SeededSandbox; readonly people: SandboxPeople },
  { file, label, log }: { readonly file: string; readonly log: LogFile; readonly label: string }
): string =>
  [
    "",
    `Overa answers at ${addresses.baseUrl} (contract ${addresses.baseUrl}/openapi.yaml, readable ${addresses.baseUrl}/docs)`,
    `Organization ${seeded.organizationId}, taxpayer ${seeded.sandbox.taxpayerId}, premise ${seeded.sandbox.businessPremiseId}`,
    `Credentials and all ids: ${shown(file)}   Log: ${shown(log.path)}`,
    "",
    `The portal: ${addresses.portalUrl}`,
    `  owner    ${people.owner.email}   ${people.owner.password}`,
    `  operator ${people.operator.email}   ${people.operator.password}`,
    "",
    `Receipts sent by e-mail are caught at ${addresses.mailUrl}`,
    "",
    "Issue a receipt:",
    "",
    firstReceiptCommand(addresses, seeded.sandbox, label),
    "",
    `See it in the portal: ${addresses.portalUrl}/o/${seeded.organizationId}/sandbox/receipts`,
    "",
    "Ctrl-C stops everything; the next start finds its data again."
  ].join("\n")

/**
 * The whole installation on one machine. Scopes close in reverse: the API finishes its requests in flight, then the worker, then the simulator,
 * PostgreSQL last. Ends only by interruption, or with one line when it cannot start or continue.
 */
export const sandbox = Effect.gen(function*() {
  const { home, port } = yield* sandboxConfig
  yield* openHome(home)
  yield* portMustBeFree(port)
  const log = yield* logFile(join(home, "overa.log"))
  const { loaded, mail, postgres, settings, simulator } = yield* openBackends(home, Effect.promise(() => import("./hosts.ts")))
  const seeded = yield* loaded.sandboxContent({ home, controlUrl: simulator.controlUrl, settings, urlOf: postgres.url })
  const people = yield* loaded.sandboxPeople({ home, settings, organizationId: seeded.organizationId })
  const portalPort = port !== 0 && (yield* isFree(port + 1)) ? port + 1 : 0
  const { api, portal } = yield* loaded.startHosts(settings, { api: port, portal: portalPort }, seeded.sandbox, log)
  const addresses = {
    baseUrl: api.url,
    authUrl: api.authUrl,
    portalUrl: portal.url,
    mailUrl: mail.webUrl,
    vpfr: { url: simulator.sandbox.url, controlUrl: simulator.controlUrl }
  }
  const label = yield* currentLabel(addresses, seeded.sandbox)
  yield* writeAdminFile(home, settings)
  const file = yield* announceReady(home, addresses, seeded, people)
  yield* Console.log(welcome(addresses, { seeded, people }, { file, log, label }))
  return yield* Effect.raceFirst(postgres.ended, simulator.ended)
}).pipe(Effect.scoped)
