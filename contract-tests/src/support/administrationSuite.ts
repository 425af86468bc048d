import type { ActPorts, OversightPorts } from "@overa/adapter-postgres"
import {
  type Act,
  type Credentials,
  type Environment,
  type Installation,
  type LicenseRegister,
  type NewTaxpayer,
  OrganizationActs,
  type SecurityElements,
  TaxpayerActs,
  type TenancyDirectory,
  type Tenant
} from "@overa/domain"
import { randomInt } from "node:crypto"
import { Effect, type Layer, ManagedRuntime } from "effect"
import { afterAll, beforeAll } from "vitest"

/** The ports that show the effects of administration. */
export type AdministrationPorts = ActPorts | OversightPorts | TenancyDirectory | LicenseRegister | Credentials | SecurityElements | Installation

/** The actor and reason of every act in these cases. */
export const act: Act = { actor: "operator:ana", reason: "contract test" }

const mintTaxIdentifier = (): string => String(randomInt(100_000_000, 999_999_999))

/** A taxpayer with one premise, under a tax identifier of its own. */
export const newTaxpayer = (changes: Partial<NewTaxpayer> = {}): NewTaxpayer => ({
  taxIdentifier: mintTaxIdentifier(),
  name: "Продавница д.о.о.",
  address: "Кнез Михаилова 1",
  city: null,
  vatStatus: "IN_VAT",
  businessPremises: [{ puIdentifier: "1000001", name: "Интернет продавница", address: null, city: "Београд" }],
  ...changes
})

/** An organization with one taxpayer and one premise. */
export const arranged = Effect.fnUntraced(function*(environment: Environment = "production", taxpayer = newTaxpayer()) {
  const organizationActs = yield* OrganizationActs
  const taxpayerActs = yield* TaxpayerActs
  const organizationId = yield* organizationActs.createOrganization(act, "Organizacija")
  const created = yield* taxpayerActs.createTaxpayer(act, organizationId, environment, taxpayer)
  const [first] = created.premises
  if (first === undefined) return yield* Effect.die(new Error("a taxpayer without premises"))
  const tenant: Tenant = { organizationId, environment }
  return { organizationId, tenant, taxpayer: created.taxpayer, premise: first.premise, elementId: first.elementId }
})

/** The tag an effect fails with. */
export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) => error._tag)

/** Builds the ports once for a suite and runs its cases over them. */
export const administrationOf = (layer: () => Layer.Layer<AdministrationPorts, unknown>) => {
  let runtime: ManagedRuntime.ManagedRuntime<AdministrationPorts, unknown>
  beforeAll(() => {
    runtime = ManagedRuntime.make(layer())
  })
  afterAll(() => runtime.dispose())
  return (body: () => Effect.Effect<void, unknown, AdministrationPorts>): Promise<void> => runtime.runPromise(body())
}
