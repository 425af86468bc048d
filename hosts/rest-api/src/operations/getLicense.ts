import { belgradeMonthRange, DocumentCounts, includedDocumentsPerMonth, LicenseRegister, productionFiscalization } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { ref } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { utcTime } from "@overa/host-kit"
import { exampleLicense } from "./exampleSetup.ts"

/** Source: Spec, GET /v1/license; Decisions §5. The same answer in both environments: the licence is the organization's. */
export const getLicense = declareForTenant({
  id: "readLicense",
  method: "GET",
  path: "/v1/license",
  tag: "Setup",
  summary: "Read the licence",
  description: "Whether production receipts may be issued, why not, and how many were issued this month.",
  scope: "tenant:read",
  premises: "everybody",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: null,
  responses: {
    200: {
      description: "The licence as it is now.",
      content: { "application/json": { schema: ref("License"), example: exampleLicense } }
    }
  },
  errors: [],
  handle: Effect.fnUntraced(function*({ tenant }) {
    const now = yield* DateTime.now
    const license = yield* (yield* LicenseRegister).license(tenant.organizationId)
    const counts = yield* DocumentCounts
    const documentsThisMonth = yield* counts.fiscalized(
      { organizationId: tenant.organizationId, environment: "production" },
      belgradeMonthRange(now)
    )
    return {
      status: 200,
      json: {
        licensed: license !== null,
        ...productionFiscalization(license, now),
        startsAt: license === null ? null : utcTime(license.startsAt),
        expiresAt: license === null || license.expiresAt === null ? null : utcTime(license.expiresAt),
        suspended: license?.suspended ?? false,
        modules: license?.modules ?? [],
        includedDocumentsPerMonth,
        documentsThisMonth
      }
    }
  })
})
