// The refusals of the token endpoint, in Entra's form. Codes and sentences are as people met them: the reference of AADSTS codes, and the
// issue threads named beside each. Nobody should parse them, and everybody searches for them.
import type { HttpResponse } from '#base'
import { json } from '../wire/call.ts'

export interface SignInRefusal {
  readonly code: number
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_scope'
    | 'invalid_resource'
    | 'unauthorized_client'
    | 'unsupported_grant_type'
    | 'invalid_instance'
  readonly text: string
}

export class SignInRefused extends Error {
  readonly refusal: SignInRefusal

  constructor(refusal: SignInRefusal, options?: ErrorOptions) {
    super(refusal.text, options)
    this.refusal = refusal
  }
}

const federationPage = 'https://learn.microsoft.com/entra/workload-id/workload-identity-federation'

function unmatched(what: string, value: string): string {
  const head = `No matching federated identity record found for presented assertion ${what} '${value}'.`
  return `${head} Check your federated identity credential Subject, Audience and Issuer against the presented assertion. ${federationPage}`
}

/** One per refusal, of the texts of the request that it repeats. */
export interface Refusals {
  missing(name: string): SignInRefusal
  repeated(name: string): SignInRefusal
  tenant(tenant: string): SignInRefusal
  grantType(grant: string): SignInRefusal
  application(id: string, tenant: string): SignInRefusal
  noPrincipal(id: string, tenant: string): SignInRefusal
  noCredential(): SignInRefusal
  secret(id: string): SignInRefusal
  malformed(why: string): SignInRefusal
  noRecord(claims: { readonly iss: string; readonly sub: string; readonly aud: string }): SignInRefusal
  issuer(issuer: string): SignInRefusal
  audience(audience: string): SignInRefusal
  subject(subject: string): SignInRefusal
  endpoint(): SignInRefusal
  key(keyId: string, issuer: string): SignInRefusal
  time(now: string, from: string, until: string): SignInRefusal
  scope(scope: string): SignInRefusal
  defaultScope(scope: string): SignInRefusal
  resource(resource: string, tenant: string): SignInRefusal
  instance(): SignInRefusal
}

/** Above each, where it was seen: the reference of AADSTS error codes, or an issue thread. */
export const refusals: Refusals = {
  /** Reference. */
  missing: (name: string): SignInRefusal => ({
    code: 900144,
    error: 'invalid_request',
    text: `The request body must contain the following parameter: '${name}'.`,
  }),
  /** azure-sdk-for-java#31733. */
  repeated: (name: string): SignInRefusal => ({
    code: 9000411,
    error: 'invalid_request',
    text: `The request is not properly formatted. The parameter '${name}' is duplicated.`,
  }),
  /** Reference. */
  tenant: (tenant: string): SignInRefusal => ({
    code: 90002,
    error: 'invalid_request',
    text: `Tenant '${tenant}' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud. Check with your subscription administrator, this may happen if there are no active subscriptions for the tenant.`,
  }),
  /** Reference. */
  grantType: (grant: string): SignInRefusal => ({
    code: 70003,
    error: 'unsupported_grant_type',
    text: `The app requested an unsupported grant type '${grant}'.`,
  }),
  /** Reference. */
  application: (id: string, tenant: string): SignInRefusal => ({
    code: 700016,
    error: 'unauthorized_client',
    text: `Application with identifier '${id}' was not found in the directory '${tenant}'. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You may have sent your authentication request to the wrong tenant.`,
  }),
  /** Reference. */
  noPrincipal: (id: string, tenant: string): SignInRefusal => ({
    code: 7000229,
    error: 'unauthorized_client',
    text: `The client application ${id} is missing service principal in the tenant ${tenant}. See instructions here: https://go.microsoft.com/fwlink/?linkid=2225119`,
  }),
  /** Reference. */
  noCredential: (): SignInRefusal => ({
    code: 7000218,
    error: 'invalid_client',
    text: "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.",
  }),
  /** Reference. */
  secret: (id: string): SignInRefusal => ({
    code: 7000215,
    error: 'invalid_client',
    text: `Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app '${id}'.`,
  }),
  /** Reference. */
  malformed: (why: string): SignInRefusal => ({
    code: 50027,
    error: 'invalid_client',
    text: `JWT token is invalid or malformed: ${why}.`,
  }),
  /** Azure/azure-workload-identity, issue 340. */
  noRecord: (claims: { readonly iss: string; readonly sub: string; readonly aud: string }): SignInRefusal => ({
    code: 70021,
    error: 'invalid_client',
    text: `No matching federated identity record found for presented assertion. Assertion Issuer: '${claims.iss}'. Assertion Subject: '${claims.sub}'. Assertion Audience: '${claims.aud}'. ${federationPage}`,
  }),
  /** Azure/azure-workload-identity, issue 1200. */
  issuer: (issuer: string): SignInRefusal => ({ code: 700211, error: 'invalid_client', text: unmatched('issuer', issuer) }),
  /** As the two beside it. */
  audience: (audience: string): SignInRefusal => ({
    code: 700212,
    error: 'invalid_client',
    text: unmatched('audience', audience),
  }),
  /** Azure/login, issue 482; Azure/azure-workload-identity, issue 1200. */
  subject: (subject: string): SignInRefusal => ({ code: 700213, error: 'invalid_client', text: unmatched('subject', subject) }),
  /** Azure/azure-workload-identity, issue 642. */
  endpoint: (): SignInRefusal => ({ code: 50166, error: 'invalid_request', text: 'Request to External OIDC endpoint failed.' }),
  /** Azure/azure-workload-identity, issue 1232. */
  key: (keyId: string, issuer: string): SignInRefusal => ({
    code: 7000272,
    error: 'invalid_client',
    text: `The certificate with identifier ${keyId} used to sign the federated credential could not be found in the metadata of identity provider ${issuer}. Please validate that your Identity Provider's metadata exposes the key used to sign the incoming token.`,
  }),
  /** Reference. */
  time: (now: string, from: string, until: string): SignInRefusal => ({
    code: 700024,
    error: 'invalid_client',
    text: `Client assertion is not within its valid time range. Current time: ${now}, assertion valid from ${from}, expiry time of assertion ${until}. Review the documentation at https://learn.microsoft.com/entra/identity-platform/certificate-credentials .`,
  }),
  /** Reference. */
  scope: (scope: string): SignInRefusal => ({
    code: 70011,
    error: 'invalid_scope',
    text: `The provided request must include a 'scope' input parameter. The provided value for the input parameter 'scope' is not valid. The scope ${scope} is not valid.`,
  }),
  /** Reference. */
  defaultScope: (scope: string): SignInRefusal => ({
    code: 1002012,
    error: 'invalid_scope',
    text: `The provided value for scope ${scope} is not valid. Client credential flows must have a scope value with /.default suffixed to the resource identifier (application ID URI).`,
  }),
  /** Reference. */
  resource: (resource: string, tenant: string): SignInRefusal => ({
    code: 500011,
    error: 'invalid_resource',
    text: `The resource principal named ${resource} was not found in the tenant named ${tenant}. This can happen if the application has not been installed by the administrator of the tenant or consented to by any user in the tenant. You might have sent your authentication request to the wrong tenant.`,
  }),
  /** Reference. */
  instance: (): SignInRefusal => ({ code: 50049, error: 'invalid_instance', text: 'Unknown or invalid instance.' }),
}

export interface RefusalContext {
  readonly traceId: string
  readonly correlationId: string
  readonly nowMs: number
  readonly origin: string
}

/** Text of a client that goes into an answer: no more of it than anybody needs to recognise it. */
export function echoed(text: string): string {
  return text.length > 512 ? `${text.slice(0, 512)}…` : text
}

export function refusalResponse({ code, error, text }: SignInRefusal, context: RefusalContext): HttpResponse {
  const { traceId, correlationId, nowMs, origin } = context
  const timestamp = `${new Date(nowMs).toISOString().slice(0, 19).replace('T', ' ')}Z`
  const tail = ` Trace ID: ${traceId} Correlation ID: ${correlationId} Timestamp: ${timestamp}`
  return json(error === 'invalid_client' ? 401 : 400, {
    error,
    error_description: `AADSTS${code}: ${text}${tail}`,
    error_codes: [code],
    timestamp,
    trace_id: traceId,
    correlation_id: correlationId,
    error_uri: `${origin}/error?code=${code}`,
  })
}
