import { Context } from "effect"

/** The software's identity. Source: Spec, Resources, Runtime. `buildCommit` is what the build recorded, `unknown` for a checkout. */
export class SoftwareRelease extends Context.Reference("@overa/rest-api/SoftwareRelease", {
  defaultValue: () => ({
    manufacturer: "Overa",
    productName: "Overa",
    softwareVersion: "0.1.0",
    buildCommit: "unknown"
  })
}) {}
