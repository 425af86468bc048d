import { type Act, deviceMarkMillis, type NewSession, PersonDevices } from "@overa/domain"
import { Effect, Layer } from "effect"
import { rightNow } from "../administration/activity.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { utc } from "../rows/OperationRow.ts"
import { lockPersonRow } from "./personRows.ts"
import { recordAboutPerson } from "./recordAboutPerson.ts"

interface DeviceRow {
  readonly device_id: string
  readonly description: string
  readonly address: string
  readonly first_used_at: Date
  readonly last_used_at: Date
}

const noteStatement = `insert into portal_devices (person_id, device_id, description, address, first_used_at, last_used_at) values ($1, $2, $3, $4, $5, $5)
  on conflict (person_id, device_id) do update set description = $3, address = $4, last_used_at = $5,
    first_used_at = case when portal_devices.forgotten_at >= portal_devices.last_used_at then $5 else portal_devices.first_used_at end`

/** Notes a sign-in on a device, in the commit of the sign-in. Those whose mark has expired go. */
export const noteDevice = Effect.fnUntraced(function*(tx: PgStatements, { address, device, personId }: NewSession, deviceId: string, at: Date) {
  yield* tx.query("delete from portal_devices where person_id = $1 and last_used_at < $2", [personId, new Date(at.getTime() - deviceMarkMillis)])
  yield* tx.query(noteStatement, [personId, deviceId, device, address, at])
})

/** No device of the person is known any more. */
export const forgetDevices = Effect.fnUntraced(function*(tx: PgStatements, personId: string) {
  yield* tx.query("update people set devices_since = $2 where person_id = $1", [personId, yield* rightNow])
})

const listStatement = `select d.device_id, d.description, d.address, d.first_used_at, d.last_used_at from portal_devices d join people p using (person_id)
  where d.person_id = $1 and d.last_used_at >= coalesce(p.devices_since, p.created_at) and d.last_used_at > $2 and (d.forgotten_at is null or d.forgotten_at < d.last_used_at)
  order by d.last_used_at desc, d.device_id`

// The session on the device of this request stays: whoever forgets it wants to be asked at the next sign-in, not to be put out now.
const endSessionsOn = "delete from portal_sessions where person_id = $1 and device_id = $2 and digest <> $3"

const make = Effect.map(PgDatabase, (database) =>
  PersonDevices.of({
    ofPerson: Effect.fn("PersonDevices.ofPerson")(function*(personId: string) {
      const rows = yield* database.read<DeviceRow>(listStatement, [personId, new Date((yield* rightNow).getTime() - deviceMarkMillis)])
      return rows.map((row) => ({ id: row.device_id, description: row.description, address: row.address, firstUsedAt: utc(row.first_used_at), lastUsedAt: utc(row.last_used_at) }))
    }),
    isForgotten: Effect.fn("PersonDevices.isForgotten")(function*(personId: string, { id, markedAtMillis }: { readonly id: string; readonly markedAtMillis: number }) {
      const rows = yield* database.read("select from portal_devices where person_id = $1 and device_id = $2 and forgotten_at >= $3", [personId, id, new Date(markedAtMillis)])
      return rows.length > 0
    }),
    forget: Effect.fn("PersonDevices.forget")(function*(act: Act, personId: string, deviceId: string, keep: string) {
      return yield* database.transaction((tx) =>
        Effect.gen(function*() {
          yield* lockPersonRow(tx, personId)
          const forgotten = yield* tx.query<{ readonly description: string }>(
            "update portal_devices set forgotten_at = $3 where person_id = $1 and device_id = $2 and (forgotten_at is null or forgotten_at < last_used_at) returning description",
            [personId, deviceId, yield* rightNow]
          )
          if (forgotten.length === 0) return false
          yield* recordAboutPerson(tx, act, personId, "device forgotten", { device: forgotten[0]?.description })
          yield* tx.query(endSessionsOn, [personId, deviceId, keep])
          return true
        })
      )
    }),
    forgetAll: Effect.fn("PersonDevices.forgetAll")(function*(act: Act, personId: string, keep: string) {
      yield* database.transaction((tx) =>
        Effect.gen(function*() {
          yield* recordAboutPerson(tx, act, personId, "all devices forgotten")
          yield* forgetDevices(tx, personId)
          yield* tx.query("delete from portal_sessions where person_id = $1 and digest <> $2", [personId, keep])
        })
      )
    })
  }))

/** The devices on which people have signed in. */
export const layerPersonDevices: Layer.Layer<PersonDevices, never, PgDatabase> = Layer.effect(PersonDevices, make)
