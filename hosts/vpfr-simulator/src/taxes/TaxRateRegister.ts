import type { DataDirectory } from "../DataDirectory.ts"
import { type EnvironmentName, environmentNames } from "../EnvironmentName.ts"
import { initialTaxRates } from "./initialTaxRates.ts"
import { groupValidAt, type TaxCategory, type TaxRateGroup } from "./TaxRateGroup.ts"

/** Every tax rate group of both environments, past, present and scheduled. */
export class TaxRateRegister {
  readonly #directory: DataDirectory
  #groups: Record<EnvironmentName, ReadonlyArray<TaxRateGroup>>

  private constructor(directory: DataDirectory, groups: Record<EnvironmentName, ReadonlyArray<TaxRateGroup>>) {
    this.#directory = directory
    this.#groups = groups
  }

  static async open(directory: DataDirectory, now: number): Promise<TaxRateRegister> {
    const kept = await directory.read("tax-rates.json")
    if (kept !== null) return new TaxRateRegister(directory, JSON.parse(kept))
    const [sandbox, production] = environmentNames.map((name) => initialTaxRates(name, now))
    const register = new TaxRateRegister(directory, { sandbox: sandbox ?? [], production: production ?? [] })
    await register.#save(register.#groups)
    return register
  }

  async #save(groups: Record<EnvironmentName, ReadonlyArray<TaxRateGroup>>): Promise<void> {
    await this.#directory.write("tax-rates.json", JSON.stringify(groups))
    this.#groups = groups
  }

  /** Newest first, as status lists them. */
  all(environment: EnvironmentName): ReadonlyArray<TaxRateGroup> {
    return this.#groups[environment].toSorted((a, b) => Date.parse(b.validFrom) - Date.parse(a.validFrom) || b.groupId - a.groupId)
  }

  validAt(environment: EnvironmentName, instant: number): TaxRateGroup | undefined {
    return groupValidAt(this.#groups[environment], instant)
  }

  /** Adds a group under the next free id; it takes effect at `validFrom`, which may already have passed. */
  async schedule(environment: EnvironmentName, validFrom: string, taxCategories: ReadonlyArray<TaxCategory>): Promise<TaxRateGroup> {
    const groups = this.#groups[environment]
    const groupId = Math.max(0, ...groups.map((group) => group.groupId)) + 1
    const group = { validFrom, groupId, taxCategories }
    await this.#save({ ...this.#groups, [environment]: [...groups, group] })
    return group
  }
}
