import type pg from "pg"
import { afterAll, beforeAll } from "vitest"
import { PortalClient } from "./PortalClient.ts"
import { type PortalStage, portalStage } from "./portalStage.ts"

/** A portal that the tests of a file share. Its members are usable from the file's first hook or test on. */
export interface SharedPortal {
  readonly stage: PortalStage
  readonly client: PortalClient
  /** The rows that a statement answers. */
  readonly rowsOf: <Row extends object>(sql: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>
}

/** Starts a portal before the tests of a file, or of a `describe`, and closes it after them; `environment` is asked for variables of its own. */
export const sharedPortal = (environment: () => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({})): SharedPortal => {
  const stage = {} as PortalStage
  const client = new PortalClient(() => stage.portal.url)
  let database: Promise<pg.Client> | undefined
  beforeAll(async () => void Object.assign(stage, await portalStage(await environment())), 120_000)
  afterAll(() => stage.close())
  return {
    stage,
    client,
    rowsOf: async (sql, values = []) => {
      database ??= stage.desk.database.client()
      return (await (await database).query(sql, [...values])).rows
    }
  }
}
