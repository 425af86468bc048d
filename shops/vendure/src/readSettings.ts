import { Channel, type TransactionalConnection } from "@vendure/core"
import { settingNames, type SettingTexts } from "../../shared/src/Shop.ts"

/** A setting's field at the channel. */
export const fieldOf = (name: string): string => `overa${name.charAt(0).toUpperCase()}${name.slice(1)}`

const textOf = (value: string | Date | null | undefined): string => value instanceof Date ? value.toISOString() : value ?? ""

/** What the shop's administrators filled in at the default channel. */
export const readSettings = async (connection: TransactionalConnection): Promise<SettingTexts> => {
  const channel = await connection.rawConnection.getRepository(Channel).findOne({ where: { code: "__default_channel__" } })
  const fields = (channel?.customFields ?? {}) as Readonly<Record<string, string | Date | null>>
  return Object.fromEntries(settingNames.map((name) => [name, textOf(fields[fieldOf(name)])]))
}
