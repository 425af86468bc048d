/**
 * The seller as the V-PFR prints it above every receipt: it takes these facts from the certificate of the security element, whatever the
 * request says. Source: V-PFR §3, §9.
 */
export interface SellerOnReceipt {
  /** With its prefix where the environment has one: `RS111911206` in the sandbox, nine digits in production. */
  readonly tin: string
  /** Subject O. */
  readonly businessName: string
  /** Subject OU, in production `<premise number>-<name>`. */
  readonly locationName: string
  /** Subject STREET. */
  readonly address: string
  /** Subject ST. */
  readonly district: string
}
