import type { RegistrationQuota } from "@overa/domain"
import { Context } from "effect"

/** How many taxpayers and premises an organization may register over the API, in each environment. */
export class OwnRegistrations extends Context.Reference<RegistrationQuota>("@overa/rest-api/http/OwnRegistrations", {
  defaultValue: () => ({ taxpayers: 50, premises: 50 })
}) {}
