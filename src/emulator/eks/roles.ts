// Roles as EKS looks at them: may the caller pass it, does it exist, does its trust policy name EKS Pod Identity.
import type { AccessQuestion } from '../policy/access.ts'
import type { Call } from '../service.ts'
import { eksFailure } from './errors.ts'
import type { EksState } from './model.ts'

/** Whoever hands a role to EKS must be allowed to pass it, and to look at it. */
export function passRole(call: Call<EksState>, roleArn: string, service: string): readonly AccessQuestion[] {
  return [
    { action: 'iam:PassRole', resource: roleArn, context: { 'iam:PassedToService': service } },
    { action: 'iam:GetRole', resource: roleArn },
  ].map(question => ({ ...question, resourceAccount: call.account }))
}

const podIdentityService = 'pods.eks.amazonaws.com'

/** Refuses roles that could never give credentials to a pod. Conditions are not looked at: they are for the moment of use. */
export function checkPodRole(
  call: Call<EksState>,
  role: { readonly arn: string; readonly sessionTags: boolean; readonly clusterName: string },
): void {
  const fields = { clusterName: role.clusterName }
  const [, partition, service, , account] = role.arn.split(':')
  const own = service === 'iam' && partition === call.partition && account === call.account
  const found = own ? call.ports.roles.find(role.arn, 'late') : undefined
  if (found === undefined) throw eksFailure('InvalidParameterException', 'Role provided in the request does not exist.', fields)
  const actions = role.sessionTags ? ['sts:AssumeRole', 'sts:TagSession'] : ['sts:AssumeRole']
  if (actions.every(action => trustNames(found.trustPolicy, action))) return
  throw eksFailure('InvalidParameterException', 'Trust policy of the role provided is invalid', fields)
}

interface Statement {
  readonly Effect?: unknown
  readonly Principal?: unknown
  readonly Action?: unknown
}

function trustNames(policy: string, action: string): boolean {
  const document = JSON.parse(policy) as { readonly Statement?: Statement | readonly Statement[] }
  return [document.Statement ?? []].flat().some(statement => {
    if (statement.Effect !== 'Allow') return false
    const principal = statement.Principal
    const services =
      principal !== null && typeof principal === 'object' ? (principal as { readonly Service?: unknown }).Service : undefined
    const named = principal === '*' || [services].flat().includes(podIdentityService)
    return named && [statement.Action].flat().some(pattern => typeof pattern === 'string' && matchesAction(pattern, action))
  })
}

/** Wildcards without backtracking: a policy is somebody's input. */
function matchesAction(pattern: string, action: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const text = action.toLowerCase()
  const last = rest.pop()
  if (last === undefined) return fits(first, text, 0) && first.length === text.length
  if (!fits(first, text, 0)) return false
  let at = first.length
  for (const piece of rest) {
    while (at + piece.length <= text.length && !fits(piece, text, at)) at++
    if (at + piece.length > text.length) return false
    at += piece.length
  }
  return text.length - last.length >= at && fits(last, text, text.length - last.length)
}

function fits(piece: string, text: string, at: number): boolean {
  if (at + piece.length > text.length) return false
  for (let index = 0; index < piece.length; index++) {
    if (piece[index] !== '?' && piece[index] !== text[at + index]) return false
  }
  return true
}
