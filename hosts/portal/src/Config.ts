import { hostIdConfig, type IssuingConfig, issuingConfig, listeningConfig, type TrustedProxies } from "@overa/rest-api"
import { Effect } from "effect"

/** The settings of a portal. The variables have the REST host's names, so that one file of variables serves all. */
export interface PortalConfig extends IssuingConfig {
  readonly listenHost: string
  /** 0 means any free port. */
  readonly port: number
  /** The address in the browser, without a final slash; null means the one listened on. */
  readonly baseUrl: string | null
  /** Take the visitor's address from the proxy's `X-Forwarded-For`. */
  readonly trustProxy: TrustedProxies
  /** Connections kept open at most. */
  readonly connections?: number
}

/** Reads the environment. The first missing or malformed value stops it with one line that names the variable (Decisions §8). */
export const portalConfig = Effect.gen(function*() {
  return {
    ...(yield* listeningConfig({ port: "OVERA_PORTAL_PORT", defaultPort: 8_090, address: "OVERA_PORTAL_URL" })),
    ...(yield* issuingConfig),
    hostId: yield* hostIdConfig("OVERA_PORTAL_ID", " portal")
  } satisfies PortalConfig
})
