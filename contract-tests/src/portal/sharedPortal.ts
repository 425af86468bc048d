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
  /** The activity log of the shop's organization: actor, act and subject of each line. */
  readonly activity: () => Promise<ReadonlyArray<string>>
}

/** Starts a portal before the tests of a file, or of a `describe`, and closes it after them; `environment` is asked for variables of its own. */
export const sharedPortal = (environment: () => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({})): SharedPortal => {
  const stage = {} as PortalStage
  const client = new PortalClient(() => stage.portal.url)
  let database: Promise<pg.Client> | undefined
  beforeAll(async () => void Object.assign(stage, await portalStage(await environment())), 120_000)
  afterAll(() => stage.close())
  const rowsOf: SharedPortal["rowsOf"] = async (sql, values = []) => {
    database ??= stage.desk.database.client()
    return (await (await database).query(sql, [...values])).rows
  }
  const activity = async () => {
    const lines = "select concat_ws(' ', actor, act, subject) as line from activity_log where organization_id = $1 order by at"
    return (await rowsOf<{ readonly line: string }>(lines, [stage.shop.organizationId])).map(({ line }) => line)
  }
  return { stage, client, rowsOf, activity }
}
