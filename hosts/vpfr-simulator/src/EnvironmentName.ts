/** The two installations the tax authority runs, each with its own certificates, rates and verification address. */
export const environmentNames = ["sandbox", "production"] as const
export type EnvironmentName = (typeof environmentNames)[number]

export const isEnvironmentName = (value: unknown): value is EnvironmentName =>
  environmentNames.some((name) => name === value)
