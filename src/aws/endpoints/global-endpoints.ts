// Services that have one endpoint per partition instead of one per region. API models in Smithy form hide this in their endpoint
// rules and C2J models name only the first partition's host, so it stands here, as published in the SDKs' endpoint tables.
// A service that is not listed is regional.

export interface GlobalEndpoint {
  readonly host: string
  /** The region to sign for. */
  readonly region: string
}

/** The region for which the global services of a partition sign, with few exceptions. */
const centre = { aws: 'us-east-1', 'aws-cn': 'cn-northwest-1', 'aws-us-gov': 'us-gov-west-1' } as const

type ByPartition = Readonly<Record<string, GlobalEndpoint>>

const endpoints: Readonly<Record<string, ByPartition>> = {
  account: hosts(['aws', 'account.us-east-1.amazonaws.com'], ['aws-cn', 'account.cn-northwest-1.amazonaws.com.cn']),
  billingconductor: hosts(['aws', 'billingconductor.us-east-1.amazonaws.com']),
  budgets: hosts(['aws', 'budgets.amazonaws.com'], ['aws-cn', 'budgets.amazonaws.com.cn']),
  ce: hosts(['aws', 'ce.us-east-1.amazonaws.com'], ['aws-cn', 'ce.cn-northwest-1.amazonaws.com.cn']),
  cloudfront: hosts(['aws', 'cloudfront.amazonaws.com'], ['aws-cn', 'cloudfront.cn-northwest-1.amazonaws.com.cn']),
  globalaccelerator: { aws: { host: 'globalaccelerator.us-west-2.amazonaws.com', region: 'us-west-2' } },
  health: hosts(['aws', 'global.health.amazonaws.com'], ['aws-cn', 'global.health.amazonaws.com.cn']),
  iam: {
    aws: { host: 'iam.amazonaws.com', region: 'us-east-1' },
    'aws-cn': { host: 'iam.cn-north-1.amazonaws.com.cn', region: 'cn-north-1' },
    'aws-us-gov': { host: 'iam.us-gov.amazonaws.com', region: 'us-gov-west-1' },
  },
  networkmanager: {
    aws: { host: 'networkmanager.us-west-2.amazonaws.com', region: 'us-west-2' },
    'aws-us-gov': { host: 'networkmanager.us-gov-west-1.amazonaws.com', region: 'us-gov-west-1' },
  },
  organizations: hosts(
    ['aws', 'organizations.us-east-1.amazonaws.com'],
    ['aws-cn', 'organizations.cn-northwest-1.amazonaws.com.cn'],
    ['aws-us-gov', 'organizations.us-gov-west-1.amazonaws.com'],
  ),
  route53: hosts(
    ['aws', 'route53.amazonaws.com'],
    ['aws-cn', 'route53.amazonaws.com.cn'],
    ['aws-us-gov', 'route53.us-gov.amazonaws.com'],
  ),
  savingsplans: hosts(['aws', 'savingsplans.amazonaws.com']),
  shield: hosts(['aws', 'shield.us-east-1.amazonaws.com']),
  tax: hosts(['aws', 'tax.us-east-1.amazonaws.com']),
  waf: hosts(['aws', 'waf.amazonaws.com']),
}

/** The endpoints of a service by its endpoint prefix, keyed by partition; `undefined` for regional services. */
export function globalEndpointsOf(endpointPrefix: string): ByPartition | undefined {
  return Object.hasOwn(endpoints, endpointPrefix) ? endpoints[endpointPrefix] : undefined
}

function hosts(...rows: readonly (readonly [partition: keyof typeof centre, host: string])[]): ByPartition {
  return Object.fromEntries(rows.map(([partition, host]) => [partition, { host, region: centre[partition] }]))
}
