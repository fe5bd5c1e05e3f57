// Asks IAM whether records may be changed, without changing one. Whoever may not ask learns nothing, and nothing is made of that.
import type { AwsClient } from '#aws/client'

export interface Simulating {
  readonly iam: AwsClient
  readonly principalArn: string
  readonly zones: readonly string[]
  readonly signal: AbortSignal
}

export const changeAction = 'route53:ChangeResourceRecordSets'

/** False where IAM says that a change would be refused; undefined where nobody could say. */
export async function mayChange({ iam, principalArn, zones, signal }: Simulating): Promise<boolean | undefined> {
  const partition = principalArn.split(':')[1] ?? 'aws'
  const ids = zones.length === 0 ? ['*'] : zones.map(zone => zone.replace('/hostedzone/', ''))
  const ResourceArns = ids.map(id => `arn:${partition}:route53:::hostedzone/${id}`)
  try {
    const input = { PolicySourceArn: principalArn, ActionNames: [changeAction], ResourceArns }
    const { EvaluationResults } = await iam.call('SimulatePrincipalPolicy', input, { signal })
    const results: readonly unknown[] = Array.isArray(EvaluationResults) ? EvaluationResults : []
    return results.every(result => Reflect.get(Object(result), 'EvalDecision') === 'allowed')
  } catch {
    return undefined
  }
}

/** The role behind a session, which is what policies are attached to; a user is itself. */
export function principalOf(arn: string): string {
  const match = /^arn:([^:]+):sts::(\d{12}):assumed-role\/([^/]+)\//.exec(arn)
  return match === null ? arn : `arn:${match[1]}:iam::${match[2]}:role/${match[3]}`
}
