import type * as advances from "./advances/errors.ts"
import type * as catalogue from "./catalogue/errors.ts"
import type * as delivery from "./delivery/errors.ts"
import type * as documents from "./documents/errors.ts"
import type * as events from "./events/errors.ts"
import type * as idempotency from "./idempotency/errors.ts"
import type * as journal from "./journal/errors.ts"
import type * as licensing from "./licensing/errors.ts"
import type * as proformaTraining from "./proforma-training/errors.ts"
import type * as references from "./references/errors.ts"
import type * as refunds from "./refunds/errors.ts"
import type * as tax from "./tax/errors.ts"
import type * as tenancy from "./tenancy/errors.ts"
import type * as webhooks from "./webhooks/errors.ts"
import type { ErrorCode } from "./errorCatalogue.ts"

type Classes =
  | (typeof advances)[keyof typeof advances]
  | (typeof catalogue)[keyof typeof catalogue]
  | (typeof delivery)[keyof typeof delivery]
  | (typeof documents)[keyof typeof documents]
  | (typeof events)[keyof typeof events]
  | (typeof idempotency)[keyof typeof idempotency]
  | (typeof journal)[keyof typeof journal]
  | (typeof licensing)[keyof typeof licensing]
  | (typeof proformaTraining)[keyof typeof proformaTraining]
  | (typeof references)[keyof typeof references]
  | (typeof refunds)[keyof typeof refunds]
  | (typeof tax)[keyof typeof tax]
  | (typeof tenancy)[keyof typeof tenancy]
  | (typeof webhooks)[keyof typeof webhooks]

type InstanceOf<Class> = Class extends abstract new(...facts: never) => infer Refusal ? Refusal : never

/** Every refusal by a rule: each error of a topic's `errors.ts` that has a code, with its facts as fields. */
export type RuleRefusal = Extract<InstanceOf<Classes>, { readonly code: string }>

/** The codes of refusals; each must be one of the catalogue, or this does not compile. */
export type RefusalCode = RuleRefusal["code"] extends ErrorCode ? RuleRefusal["code"] : never
