// ARNs: parsed into their six parts, rendered back to the same text. The parts are only as strict as every service agrees on;
// the ARNs that we put into trust policies have stricter types of their own below.
import { type AccountId, isAccountId } from './account.ts'
import { NameError } from './name-error.ts'

declare const brand: unique symbol

export interface Arn {
  readonly partition: string
  readonly service: string
  /** Empty for global resources. */
  readonly region: string
  /** Empty for buckets, `aws` for what AWS itself owns. */
  readonly account: string
  /** All that follows, colons included. */
  readonly resource: string
}

const arnPattern = /^arn:([a-z][a-z0-9-]*):([a-z0-9-]+):([a-z0-9-]*):(\d{12}|aws|)?:(.+)$/s
const arnLengthMax = 2048

/** The parts of an ARN without wildcards before its resource, or `undefined`. */
export function tryParseArn(text: string): Arn | undefined {
  const match = text.length > arnLengthMax ? null : arnPattern.exec(text)
  if (match === null) return undefined
  const [, partition = '', service = '', region = '', account = '', resource = ''] = match
  return { partition, service, region, account, resource }
}

/** Throws `NameError`. */
export function parseArn(text: string): Arn {
  const arn = tryParseArn(text)
  if (arn !== undefined) return arn
  throw new NameError('arn', text, 'expected arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE')
}

export function renderArn({ partition, service, region, account, resource }: Arn): string {
  return `arn:${partition}:${service}:${region}:${account}:${resource}`
}

/** `arn:PARTITION:iam::ACCOUNT:role/PATH/NAME`, checked. */
export type RoleArn = string & { readonly [brand]: 'RoleArn' }

export interface RoleName {
  readonly partition: string
  readonly account: AccountId
  /** Begins and ends with a slash. */
  readonly path: string
  readonly name: string
}

const roleResource = /^role(\/(?:[\u0021-\u007e]{1,510}\/)?)([\w+=,.@-]{1,64})$/

function tryParseRoleArn(text: string): RoleName | undefined {
  const arn = tryParseArn(text)
  const match = arn?.service === 'iam' && arn.region === '' ? roleResource.exec(arn.resource) : null
  if (arn === undefined || match === null || !isAccountId(arn.account)) return undefined
  return { partition: arn.partition, account: arn.account, path: match[1] ?? '/', name: match[2] ?? '' }
}

function noRoleArn(text: string): NameError {
  return new NameError('role ARN', text, 'expected arn:PARTITION:iam::ACCOUNT:role/[PATH/]NAME')
}

/** Throws `NameError`. */
export function parseRoleArn(text: string): RoleName {
  const name = tryParseRoleArn(text)
  if (name !== undefined) return name
  throw noRoleArn(text)
}

export function isRoleArn(text: string): text is RoleArn {
  return tryParseRoleArn(text) !== undefined
}

/** The text as a role ARN, once it has been seen to be one. */
export function asRoleArn(text: string): RoleArn {
  if (isRoleArn(text)) return text
  throw noRoleArn(text)
}

export function renderRoleArn({ partition, account, path, name }: RoleName): RoleArn {
  return asRoleArn(`arn:${partition}:iam::${account}:role${path}${name}`)
}

/** `arn:PARTITION:iam::ACCOUNT:oidc-provider/HOST/PATH`, checked: what follows the slash is a plain issuer location. */
export type ProviderArn = string & { readonly [brand]: 'ProviderArn' }

export interface ProviderName {
  readonly partition: string
  readonly account: AccountId
  readonly issuer: IssuerLocation
}

export function parseProviderArn(text: string): ProviderName {
  const arn = tryParseArn(text)
  const expected = 'expected arn:PARTITION:iam::ACCOUNT:oidc-provider/ISSUER, the issuer without https://'
  if (arn?.service !== 'iam' || arn.region !== '' || !isAccountId(arn.account) || !arn.resource.startsWith('oidc-provider/')) {
    throw new NameError('provider ARN', text, expected)
  }
  const issuer = arn.resource.slice('oidc-provider/'.length)
  if (!isIssuerLocation(issuer)) throw new NameError('provider ARN', text, expected)
  return { partition: arn.partition, account: arn.account, issuer }
}

export function asProviderArn(text: string): ProviderArn {
  parseProviderArn(text)
  return text as ProviderArn
}

export function renderProviderArn({ partition, account, issuer }: ProviderName): ProviderArn {
  return asProviderArn(`arn:${partition}:iam::${account}:oidc-provider/${issuer}`)
}

/** `arn:PARTITION:eks:REGION:ACCOUNT:cluster/NAME`, checked. */
export type EksClusterArn = string & { readonly [brand]: 'EksClusterArn' }

export interface EksClusterName {
  /** The text that was parsed. */
  readonly arn: EksClusterArn
  readonly partition: string
  readonly region: string
  readonly account: AccountId
  readonly name: string
}

const clusterResource = /^cluster\/([0-9A-Za-z][A-Za-z0-9_-]{0,99})$/

/** The parts of the ARN of an EKS cluster, or `undefined`. */
export function tryParseEksClusterArn(text: string): EksClusterName | undefined {
  const arn = tryParseArn(text)
  if (arn === undefined || arn.service !== 'eks' || arn.region === '') return undefined
  const { partition, region, account } = arn
  const name = clusterResource.exec(arn.resource)?.[1]
  if (name === undefined || !isAccountId(account)) return undefined
  return { arn: text as EksClusterArn, partition, region, account, name }
}

/**
 * Host and path of an https issuer, without the scheme: the form in which it stands in provider ARNs and condition keys. Free of
 * everything that a policy would read as a pattern or a variable.
 */
export type IssuerLocation = string & { readonly [brand]: 'IssuerLocation' }

const issuerPattern = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?(?:\/[A-Za-z0-9._~%!&'()+,;=:@-]+)*$/
/** Longest URL that IAM takes for a provider. */
const issuerLengthMax = 255

export function isIssuerLocation(text: string): text is IssuerLocation {
  if (text.length > issuerLengthMax || !issuerPattern.test(text)) return false
  // What a URL parser would write in another way (dot segments, bad percent escapes) is two names for one place.
  const url = URL.parse(`https://${text}`)
  return url !== null && `${url.host}${url.pathname}` === (text.includes('/') ? text : `${text}/`)
}

/** The location of an issuer URL as it stands in a token's `iss`. Throws `NameError` for anything but a plain https URL. */
export function parseIssuerUrl(text: string): IssuerLocation {
  const location = text.startsWith('https://') ? text.slice('https://'.length) : undefined
  if (location !== undefined && isIssuerLocation(location)) return location
  throw new NameError(
    'issuer',
    text,
    'expected https://HOST[/PATH] in lower case, without query, fragment, user or trailing slash',
  )
}
