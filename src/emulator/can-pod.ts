// "Can this pod do X?" (§4.7): the links from a pod's token to an allowed call, looked at without making the call. The links are
// judged by the very functions that judge real calls, so that the answer cannot differ from what the pod would meet.
import { given } from '#base'
import type { Aws, Explanation } from './aws.ts'
import { adminAccountOf, adminPrincipal } from './core/caller/admin-keys.ts'
import { requestTagKeys } from './core/caller/condition-keys.ts'
import type { Emulator } from './core/emulator.ts'
import { type ChosenCredentials, podCredentials, type RoleSubject } from './pod-credentials.ts'
import type { AccessStep } from './policy/access.ts'
import type { Ports, RoleView } from './ports.ts'
import type { SessionPrincipal, UserPrincipal } from './principal.ts'
import type { Context } from './service.ts'
import { sts } from './sts/index.ts'
import { issuerKeys } from './sts/issuer-keys.ts'
import type { StsState } from './sts/model.ts'
import { trustStep, webIdentityContext } from './sts/web-identity.ts'

type Question = Parameters<Aws['canPod']>[0]
type WebIdentity = RoleSubject & { readonly kind: 'web-identity' }
type PodIdentity = RoleSubject & { readonly kind: 'pod-identity' }

interface Inquiry {
  readonly context: Context<StsState>
  readonly ports: Ports
  readonly steps: AccessStep[]
}

export async function canPod(core: Emulator, question: Question): Promise<Explanation> {
  core.catchUp()
  const { subject, roleArn, ...asked } = question
  const credentials: ChosenCredentials | Omit<ChosenCredentials & { readonly kind: 'role' }, 'step'> =
    subject.kind === 'pod' ? podCredentials(subject) : { kind: 'role', subject, ...(roleArn !== undefined && { roleArn }) }
  const steps: AccessStep[] = 'step' in credentials ? [credentials.step] : []
  const context = contextFor(core, credentials, asked.resource)
  const inquiry: Inquiry = { context, ports: context.ports, steps }
  const caller = await callerOf(inquiry, core, credentials)
  const allowed = caller !== undefined && mayAct(inquiry, caller, asked)
  return { requestId: '', decision: allowed ? 'allowed' : 'denied', steps }
}

type Used = Pick<ChosenCredentials, 'kind'> & {
  readonly subject?: RoleSubject
  readonly roleArn?: string
  readonly accessKeyId?: string
}

/** STS where the role's account, or the cluster, is. */
function contextFor(core: Emulator, { subject, roleArn }: Used, resource: string): Context<StsState> {
  const cluster = subject?.kind === 'pod-identity' ? subject : undefined
  return core.contextOf(sts, {
    partition: roleArn?.split(':')[1] ?? resource.split(':')[1] ?? 'aws',
    account: cluster?.account ?? roleArn?.split(':')[4] ?? (core.settings.accounts[0] as string),
    region: cluster?.region ?? core.settings.knobs.defaultRegion,
  })
}

async function callerOf(
  inquiry: Inquiry,
  core: Emulator,
  { subject, roleArn = '', accessKeyId }: Used,
): Promise<SessionPrincipal | UserPrincipal | undefined> {
  if (accessKeyId !== undefined) return byKeys(inquiry, core, accessKeyId)
  if (subject === undefined) return undefined
  return subject.kind === 'web-identity' ? byWebIdentity(inquiry, subject, roleArn) : byPodIdentity(inquiry, subject)
}

function byKeys(inquiry: Inquiry, core: Emulator, accessKeyId: string): UserPrincipal | undefined {
  const { partition } = inquiry.context
  const admin = adminAccountOf(core.settings.seed, partition, accessKeyId)
  const key = admin === undefined ? inquiry.ports.identities.userKey(accessKeyId) : undefined
  const user = admin === undefined ? (key?.active ? key.user : undefined) : adminPrincipal(partition, admin, accessKeyId)
  note(inquiry, 'access key', user !== undefined, user === undefined ? `${accessKeyId} is unknown or inactive` : user.arn)
  return user
}

function note(inquiry: Inquiry, link: string, holds: boolean, detail: string): boolean {
  inquiry.steps.push({ link, holds, detail })
  return holds
}

async function byWebIdentity(inquiry: Inquiry, subject: WebIdentity, roleArn: string): Promise<SessionPrincipal | undefined> {
  const { ports, context } = inquiry
  const account = roleArn.split(':')[4] ?? ''
  const issuer = subject.issuer.replace(/^https:\/\//, '')
  const provider = ports.providers.find(account, issuer, 'late')
  const newer = ports.providers.find(account, issuer, 'newest')
  if (provider === undefined) {
    const pending = newer === undefined ? '' : '; one was created just now and STS does not see it yet'
    note(inquiry, 'OIDC provider', false, `account ${account} has no provider whose URL is exactly ${subject.issuer}${pending}`)
    return undefined
  }
  note(inquiry, 'OIDC provider', true, provider.arn)
  if (
    !note(
      inquiry,
      'audience',
      provider.clientIds.includes(subject.audience),
      `${subject.audience}; the provider takes [${provider.clientIds.join(', ')}]`,
    )
  )
    return undefined
  const fetched = await issuerKeys(context, `https://${issuer}`, false)
  const hasKeys = fetched.kind === 'keys' && fetched.keys.length > 0
  if (!note(inquiry, 'issuer documents', hasKeys, fetched.kind === 'keys' ? `${fetched.keys.length} keys` : fetched.why))
    return undefined
  const role = roleFor(inquiry, roleArn)
  if (role === undefined) return undefined
  const keys = webIdentityContext({
    issuer,
    audiences: [subject.audience],
    subject: subject.subject,
    more: { 'aws:FederatedProvider': provider.arn, 'sts:RoleSessionName': sessionName, 'aws:RequestedRegion': context.region },
  })
  const step = trustStep(role, { actions: ['sts:AssumeRoleWithWebIdentity'], providerArn: provider.arn, context: keys })
  inquiry.steps.push(step)
  return step.holds ? sessionOf(inquiry, role, { federatedProvider: provider.arn }) : undefined
}

function byPodIdentity(inquiry: Inquiry, subject: PodIdentity): SessionPrincipal | undefined {
  const { ports, context } = inquiry
  const place = { account: context.account, region: context.region }
  const cluster = ports.clusters.find(subject.cluster, place)
  if (cluster === undefined)
    return void note(inquiry, 'cluster', false, `no cluster ${subject.cluster} in account ${place.account}, ${place.region}`)
  const asked = { cluster: subject.cluster, ...place, namespace: subject.namespace, serviceAccount: subject.serviceAccount }
  const association = ports.clusters.association({ ...asked, view: 'late' })
  if (association === undefined) {
    const pending =
      ports.clusters.association({ ...asked, view: 'newest' }) === undefined
        ? ''
        : '; one was created just now and is not in effect yet'
    return void note(
      inquiry,
      'pod identity association',
      false,
      `none for ${subject.namespace}/${subject.serviceAccount} in ${subject.cluster}${pending}`,
    )
  }
  note(inquiry, 'pod identity association', true, association.arn)
  const role = roleFor(inquiry, association.roleArn)
  if (role === undefined) return undefined
  const tags: Record<string, string> = association.disableSessionTags
    ? {}
    : {
        'eks-cluster-arn': cluster.arn,
        'eks-cluster-name': subject.cluster,
        'kubernetes-namespace': subject.namespace,
        'kubernetes-service-account': subject.serviceAccount,
      }
  const actions = ['sts:AssumeRole', ...(association.disableSessionTags ? [] : ['sts:TagSession'])]
  const trust = ports.roles.trustAllows({
    role,
    caller: { kind: 'service', service: 'pods.eks.amazonaws.com' },
    actions,
    context: present({ ...requestTagKeys(tags), 'aws:SourceArn': cluster.arn, 'aws:SourceAccount': place.account }),
  })
  inquiry.steps.push(...trust.steps)
  if (!trust.allowed) return undefined
  const { targetRoleArn, externalId, policy } = association
  const session = sessionOf(inquiry, role, { tags, ...(targetRoleArn === undefined && policy !== undefined ? { policy } : {}) })
  return targetRoleArn === undefined ? session : byTargetRole(inquiry, session, { roleArn: targetRoleArn, externalId, policy })
}

function byTargetRole(
  inquiry: Inquiry,
  session: SessionPrincipal,
  target: { readonly roleArn: string; readonly externalId: string | undefined; readonly policy: string | undefined },
): SessionPrincipal | undefined {
  const role = roleFor(inquiry, target.roleArn)
  if (role === undefined) return undefined
  const decision = inquiry.context.decideFor(session, {
    action: 'sts:AssumeRole',
    resource: role.arn,
    resourceAccount: role.account,
    resourcePolicy: { kind: 'role trust', name: `trust policy of ${role.name}`, text: role.trustPolicy },
    context: { 'sts:ExternalId': target.externalId, 'sts:RoleSessionName': sessionName },
  })
  inquiry.steps.push(...decision.steps)
  return decision.allowed ? sessionOf(inquiry, role, { tags: session.tags, ...given({ policy: target.policy }) }) : undefined
}

function present(
  keys: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(keys).filter((entry): entry is [string, string | readonly string[]] => entry[1] !== undefined),
  )
}

function roleFor(inquiry: Inquiry, arn: string): RoleView | undefined {
  const role = inquiry.ports.roles.find(arn, 'late')
  const pending =
    role === undefined && inquiry.ports.roles.find(arn, 'newest') !== undefined
      ? '; it was created just now and is not seen yet'
      : ''
  note(inquiry, 'role', role !== undefined, role === undefined ? `${arn} does not exist${pending}` : arn)
  return role
}

const sessionName = 'can-pod'

function sessionOf(
  { context }: Inquiry,
  role: RoleView,
  more: { readonly tags?: Readonly<Record<string, string>>; readonly policy?: string; readonly federatedProvider?: string },
): SessionPrincipal {
  return {
    kind: 'session',
    partition: context.partition,
    account: role.account,
    arn: `arn:${context.partition}:sts::${role.account}:assumed-role/${role.name}/${sessionName}`,
    userId: `${role.id}:${sessionName}`,
    accessKeyId: '',
    roleName: role.name,
    roleArn: role.arn,
    roleId: role.id,
    sessionName,
    issuedAtMs: context.now,
    expiresAtMs: context.now + role.maxSessionDurationS * 1_000,
    policy: more.policy,
    policyArns: [],
    tags: more.tags ?? {},
    transitiveTagKeys: Object.keys(more.tags ?? {}),
    sourceIdentity: undefined,
    federatedProvider: more.federatedProvider,
  }
}

function mayAct(
  { context, ports, steps }: Inquiry,
  caller: SessionPrincipal | UserPrincipal,
  { action, resource }: Pick<Question, 'action' | 'resource'>,
): boolean {
  const decision = context.decideFor(caller, { action, resource, ...ports.resourcePolicies.of(resource, caller.account) })
  steps.push(...decision.steps.map(step => ({ ...step, detail: `${action}: ${step.detail}` })))
  return decision.allowed
}
