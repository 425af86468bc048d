/** A setting of the hosts: the meaning of its variable, for operators. Defaults come from the hosts themselves. */
export interface Setting {
  readonly name: string
  readonly meaning: string
  /** The value used while the defaults are read, because the host refuses to start without it. */
  readonly required?: "always" | string
  /** Where the default is not a constant. */
  readonly defaultText?: string
}

const vpfr = (environment: "SANDBOX" | "PRODUCTION"): ReadonlyArray<Setting> => {
  const name = environment.toLowerCase()
  return [
    { name: `OVERA_VPFR_${environment}_URL`, meaning: `Address of the V-PFR of ${name}, without a path. Absent: ${name} is not served, its requests answer 503.` },
    {
      name: `OVERA_VPFR_${environment}_CA_FILE`,
      meaning: "PEM file with the trusted roots of the V-PFR's own certificate and of the elements. The system's roots are not trusted.",
      required: `with OVERA_VPFR_${environment}_URL`
    },
    {
      name: `OVERA_VPFR_${environment}_VERIFICATION_ROOT`,
      meaning: "The beginning of every genuine receipt's link, up to and including `vl=`. Absent: the address of a link is not checked."
    }
  ]
}

/** Every variable of the hosts, in the order of the page. */
export const settings: ReadonlyArray<Setting> = [
  { name: "DATABASE_URL", meaning: "`postgres://user:password@host:port/database`. The same for every host of an installation. Several servers, of which one is the primary: `…@one:5432,two:5432/database`; see [failover](failover.md). For a server on another machine it must contain `?sslmode=verify-full` (or `verify-ca`, `require`, which mean the same here): the connection is then encrypted and the server's certificate and name are verified.", required: "always" },
  { name: "OVERA_DATABASE_CA_FILE", meaning: "PEM file with the roots to trust for the database's certificate; the connection is then always encrypted. Absent: the system's roots." },
  {
    name: "OVERA_SECRET_KEYS",
    meaning: "`keyId:base64` of 32 random bytes, several separated by commas and nothing else: the first encrypts elements, token keys and second factors, all of them decrypt. See [keys](back-up-and-restore.md#keys).",
    required: "always"
  },
  { name: "OVERA_CREDENTIAL_KEY", meaning: "32 random bytes in base64: the key of the digests of credentials' secrets and of the portal's marks. Former keys may follow, separated by commas: what was made under them is still accepted. See [keys](back-up-and-restore.md#keys).", required: "always" },
  { name: "OVERA_HOST_ID", meaning: "This host's name: the same at every start, different from every other process's. A starting host may end only the unfinished work of earlier processes with its name.", defaultText: "the machine's name" },
  { name: "OVERA_WORKER_ID", meaning: "The worker's name, by the same rule.", defaultText: "the machine's name and `worker`" },
  { name: "OVERA_PORTAL_ID", meaning: "The portal's name, by the same rule: it sends copies and refunds itself.", defaultText: "the machine's name and `portal`" },
  ...vpfr("SANDBOX"),
  ...vpfr("PRODUCTION"),
  { name: "OVERA_LISTEN_HOST", meaning: "The address the host listens on." },
  { name: "PORT", meaning: "The port the API listens on; with 0 the system picks a free port." },
  { name: "OVERA_BASE_URL", meaning: "The address that callers use, without a final slash; it is written into the contract.", defaultText: "the address listened on" },
  { name: "OVERA_PORTAL_PORT", meaning: "The port the portal listens on; with 0 the system picks a free port.", defaultText: "`8090`" },
  {
    name: "OVERA_PORTAL_URL",
    meaning: "The portal's address in the browser, without a final slash. With `https:` its cookies are sent only over TLS; forms are accepted only from this address.",
    defaultText: "the address listened on"
  },
  { name: "OVERA_PORTAL_OIDC_ISSUER", meaning: "An OpenID Connect issuer that people may sign in to the portal with, as it calls itself: `https://login.example/realms/shop`. The first sign-in of an account there goes by the e-mail address that it has verified; the second factor is asked for as after a password. Absent: e-mail and password alone." },
  { name: "OVERA_PORTAL_OIDC_CLIENT_ID", meaning: "The portal's client id there. Its return address is `OVERA_PORTAL_URL` followed by `/sign-in/issuer/back`.", required: "with OVERA_PORTAL_OIDC_ISSUER" },
  { name: "OVERA_PORTAL_OIDC_CLIENT_SECRET", meaning: "The client's secret.", required: "with OVERA_PORTAL_OIDC_ISSUER" },
  { name: "OVERA_PORTAL_OIDC_NAME", meaning: "The issuer's name on the sign-in page.", defaultText: "the issuer's host name" },
  { name: "OVERA_WORKER_PORT", meaning: "The port of the worker's health and metrics; with 0 the system picks a free port. Several workers of one machine need different ports.", defaultText: "`8091`" },
  { name: "OVERA_LOG_LEVEL", meaning: "Lines below this level are not logged: `debug`, `info`, `warning` or `error`." },
  { name: "OVERA_TRUST_PROXY", meaning: "Addresses and networks of the proxies in front, separated by commas, as `10.0.0.0/8, 192.0.2.7`: the caller's address is the last one in `X-Forwarded-For` that does not belong to a proxy. `true`: the connecting peer is always taken as the one proxy. Set it only behind proxies that set this header." },
  { name: "OVERA_CONNECTIONS", meaning: "The maximum of open connections of a host. One network (an IPv4 address, 64 bits of an IPv6 address) may have at most as many as are still free, so alone half of them. Connections of trusted proxies are not counted." },
  { name: "OVERA_RATE_LIMIT_PER_SECOND", meaning: "Requests per second that a credential may make on average, per host. Each KiB of a JSON body above 16 KiB counts as one more request, and so does each 16 KiB of a CSV file; a receipt as a file counts as ten." },
  { name: "OVERA_RATE_LIMIT_BURST", meaning: "Requests that a credential may make at once, per host." },
  { name: "OVERA_TAXPAYERS_PER_ORGANIZATION", meaning: "Taxpayers that an organization may register itself, over the API or in the portal, in each environment; the operator may add more." },
  { name: "OVERA_PREMISES_PER_ORGANIZATION", meaning: "Their premises, by the same rule. In the sandbox each uses an element of the pool." },
  { name: "OVERA_REQUESTS_IN_FLIGHT", meaning: "The maximum of requests in flight of a host. One organization may have at most as many as are still free, so alone half of them." },
  { name: "OVERA_BODY_BYTES_IN_FLIGHT", meaning: "The maximum of bytes of their bodies, by the same rule. A sale needs some ten times its body in memory." },
  { name: "OVERA_ANSWER_BYTES_IN_FLIGHT", meaning: "The maximum of bytes of large answers that their callers have not read yet, by the same rule." },
  { name: "OVERA_SECURITY_CONTACT", meaning: "E-mail or web address to which weaknesses are reported, shown at `/.well-known/security.txt`." },
  { name: "OVERA_AUTH_ISSUER", meaning: "`iss` of the tokens.", required: "with OVERA_AUTH_JWKS_URL", defaultText: "`OVERA_BASE_URL`, else `overa`" },
  { name: "OVERA_CONTACT_EMAIL", meaning: "The address for integrators' questions, named in the published contract." },
  { name: "OVERA_AUTH_AUDIENCE", meaning: "`aud` of the tokens." },
  { name: "OVERA_AUTH_JWKS_URL", meaning: "Keys of an external issuer of tokens. Absent: this service issues them itself." },
  { name: "OVERA_AUTH_TOKEN_URL", meaning: "The external issuer's token endpoint, for the contract.", required: "with OVERA_AUTH_JWKS_URL" },
  { name: "OVERA_NBS_URL", meaning: "Address of the company register. Absent: receipts carry no details of the buyer." },
  { name: "OVERA_NBS_USER_NAME", meaning: "Its login.", required: "with OVERA_NBS_URL" },
  { name: "OVERA_NBS_PASSWORD", meaning: "Its password.", required: "with OVERA_NBS_URL" },
  { name: "OVERA_NBS_LICENCE_ID", meaning: "Its licence.", required: "with OVERA_NBS_URL" },
  { name: "OVERA_SMTP_URL", meaning: "The mail server for receipts, and for messages to people of the portal (invitations): `smtps://user:password@host:465`, or `smtp://user:password@host:587`, which begins with STARTTLS or sends nothing. Absent: deliveries answer 503 and nothing is queued. API and portal only check whether it is set; the worker sends." },
  { name: "OVERA_WEBHOOK_PROXY_URL", meaning: "A proxy that events to shops' addresses go through: `http://host:port`, or with `user:password@`, where `%` is written as `%25`. It takes CONNECT, and is given the address that was looked up and checked. Absent: the worker connects directly. It connects to addresses of the internet only. Names of receivers are asked of the system's name servers (`/etc/resolv.conf`) over UDP and TCP 53; the file of hosts and search domains have no effect on them." },
  { name: "OVERA_WITNESSES", meaning: "[Witnesses](journal-log.md#witnesses) that cosign the journal's logs, at most eight: pairs of a witness's key and the address of its `add-checkpoint`, separated by spaces. Absent: nobody is asked." },
  { name: "OVERA_MAIL_SENDER", meaning: "The installation's own address; messages carry the shop's name before it. Its domain must allow this server to send (SPF, DKIM, DMARC).", required: "with OVERA_SMTP_URL" },
  { name: "OVERA_SMTP_CA_FILE", meaning: "PEM file with the roots to trust for the mail server. Absent: the system's." }
]
