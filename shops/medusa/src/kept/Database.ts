import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { KeptRow } from "../../../shared/src/KeptRow.ts"

/** Medusa's own connection to PostgreSQL, as far as the plugin needs it. */
export interface Database {
  readonly raw: (statement: string, values?: ReadonlyArray<unknown>) => Promise<{ readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>>; readonly rowCount: number | null }>
}

/** Where Medusa keeps what its parts share. */
export interface Container {
  readonly resolve: (name: string) => unknown
}

export const databaseOf = (container: Container): Database => container.resolve(ContainerRegistrationKeys.PG_CONNECTION) as Database

export const rowsOf = async <Row>(container: Container, statement: string, values: ReadonlyArray<unknown> = []): Promise<ReadonlyArray<Row>> =>
  (await databaseOf(container).raw(statement, values)).rows as unknown as ReadonlyArray<Row>

/** What is kept with an order. */
export const readOrderRow = (container: Container, orderId: string): Promise<KeptRow> => KeptRow.read((statement, values) => rowsOf(container, statement, values), orderId)
