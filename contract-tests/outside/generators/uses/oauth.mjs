import { createRemoteJWKSet, jwtVerify } from "jose"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import { ClientCredentials } from "simple-oauth2"

const { BASE: base, CLIENT_ID: id, CLIENT_SECRET: secret } = process.env
const said = {}

// Everything from the address of the issuer alone (RFC 8414).
const found = await openid.discovery(new URL(base), id, secret, openid.ClientSecretPost(secret), { algorithm: "oauth2", execute: [openid.allowInsecureRequests] })
said["openid-client"] = (await openid.clientCredentialsGrant(found)).token_type

const issuer = new URL(base)
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: "oauth2", [oauth.allowInsecureRequests]: true }))
const grant = await oauth.clientCredentialsGrantRequest(server, { client_id: id }, oauth.ClientSecretBasic(secret), {}, { [oauth.allowInsecureRequests]: true })
const granted = await oauth.processClientCredentialsResponse(server, { client_id: id }, grant)
said["oauth4webapi"] = granted.token_type

const simple = new ClientCredentials({ client: { id, secret }, auth: { tokenHost: base, tokenPath: "/oauth/token" } })
said["simple-oauth2"] = (await simple.getToken({})).token.token_type

const { payload } = await jwtVerify(granted.access_token, createRemoteJWKSet(new URL(server.jwks_uri)), { issuer: server.issuer, audience: "overa-api" })
said["jose"] = payload.svc_env

const challenge = (await fetch(`${base}/v1/runtime`, { headers: { Authorization: "Bearer abc.def.ghi" } })).headers.get("WWW-Authenticate")
said["challenge"] = challenge
process.stdout.write(JSON.stringify(said))
