import { type SettingName, settingNames, type SettingTexts } from "../../../shared/src/Shop.ts"
import { type Container, databaseOf, rowsOf } from "./Database.ts"

/** Answered to nobody. */
const secret: ReadonlyArray<SettingName> = ["clientSecret", "webhookSecret"]

export const readSettings = async (container: Container): Promise<SettingTexts> =>
  (await rowsOf<{ readonly texts: SettingTexts }>(container, "select texts from overa_settings where id = 1"))[0]?.texts ?? {}

/** Settings as the admin shows them: of secrets only whether they are there. */
export const shownSettings = async (container: Container) => {
  const texts = await readSettings(container)
  return {
    texts: Object.fromEntries(settingNames.map((name) => [name, secret.includes(name) ? "" : texts[name] ?? ""])),
    secrets: Object.fromEntries(secret.map((name) => [name, (texts[name] ?? "") !== ""]))
  }
}

/** Keeps what was filled in; a secret that was left empty stays as it is. */
export const writeSettings = async (container: Container, asked: Readonly<Record<string, unknown>>): Promise<void> => {
  const before = await readSettings(container)
  const texts = Object.fromEntries(settingNames.map((name) => {
    const text = String(asked[name] ?? before[name] ?? "").trim()
    return [name, text === "" && secret.includes(name) ? before[name] ?? "" : text]
  }))
  await databaseOf(container).raw("insert into overa_settings (id, texts) values (1, ?::jsonb) on conflict (id) do update set texts = excluded.texts", [JSON.stringify(texts)])
}
