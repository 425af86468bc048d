// Sources run directly: the private condition points every workspace import at src/ (docs/adr/0002).
const conditions = ["@overa/source"]

/** What every run of tests over the sources has in common. */
export const sources = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // One throw-away PostgreSQL for the whole run, started when the first test asks for it.
    globalSetup: ["contract-tests/src/support/globalPostgres.ts"],
    pool: "forks" as const,
    execArgv: ["--conditions=@overa/source"],
    // Node loads the sources by itself, as the hosts do; transforming them first took a quarter of the time of `npm test`.
    experimental: { viteModuleRunner: false },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // The default of one second is over before a busy machine has begun.
    expect: { poll: { timeout: 15_000 } }
  }
}
