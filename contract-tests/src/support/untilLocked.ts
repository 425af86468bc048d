import type pg from "pg"
import { assert } from "vitest"

/** Sessions of an application that wait for a lock in the client's database. */
export const lockedSessions = (applicationName: string): string =>
  `select pid from pg_stat_activity where application_name = '${applicationName}' and wait_event_type = 'Lock' and datname = current_database()`

/** Resolves when exactly so many of them wait; fails after some fifteen seconds. */
export const untilLocked = async (client: pg.Client, applicationName: string, count = 1): Promise<void> => {
  for (let tries = 0; tries < 1_500; tries += 1) {
    if ((await client.query(lockedSessions(applicationName))).rowCount === count) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail(`${applicationName} never waited for a lock`)
}
