import { runSeed, type RunReport } from "../runSeed.ts"
import type { PlantedBug } from "../SimulatedHost.ts"
import { postgresBehind } from "./postgresBehind.ts"
import { WorldDatabase, type Rewrite, type WorldPlace } from "./WorldDatabase.ts"

/** Bugs in a statement that the checks must find. */
export type PlantedInStatements = "final-sale-not-due" | "doubt-switched-off"

/** A planted bug: the Advance Refund is a receipt, and its final sale is not due. */
const notDue: Rewrite = (sql) =>
  sql.includes("set late_reference = $3, next_check_at = $4") ? sql.replace("next_check_at = $4", "next_check_at = case when false then $4::timestamptz end") : sql

/** A planted bug: an open item that a receipt may exist changes nothing of what is told and sent. */
const noDoubt: Rewrite = (sql) => sql.replace("set in_doubt = $3 ", "set in_doubt = $3 and false ")

const unchanged: Rewrite = (sql) => sql

const rewriteOf = (plantedBug: PlantedBug | null): Rewrite => {
  if (plantedBug === "final-sale-not-due") return notDue
  return plantedBug === "doubt-switched-off" ? noDoubt : unchanged
}

/** Worlds on PostgreSQL, one after another in one database. */
export interface PostgresWorlds {
  readonly run: (seed: number, plantedBug?: PlantedBug | null, months?: boolean) => Promise<RunReport>
  readonly close: () => Promise<void>
}

/** Opens a database of `startWorldServer` for this process alone. */
export const worldsOn = async (place: WorldPlace): Promise<PostgresWorlds> => {
  const database = await WorldDatabase.open(place)
  return {
    run: (seed, plantedBug = null, months = false) => runSeed(seed, plantedBug, (world) => postgresBehind(world, database, rewriteOf(plantedBug)), undefined, months),
    close: () => database.close()
  }
}
