// What is done for one object, from what is seen of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StoredObject, serviceAccounts } from '#kube'
import type { Action, Plan } from '#runtime'
import { wantedCredentialsRequest } from '../credentials/request.ts'
import { buildDeployment, type Deployment } from '../operand/deployment.ts'
import { account, dnsSeen, type SeenOptions, target, tried } from '../testing/dns-seen.fixture.ts'
import { accountActions } from './account.ts'
import { type DnsAction, decideDns } from './decide.ts'
import { deploymentActions, findHold } from './deployment-actions.ts'
import { baseIdentity } from './identity.ts'
import { noticeActions } from './notices.ts'
import { requestActions } from './request-actions.ts'
import { requestOf } from './request-of.ts'
import type { DnsSeen } from './seen.ts'

const aws = (more: object): object => ({ provider: { type: 'AWS', aws: more } })
const identity = (mode: string, more: object = {}): object => aws({ workloadIdentity: { mode, ...more } })
const roleARN = 'arn:aws:iam::111111111111:role/dns'
const bindingRef = { namespace: 'external-dns', name: 'dns' }

/** `create deployments`, one for each action. */
const verbs = (actions: readonly Action<DnsAction>[]): readonly string[] =>
  actions.map(action =>
    'type' in action && typeof action.type === 'object' ? `${action.kind} ${action.type.plural}` : action.kind,
  )
const decided = (options: SeenOptions = {}): Plan<DnsAction> => decideDns(dnsSeen(options), 60_000)

/** As it would be made for the object, by the server. */
function held(options: SeenOptions = {}, more: object = {}): Deployment & StoredObject {
  const built = buildDeployment(requestOf(dnsSeen(options), 'external-dns-blue'))
  assert.ok('deployment' in built)
  const { metadata, ...rest } = built.deployment
  return { ...rest, metadata: { ...metadata, uid: 'of-deployment', resourceVersion: '1', ...more } } as unknown as Deployment &
    StoredObject
}

const binding = (more: object = {}): NonNullable<DnsSeen['binding']> => ({
  isKindMissing: false,
  object: {
    metadata: { namespace: 'external-dns', name: 'dns', uid: 'b', generation: 1, resourceVersion: '1' },
    spec: { serviceAccount: { namespace: 'external-dns', name: 'external-dns-blue' } },
    status: { roleARN, conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: '' }], ...more },
  } as never,
})

test('an object that is gone, and one that goes and holds nothing, leaves nothing to do', () => {
  assert.deepEqual(decideDns(undefined, 0).actions, [])
  assert.deepEqual(decided({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }).actions, [])
})

const looking = { zoneDiscovery: { mode: 'AssumedRole' } }
const tries = { preflightEnabled: true }

/** Whether the operand is made, and what is waited for. */
const waits: readonly (readonly [what: string, options: SeenOptions, isMade: boolean, next: object])[] = [
  ['whose Secret is there', {}, true, { kind: 'await-change' }],
  [
    'whose Secret is not there',
    { target: undefined },
    false,
    { kind: 'look-again', afterMs: 5_000, why: 'the credentials secret is not there' },
  ],
  [
    'that needs no Secret',
    { target: undefined, source: undefined, spec: identity('IRSA', { roleARN }) },
    true,
    { kind: 'await-change' },
  ],
  [
    'whose bundle of authorities is not there',
    { settings: { trustedCaConfigMap: 'ca' } },
    false,
    { kind: 'look-again', afterMs: 5_000, why: 'the bundle of authorities is not there' },
  ],
  [
    'whose bundle of authorities is there',
    { settings: { trustedCaConfigMap: 'ca' }, trustedCa: {} as never },
    true,
    { kind: 'await-change' },
  ],
  [
    'whose binding is not there',
    { spec: identity('Binding', { bindingRef }), binding: { isKindMissing: false, object: undefined } },
    false,
    { kind: 'await-change' },
  ],
  ['whose binding works', { spec: identity('Binding', { bindingRef }), binding: binding() }, true, { kind: 'await-change' }],
  ['for which no zone has been found', { spec: looking, settings: tries, preflight: tried() }, false, { kind: 'await-change' }],
  ['whose owner id is in use', { sameOwner: [elder()] }, false, { kind: 'await-change' }],
  [
    'that asks for more than its operand can do',
    {
      settings: { operandVersion: '0.12.0' },
      spec: aws({ credentials: { name: 'x' }, assumeRole: { arn: roleARN, externalID: 'id' } }),
    },
    false,
    { kind: 'await-change' },
  ],
]

function elder(): DnsSeen['sameOwner'][number] {
  return { name: 'old', since: '2025-01-01T00:00:00Z', ownerId: 'external-dns-blue', spec: dnsSeen().model.spec }
}

for (const [what, options, isMade, next] of waits)
  test(`for an object ${what} ${isMade ? 'the operand is made' : 'no operand is made'}`, () => {
    const plan = decided(options)
    assert.equal(verbs(plan.actions).includes('create deployments'), isMade)
    assert.deepEqual(plan.next, next)
    const status = plan.status as { readonly operand?: object }
    assert.equal(status.operand !== undefined, isMade)
  })

test('the next look is when the credentials are due again, on the lane of what is not urgent', () => {
  const action = decided({ settings: tries }).actions.find(({ kind }) => kind === 'act:preflight')
  const fingerprint = action?.kind === 'act:preflight' ? action.fingerprint : ''
  const { actions, next } = decided({ settings: tries, preflight: tried({ fingerprint }) })
  assert.deepEqual(verbs(actions), ['create deployments'])
  assert.ok(next.kind === 'look-again' && next.afterMs > 500_000)
  assert.deepEqual([next.why, next.lane], ['the credentials are tried again', 'drift'])
})

test('rights of its own are given to an operand where operands are kept apart, and a hold is put on an object whose records are to go', () => {
  assert.deepEqual(verbs(decided({ settings: { perInstanceRbac: true } }).actions), [
    'create clusterrolebindings',
    'create deployments',
  ])
  assert.deepEqual(verbs(decided({ spec: { operand: { cleanup: true } } }).actions), [
    'add-finalizer externaldnses',
    'create deployments',
  ])
})

const asking = { spec: { zones: ['ZA'], ...identity('Binding', { bindingRef: { ...bindingRef, create: true } }) } }
const absent = { binding: { isKindMissing: false, object: undefined } }

test('the binding that an object asks for is made where it may be, with the zones that are written, and not for an object of no use', () => {
  const [made] = decided({ ...asking, ...absent }).actions
  assert.match(JSON.stringify(made), /arn:aws:route53:::hostedzone\/ZA"/)
  assert.deepEqual(verbs(decided({ ...asking, ...absent }).actions), ['create awsserviceaccountroles'])
  assert.deepEqual(verbs(decided({ ...asking, ...absent, settings: { bindingNamespaces: ['other'] } }).actions), [])
  const searching = { spec: { ...asking.spec, zones: [], ...looking }, settings: tries, status: { zones: ['ZB'] } }
  const [forAll] = decided({ ...searching, ...absent }).actions
  assert.match(JSON.stringify(forAll), /hostedzone\/\*"/)
})

const ending = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['externaldns.olm.openshift.io/cleanup'] } }
const cleaning = { ...ending, spec: { operand: { cleanup: true } } }

for (const [what, options, expected, message] of [
  ['whose operand is gone', cleaning, ['create jobs'], 'The records are being taken away.'],
  [
    'whose operand is there',
    { ...cleaning, deployment: held() },
    ['delete deployments'],
    'The operand ends before its records are taken away.',
  ],
  [
    'whose place somebody else’s Deployment has',
    { ...cleaning, deployment: held({}, { ownerReferences: [] }) },
    ['create jobs'],
    'The records are being taken away.',
  ],
  ['that has no such wish any more', ending, ['remove-finalizer externaldnses'], undefined],
  [
    'whose owner id is in use',
    { ...cleaning, sameOwner: [elder()] },
    [],
    /^nothing can take the records away: old writes records under the same owner id\./,
  ],
  [
    'whose Secret is not there',
    { ...cleaning, target: undefined },
    [],
    /^nothing can take the records away: the credentials secret is not there\./,
  ],
  [
    'that asks for more than its operand can do',
    {
      ...cleaning,
      settings: { operandVersion: '0.12.0' },
      spec: { ...cleaning.spec, ...aws({ credentials: { name: 'x' }, assumeRole: { arn: roleARN, externalID: 'id' } }) },
    },
    [],
    /^nothing can take the records away: an external id needs/,
  ],
] as const)
  test(`at the end of an object with a hold ${what} there is ${expected.join(', ') || 'nothing'} to do`, () => {
    const { actions, conditions } = decided(options as SeenOptions)
    assert.deepEqual(verbs(actions), expected)
    if (typeof message === 'string' || message === undefined) assert.equal(conditions[0]?.message, message)
    else assert.match(conditions[0]?.message ?? '', message)
  })

const ours = (role: string, audience = 'sts.amazonaws.com', regional = 'true', expiration = '86400'): object => ({
  'eks.amazonaws.com/role-arn': role,
  'eks.amazonaws.com/audience': audience,
  'eks.amazonaws.com/sts-regional-endpoints': regional,
  'eks.amazonaws.com/token-expiration': expiration,
})

/** What its ServiceAccount says, and what is changed in it. */
const accounts: readonly (readonly [what: string, spec: object, notes: object, change: object | undefined])[] = [
  ['without an identity', {}, {}, undefined],
  ['that has an identity no more', {}, { 'eks.amazonaws.com/role-arn': 'x', mine: 'y' }, { 'eks.amazonaws.com/role-arn': null }],
  ['with a role', identity('IRSA', { roleARN }), {}, ours(roleARN)],
  ['with a role that is said', identity('IRSA', { roleARN }), ours(roleARN), undefined],
  ['with another role', identity('IRSA', { roleARN }), ours('before'), { 'eks.amazonaws.com/role-arn': roleARN }],
  [
    'with a role and wishes of its own',
    identity('IRSA', { roleARN, audience: 'mine', tokenExpirationSeconds: 600, regionalEndpoints: false }),
    {},
    ours(roleARN, 'mine', 'false', '600'),
  ],
  ['whose token is put into the pod', identity('IRSA', { roleARN, projectToken: true }), {}, undefined],
  ['whose token is not put into the pod', identity('IRSA', { roleARN, projectToken: false }), ours(roleARN), undefined],
  ['with a binding, which says it itself', identity('Binding', { bindingRef }), ours('of the binding'), undefined],
  ['with a role, of another provider', { provider: { ...provider(identity('IRSA', { roleARN })), type: 'GCP' } }, {}, undefined],
]

function provider(spec: object): object {
  return Reflect.get(spec, 'provider') as object
}

for (const [what, spec, notes, change] of accounts)
  test(`the ServiceAccount of an object ${what} is ${change === undefined ? 'left as it is' : 'put right'}`, () => {
    const actions = accountActions(dnsSeen({ spec, account: account(notes) }))
    const body = { metadata: { annotations: change } }
    const key = { namespace: 'external-dns', name: 'external-dns-blue' }
    const patch = { kind: 'patch', type: serviceAccounts, key, patch: 'merge', body, uid: 'uid-of-external-dns-blue' }
    assert.deepEqual(actions, change === undefined ? [] : [patch])
  })

test('a ServiceAccount that is not there is made, with what it has to say and nothing else', () => {
  const made = (spec: object): unknown => {
    const [action] = accountActions(dnsSeen({ spec, account: undefined }))
    return action?.kind === 'create' ? action.object.metadata.annotations : action
  }
  assert.equal(made({}), undefined)
  assert.deepEqual(made(identity('IRSA', { roleARN })), ours(roleARN))
})

const strange = { matchLabels: { app: 'theirs' } }
const owner = (kind: string, name: string, uid: string): object => ({
  ownerReferences: [{ apiVersion: 'externaldns.olm.openshift.io/v1beta1', kind, name, uid, controller: true }],
})

for (const [what, deployment, hold] of [
  ['that is not there', undefined, undefined],
  ['of its own', held(), undefined],
  ['of another owner', held({}, owner('Widget', 'w', 'u')), 'deployment is owned by another controller'],
  [
    'of an object of its name that is gone',
    held({}, owner('ExternalDNS', 'blue', 'before')),
    'the deployment of a former object of this name is being collected',
  ],
  ['that nobody owns, as this operator makes them', held({}, { ownerReferences: [] }), undefined],
  [
    'that nobody owns, as others make them',
    { ...held({}, { ownerReferences: [] }), spec: { ...held().spec, selector: strange } },
    'deployment exists and is nobody’s of ours',
  ],
  [
    'that nobody owns, for another instance',
    {
      ...held({}, { ownerReferences: [] }),
      spec: {
        ...held().spec,
        selector: { matchLabels: { 'app.kubernetes.io/name': 'external-dns', 'app.kubernetes.io/instance': 'red' } },
      },
    },
    'deployment exists and is nobody’s of ours',
  ],
] as const)
  test(`an object with a Deployment ${what} ${hold === undefined ? 'may have it' : 'leaves it alone'}`, () => {
    const { reason, message } =
      decided({ deployment: deployment as never }).conditions.find(({ type }) => type === 'Available') ?? {}
    assert.equal(findHold(dnsSeen({ deployment: deployment as never })), hold)
    if (hold !== undefined) assert.deepEqual([reason, message], ['InvalidSpec', hold])
  })

test('a Deployment that is well is left, one whose owner reference is gone gets it back, and only where something differs is it written', () => {
  const wanted = held()
  assert.deepEqual(deploymentActions(dnsSeen({ deployment: held() }), wanted), [])
  const [adopted] = deploymentActions(dnsSeen({ deployment: held({}, { ownerReferences: [] }) }), wanted)
  assert.deepEqual(adopted?.kind === 'update' && [adopted.object.metadata.ownerReferences, Reflect.get(adopted.object, 'spec')], [
    wanted.metadata.ownerReferences,
    wanted.spec,
  ])
  const other = held({ settings: { image: 'another' } })
  const [mended] = deploymentActions(dnsSeen({ deployment: other }), wanted)
  assert.deepEqual(mended?.kind === 'update' && Reflect.get(mended.object, 'spec'), wanted.spec)
})

test('containers that are listed as kept stay, by the list of the Deployment or else by that of the object', () => {
  const wanted = held()
  const list = (names: string): object => ({ annotations: { 'externaldns.olm.openshift.io/keep-containers': names } })
  const { template } = wanted.spec
  const containers = [...template.spec.containers, { name: 'one' }, { name: 'two' }]
  const withMore = { ...wanted.spec, template: { ...template, spec: { ...template.spec, containers } } }
  const left = (ofDeployment: object, ofObject: object): unknown => {
    const deployment = { ...held({}, ofDeployment), spec: withMore }
    const [action] = deploymentActions(dnsSeen({ deployment, metadata: ofObject }), wanted)
    const { spec } = (action?.kind === 'update' ? action.object : deployment) as unknown as Deployment
    return spec.template.spec.containers.slice(1).map(({ name }) => name)
  }
  assert.deepEqual(left({}, {}), [])
  assert.deepEqual(left({}, list('one, two')), ['one', 'two'])
  assert.deepEqual(left(list('two'), list('one')), ['two'])
})

test('a pod carries a hash of the authorities where a bundle is configured, and where none is, none', () => {
  const hashOf = (options: SeenOptions): unknown =>
    held(options).spec.template.metadata?.annotations?.['externaldns.olm.openshift.io/trusted-ca-configmap-hash']
  const trustedCa = (text: string): SeenOptions => ({ trustedCa: { data: { a: text } } as never })
  const configured = { settings: { trustedCaConfigMap: 'ca' } }
  assert.equal(hashOf(trustedCa('x')), undefined)
  assert.match(String(hashOf({ ...configured, ...trustedCa('x') })), /^[0-9a-f]{64}$/)
  assert.notEqual(hashOf({ ...configured, ...trustedCa('x') }), hashOf({ ...configured, ...trustedCa('y') }))
})

const openShift = { isOpenShift: true, type: 'AWS', awsRegion: 'us-east-1', gcpProject: '' }
const managed: SeenOptions = { platform: openShift, spec: aws({}) }
const request = wantedCredentialsRequest({
  name: 'blue',
  spec: dnsSeen(managed).model.spec,
  platform: openShift,
  operatorNamespace: 'external-dns-operator',
})

for (const [what, options, spec, expected] of [
  ['that names its Secret', { platform: openShift }, undefined, []],
  ['without a Secret of its own', managed, undefined, ['create credentialsrequests']],
  ['whose request is there', managed, {}, []],
  ['whose request says more than we do', managed, { more: 'x' }, []],
  ['whose request is for other accounts', managed, { serviceAccountNames: [] }, ['update credentialsrequests']],
  ['whose request is for other rights', managed, { providerSpec: {} }, ['update credentialsrequests']],
  ['whose request has another token', managed, { cloudTokenPath: '/x' }, ['update credentialsrequests']],
  [
    'whose request is for a Secret of another name',
    managed,
    { secretRef: { ...request?.spec.secretRef, name: 'x' } },
    ['update credentialsrequests'],
  ],
  [
    'whose request is for a Secret elsewhere',
    managed,
    { secretRef: { ...request?.spec.secretRef, namespace: 'x' } },
    ['update credentialsrequests'],
  ],
] as const)
  test(`of the platform an object ${what} asks ${expected.length === 0 ? 'nothing' : expected.join()}`, () => {
    const there = spec === undefined ? undefined : { ...request, spec: { ...request?.spec, ...spec } }
    const actions = requestActions(dnsSeen({ ...options, request: there as never }))
    assert.deepEqual(verbs(actions), expected)
    const [action] = actions
    if (action?.kind === 'update') assert.deepEqual(Reflect.get(action.object, 'spec'), { ...there?.spec, ...request?.spec })
  })

const said = (message: string): object => ({
  conditions: [{ type: 'CredentialsSecretExists', status: 'True', reason: 'SecretFound', message }],
})
const missing = { name: 'dns-creds', secret: undefined }
const silent = (more: object = {}): SeenOptions => ({ preflight: tried({ undecidedSince: 0, ...more }) })

for (const [what, options, now, reason] of [
  ['where the source of the Secret went', { source: missing, status: said('It is there.') }, 0, 'SourceSecretMissing'],
  [
    'where the status says already that it went',
    { source: missing, status: said('Found. (the source secret is gone)') },
    0,
    undefined,
  ],
  ['where there never was a Secret', { source: missing, target: undefined, status: said('It is there.') }, 0, undefined],
  ['where nothing has been said yet', { source: missing }, 0, undefined],
  [
    'where another condition speaks of it',
    { source: missing, status: { conditions: [{ type: 'Available', message: '' }] } },
    0,
    undefined,
  ],
  ['where the source is there', { status: said('It is there.') }, 0, undefined],
  ['where there is no source', { source: undefined, status: said('It is there.') }, 0, undefined],
  ['where AWS has been silent for ten minutes', silent(), 600_000, 'STSUnavailable'],
  ['where AWS has been silent for almost ten minutes', silent(), 599_999, undefined],
  ['where somebody has been told of that', silent({ isTold: true }), 600_000, undefined],
  ['where nobody has been told of that', silent({ isTold: false }), 600_000, 'STSUnavailable'],
  ['where AWS answers', { preflight: tried() }, 600_000, undefined],
] as const)
  test(`${reason === undefined ? 'nobody is told anything' : `somebody is told of ${reason}`} ${what}`, () => {
    const actions = noticeActions(dnsSeen(options as SeenOptions), now)
    assert.deepEqual(
      actions.map(action => ('reason' in action ? action.reason : action.kind)),
      reason === undefined ? [] : ['act:notice', reason],
    )
  })

for (const [what, options, expected] of [
  ['a Secret', {}, { kind: 'file' }],
  ['a Secret that is not there', { target: undefined }, undefined],
  ['a role', { spec: identity('IRSA', { roleARN }) }, { kind: 'web-identity', roleArn: roleARN, audience: 'sts.amazonaws.com' }],
  [
    'a role and an audience',
    { spec: identity('IRSA', { roleARN, audience: 'a' }) },
    { kind: 'web-identity', roleArn: roleARN, audience: 'a' },
  ],
  ['a role, without a ServiceAccount', { spec: identity('IRSA', { roleARN }), account: undefined }, undefined],
  ['what its pod is given', { spec: identity('PodIdentity'), target: undefined }, { kind: 'pod' }],
  ['a Secret of the platform', { spec: identity('OpenShiftSTS', { roleARN }) }, { kind: 'file' }],
  [
    'a role, of another provider',
    { spec: { provider: { ...provider(identity('PodIdentity')), type: 'GCP' } }, target },
    { kind: 'file' },
  ],
  [
    'a binding',
    { spec: identity('Binding', { bindingRef }), binding: binding() },
    { kind: 'web-identity', roleArn: roleARN, audience: 'sts.amazonaws.com' },
  ],
  [
    'a binding with an audience',
    { spec: identity('Binding', { bindingRef }), binding: binding(), account: account({ 'eks.amazonaws.com/audience': 'b' }) },
    { kind: 'web-identity', roleArn: roleARN, audience: 'b' },
  ],
  [
    'a binding that an agent delivers',
    { spec: identity('Binding', { bindingRef }), binding: binding({ deliveryType: 'EKSPodIdentity' }) },
    { kind: 'pod' },
  ],
  ['a binding that is not ready', { spec: identity('Binding', { bindingRef }), binding: binding({ conditions: [] }) }, undefined],
  ['a binding that nobody has seen', { spec: identity('Binding', { bindingRef }), binding: undefined }, undefined],
] as const)
  test(`with ${what} the credentials of an operand are ${expected === undefined ? 'nothing to try' : `those of ${expected.kind}`}`, () =>
    assert.deepEqual(baseIdentity(dnsSeen(options as SeenOptions)), expected))
