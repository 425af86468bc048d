import type { CDPSession, Page } from "playwright-core"

/** A passkey as the browser's virtual authenticator has it, its private half included. */
export interface VirtualPasskey {
  readonly credentialId: string
  readonly isResidentCredential: boolean
  readonly rpId?: string
  readonly privateKey: string
  readonly userHandle?: string
  readonly signCount: number
}

/** An authenticator in a browser page that always says yes (Chrome DevTools Protocol, domain WebAuthn). */
export class VirtualKey {
  private readonly session: CDPSession
  private readonly authenticatorId: string

  private constructor(session: CDPSession, authenticatorId: string) {
    this.session = session
    this.authenticatorId = authenticatorId
  }

  static async plugInto(page: Page): Promise<VirtualKey> {
    const session = await page.context().newCDPSession(page)
    await session.send("WebAuthn.enable")
    const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } as const
    const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", { options })
    return new VirtualKey(session, authenticatorId)
  }

  async passkeys(): Promise<ReadonlyArray<VirtualPasskey>> {
    return (await this.session.send("WebAuthn.getCredentials", { authenticatorId: this.authenticatorId })).credentials
  }

  /** Puts passkeys of another time or authenticator into this one. */
  async hold(passkeys: ReadonlyArray<VirtualPasskey>): Promise<void> {
    await this.session.send("WebAuthn.clearCredentials", { authenticatorId: this.authenticatorId })
    for (const credential of passkeys) await this.session.send("WebAuthn.addCredential", { authenticatorId: this.authenticatorId, credential })
  }

  /** Whether the person confirms. */
  async confirms(enabled: boolean): Promise<void> {
    await this.session.send("WebAuthn.setUserVerified", { authenticatorId: this.authenticatorId, isUserVerified: enabled })
    await this.session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: this.authenticatorId, enabled })
  }
}
