// Decisions over bindings as values: what was seen in, a plan out. Numbers are those of the spec's catalogue (13.6).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { given } from '#base'
import type { StoredObject } from '#kube'
import type { ApplyAction, Plan } from '#runtime'
import type { RoleStatus } from '../api/kinds.ts'
import { childResources } from './child-resources.ts'
import { decideRole } from './decide.ts'
import { reportRole } from './report.ts'
import {
  absent,
  annotated,
  away,
  child,
  claim,
  config,
  eksProperties,
  longAgo,
  now,
  operatorConfig,
  policyArn,
  recorded,
  resolved,
  roleArn,
  roleName,
  seen,
  stored,
  unknown,
} from './role-seen.fixture.ts'
import type { RoleSeen } from './seen.ts'

const decide = (value: RoleSeen | undefined): Plan => decideRole(value, now, { resources: childResources })
const said = (plan: Plan): readonly string[] => plan.conditions.map(({ type, status, reason }) => `${type}=${status}/${reason}`)
const readyOf = (plan: Plan): readonly string[] => said(plan).filter(text => /^(DeliveryReady|Ready)=/.test(text))
const what = (plan: Plan): readonly string[] =>
  plan.actions.map(action =>
    'type' in action && typeof action.type === 'object' ? `${action.kind} ${action.type.kind}` : action.kind,
  )
const eks = (change: Partial<RoleSeen> = {}): RoleSeen =>
  seen({
    config: config('EKSPodIdentity'),
    cluster: resolved(eksProperties),
    annotation: undefined,
    resources: { role: child('role'), policy: absent, association: child('association'), other: absent },
    ...change,
  })

describe('what has to be known first', () => {
  const rows: readonly (readonly [string, RoleSeen, readonly string[]])[] = [
    [
      'an older live binding of the same ServiceAccount: this one is told [#119]',
      seen({ siblings: ['wlc-a/other', 'wlc-a/app1'] }),
      ['DeliveryReady=False/InvalidSpec', 'Ready=False/InvalidSpec'],
    ],
    [
      'no operator config [4.3 step 3]',
      seen({ operatorConfig: undefined }),
      ['OperatorConfigReady=False/OperatorConfigUnavailable', 'Ready=False/OperatorConfigUnavailable'],
    ],
    [
      'no Config [#122]',
      seen({ config: undefined }),
      ['OperatorConfigReady=True/Ready', 'ConfigResolved=False/ConfigUnavailable', 'Ready=False/ConfigUnavailable'],
    ],
    [
      'the inventory has no such cluster [4.3 step 5]',
      seen({ cluster: { kind: 'unresolved', reason: 'InventoryAmbiguous', message: 'two' } }),
      [
        'OperatorConfigReady=True/Ready',
        'ConfigResolved=True/Resolved',
        'InventoryResolved=False/InventoryAmbiguous',
        'DeliveryReady=False/InventoryAmbiguous',
        'Ready=False/InventoryAmbiguous',
      ],
    ],
    [
      'the Config has no provider yet [#123]',
      seen({ config: { ...config(), status: {} } }),
      [
        'OperatorConfigReady=True/Ready',
        'ConfigResolved=True/Resolved',
        'InventoryResolved=True/Resolved',
        'TrustPolicyReady=False/TrustPolicyInputMissing',
        'Ready=False/TrustPolicyInputMissing',
      ],
    ],
  ]
  for (const [why, value, wanted] of rows) {
    test(why, () => {
      const plan = decide(value)
      assert.deepEqual(said(plan), wanted)
      assert.deepEqual(plan.actions, [], 'nothing is written but the status')
      assert.equal(plan.status, undefined, 'what is recorded stays')
      assert.deepEqual(plan.next, { kind: 'await-change' }, 'its arrival is an event')
    })
  }
  for (const missing of ['eksClusterName', 'eksClusterArn', 'accountId'] as const) {
    test(`EKSPodIdentity without ${missing} in the inventory [#124]`, () => {
      const { [missing]: _left, ...rest } = eksProperties
      const plan = decide(eks({ cluster: resolved(rest) }))
      assert.equal(said(plan).at(-2), 'TrustPolicyReady=False/TrustPolicyInputMissing')
      assert.deepEqual(plan.actions, [])
    })
  }
  test('the message names the older binding, and what to do [#119]', () => {
    const { message } = decide(seen({ siblings: ['wlc-a/other', 'wlc-a/app1'] })).conditions[0] ?? {}
    assert.equal(
      message,
      'ServiceAccount apps/app1 has the binding wlc-a/other, which is older and keeps it; delete one of the two',
    )
  })
  test('a younger live binding of the same ServiceAccount takes nothing away [#119]', () => {
    const twins = decide(seen({ siblings: ['wlc-a/app1', 'wlc-a/other'] }))
    assert.deepEqual(twins, decide(seen()))
    assert.deepEqual(readyOf(twins), ['DeliveryReady=True/HubResourcesReady', 'Ready=True/Ready'])
  })
  test('a binding that does not exist is nothing to do', () => assert.deepEqual(decide(undefined).actions, []))
  test('the finalizer comes before everything else, also where nothing else can be done yet [P2]', () => {
    const fresh = claim({}, undefined, { finalizers: [] })
    assert.deepEqual(what(decide(seen({ claim: fresh, config: undefined }))), ['add-finalizer AWSServiceAccountRole'])
    assert.equal(what(decide(seen({ claim: fresh })))[0], 'add-finalizer AWSServiceAccountRole')
  })
})

describe('the policy', () => {
  const document = { Version: '2012-10-17', Statement: [] }
  const own = claim({ policyDocument: document }, recorded())
  test('managed ARNs only: attached in their order, and an old generated policy of ours goes after the role [#125]', () => {
    const plan = decide(
      seen({
        claim: claim({ policyARNs: ['arn:b', 'arn:a'] }, recorded()),
        resources: { ...seen().resources, policy: child('policy') },
      }),
    )
    assert.deepEqual(what(plan), ['apply Role', 'delete Policy'])
    assert.deepEqual(specOf(plan, 'Role').policies, ['arn:b', 'arn:a'])
    assert.ok(said(plan).includes('PolicyReady=True/ManagedPoliciesOnly'))
    assert.equal(plan.status?.generatedPolicyARN, undefined)
    const { ackResources } = plan.status as { ackResources: { kind: string }[] }
    assert.deepEqual(
      ackResources.map(({ kind }) => kind),
      ['Role'],
    )
  })
  test('a policy of that name that is not ours stays [#126]', () => {
    const foreign = child('policy', { metadata: { ownerReferences: [] } })
    assert.deepEqual(what(decide(seen({ resources: { ...seen().resources, policy: foreign } }))), ['apply Role'])
  })
  test('a policy in sync without an ARN: told, and the role is written without it [#127]', () => {
    const policy = child('policy', { arn: undefined })
    const plan = decide(seen({ claim: own, resources: { ...seen().resources, policy } }))
    assert.ok(said(plan).includes('PolicyReady=False/ACKResourceIdentifierPending'))
    assert.deepEqual(specOf(plan, 'Role').policies, [])
    assert.deepEqual(readyOf(plan), ['DeliveryReady=False/WaitingForACK', 'Ready=False/WaitingForACK'])
  })
  test('a policy with its ARN is attached, and recorded', () => {
    const plan = decide(seen({ claim: own, resources: { ...seen().resources, policy: child('policy') } }))
    assert.deepEqual(what(plan), ['apply Policy', 'apply Role'])
    assert.deepEqual(specOf(plan, 'Role').policies, [policyArn])
    assert.equal(plan.status?.generatedPolicyARN, policyArn)
    assert.equal(specOf(plan, 'Policy').policyDocument, '{"Statement":[],"Version":"2012-10-17"}')
  })
  test('a policy too large for IAM: told with the limit, and nothing is written [3.16]', () => {
    const huge = { Statement: [{ Resource: 'x'.repeat(6_200) }] }
    const plan = decide(seen({ claim: claim({ policyDocument: huge }, recorded()) }))
    assert.deepEqual(said(plan).slice(-3), [
      'PolicyReady=False/InvalidSpec',
      'DeliveryReady=False/InvalidSpec',
      'Ready=False/InvalidSpec',
    ])
    assert.match(plan.conditions.at(-1)?.message ?? '', /6144/)
    assert.deepEqual(plan.actions, [])
    assert.equal(plan.next.kind, 'stalled')
  })
})

describe('the role', () => {
  test('its trust is this issuer, this audience, this ServiceAccount', () => {
    const text = specOf(decide(seen()), 'Role').assumeRolePolicyDocument as string
    assert.match(text, /:aud":"sts\.amazonaws\.com"/)
    assert.match(text, /:sub":"system:serviceaccount:apps:app1"/)
    assert.match(text, /"Action":"sts:AssumeRoleWithWebIdentity"/)
  })
  test('the permissions boundary of the operator config is the role’s [4.9]', () => {
    const boundary = `arn:aws:iam::123456789012:policy/b`
    const plan = decide(seen({ operatorConfig: { ...operatorConfig, spec: { permissionsBoundaryARN: boundary } } }))
    assert.equal(specOf(plan, 'Role').permissionsBoundary, boundary)
    assert.equal('permissionsBoundary' in specOf(decide(seen()), 'Role'), false)
  })
  test('an object of the role’s name that is not ours: told, nothing of AWS is touched [#129]', () => {
    const foreign = child('role', { metadata: { ownerReferences: [], labels: {} } })
    const plan = decide(seen({ resources: { ...seen().resources, role: foreign } }))
    assert.deepEqual(said(plan).slice(-3), [
      'RoleReady=False/ChildApplyFailed',
      'DeliveryReady=False/ChildApplyFailed',
      'Ready=False/ChildApplyFailed',
    ])
    assert.deepEqual(plan.actions, [])
    assert.equal(plan.status, undefined)
  })
  test('what ACK says of the role stands in RoleReady, DeliveryReady and Ready [M11]', () => {
    const message = 'AccessDenied: User: x is not authorized to perform: iam:CreateRole on resource: y'
    const role = child('role', { synced: false, arn: undefined, message })
    const plan = decide(seen({ resources: { ...seen().resources, role } }))
    const wanted = `IAM role is not synced by ACK: ${message}; allow iam:CreateRole to the controller that makes this resource`
    for (const type of ['RoleReady', 'DeliveryReady', 'Ready']) {
      assert.equal(plan.conditions.find(condition => condition.type === type)?.message, wanted)
    }
  })
  test('the region of the Config goes to the children only where asked for [14.1 L4]', () => {
    const plan = decideRole(seen(), now, { resources: childResources, regionalChildren: true })
    const [apply] = plan.actions as readonly ApplyAction[]
    assert.deepEqual(apply?.object.metadata.annotations, { 'services.k8s.aws/region': 'eu-west-1' })
  })
})

describe('what AWS refuses for good', () => {
  const message = 'api error MalformedPolicyDocument: Syntax errors in policy.'
  const words = 'MalformedPolicyDocument: Syntax errors in policy; correct the policy document'
  const document = { Version: '2012-10-17', Statement: [] }
  for (const [which, role] of [
    ['a role that is ready', child('role')],
    ['a role that waits as well', child('role', { synced: false })],
  ] as const) {
    test(`a policy, beside ${which}: the reason stays the reference’s, and Ready says the refusal and the next step [M11]`, () => {
      const policy = child('policy', { synced: false, message, refused: true })
      const plan = decide(seen({ claim: claim({ policyDocument: document }), resources: { ...seen().resources, role, policy } }))
      assert.deepEqual(readyOf(plan), ['DeliveryReady=False/WaitingForACK', 'Ready=False/WaitingForACK'])
      const ready = plan.conditions.at(-1)?.message
      assert.equal(ready, `IAM policy is refused and not tried again until it is changed: ${words}`)
    })
  }
})

describe('delivery by annotation', () => {
  const delivered = claim({}, recorded())
  test('everything in order: nothing to write but what the engine finds equal, and no timer [#140]', () => {
    const plan = decide(seen({ claim: delivered }))
    assert.deepEqual(what(plan), ['apply Role'])
    assert.deepEqual(readyOf(plan), ['DeliveryReady=True/HubResourcesReady', 'Ready=True/Ready'])
    assert.deepEqual(plan.next, { kind: 'await-change' })
  })
  for (const type of ['SelfHostedIRSA', 'EKSIRSA'] as const) {
    test(`${type}: a status that would send the deletion elsewhere is corrected before the target is touched [#132, #133]`, () => {
      const other = claim({}, recorded({ roleARN: 'arn:aws:iam::123456789012:role/old' }))
      const plan = decide(seen({ claim: other, config: config(type), annotation: annotated(undefined) }))
      assert.deepEqual(what(plan), ['apply Role'])
      assert.ok(said(plan).includes('ServiceAccountAnnotationReady=False/RemoteDeliveryPending'))
      assert.deepEqual(readyOf(plan), ['DeliveryReady=False/RemoteDeliveryPending', 'Ready=False/RemoteDeliveryPending'])
      assert.deepEqual(
        [plan.status?.roleARN, plan.status?.deliveryType, plan.status?.resolvedClusterName],
        [roleArn, type, 'wlc-a/wlc-a'],
      )
    })
  }
  for (const [name, value] of [
    ['deliveryType', 'EKSPodIdentity'],
    ['resolvedClusterName', 'other/other'],
  ] as const) {
    test(`the same for a recorded ${name} [#132]`, () => {
      const plan = decide(seen({ claim: claim({}, recorded({ [name]: value })), annotation: annotated(undefined) }))
      assert.deepEqual(what(plan), ['apply Role'])
    })
  }
  test('recorded, or with nothing recorded that could mislead, the target is annotated at once [M3]', () => {
    for (const status of [recorded(), undefined]) {
      const plan = decide(seen({ claim: claim({}, status), annotation: annotated(undefined) }))
      assert.deepEqual(what(plan), ['apply Role', 'patch ServiceAccount'])
      assert.deepEqual(readyOf(plan), ['DeliveryReady=True/HubResourcesReady', 'Ready=True/Ready'])
    }
  })
  test('no ARN yet: the target is left alone', () => {
    const role = child('role', { synced: false, arn: undefined })
    const plan = decide(seen({ claim: delivered, resources: { ...seen().resources, role }, annotation: annotated(undefined) }))
    assert.ok(said(plan).includes('ServiceAccountAnnotationReady=False/WaitingForACK'))
    assert.deepEqual(what(plan), ['apply Role'])
    assert.equal(plan.status?.roleARN, undefined, 'case 141: it follows the ACK object')
  })
  test('the ServiceAccount is missing: told, without an error and without a timer, since its creation is an event (M8) [#134]', () => {
    const plan = decide(seen({ claim: delivered, annotation: annotated(undefined, false) }))
    assert.deepEqual(readyOf(plan), ['DeliveryReady=False/RemoteDeliveryPending', 'Ready=False/RemoteDeliveryPending'])
    assert.deepEqual(plan.next, { kind: 'await-change' })
  })
  test('annotations that were in order and are not: repaired, and told [#135]', () => {
    const ready = claim({}, recorded({ conditions: [stored('ServiceAccountAnnotationReady', 'True', 'Ready')] }))
    const plan = decide(seen({ claim: ready, annotation: annotated('arn:aws:iam::123456789012:role/x') }))
    assert.deepEqual(what(plan), ['apply Role', 'patch ServiceAccount', 'record-event'])
    assert.ok(said(plan).includes('ServiceAccountAnnotationReady=True/AnnotationRepaired'))
  })
  test('the first time they are written is no repair [#136]', () => {
    const plan = decide(seen({ claim: delivered, annotation: annotated(undefined) }))
    assert.ok(said(plan).includes('ServiceAccountAnnotationReady=True/Ready'))
    assert.equal(what(plan).includes('record-event'), false)
  })
  test('everything in order but the Config [#137]', () => {
    const plan = decide(seen({ claim: delivered, config: config('EKSIRSA', 'False') }))
    // The recorded type is another one, so it is corrected first; then:
    const again = decide(seen({ claim: claim({}, recorded({ deliveryType: 'EKSIRSA' })), config: config('EKSIRSA', 'False') }))
    assert.deepEqual(readyOf(plan), ['DeliveryReady=False/RemoteDeliveryPending', 'Ready=False/RemoteDeliveryPending'])
    assert.deepEqual(readyOf(again), ['DeliveryReady=False/ConfigNotReady', 'Ready=False/ConfigNotReady'])
    const self = decide(seen({ claim: delivered, config: config('SelfHostedIRSA', 'False') }))
    assert.deepEqual(readyOf(self), ['DeliveryReady=False/ConfigNotReady', 'Ready=False/ConfigNotReady'])
  })
  test('why the Config is not Ready is said by the binding itself [#137, S27]', () => {
    const without = (conditions: NonNullable<RoleStatus['conditions']>): RoleSeen['config'] => {
      const whole = config('SelfHostedIRSA')
      return { ...whole, status: { ...whole.status, conditions } }
    }
    const why = { ...stored('Ready', 'False', 'RemoteRuntimeUnmanaged'), message: 'a stranger has the name x' }
    for (const [conditions, message] of [
      [[why], 'is not Ready: RemoteRuntimeUnmanaged: a stranger has the name x'],
      [[], 'has not been looked at yet'],
      [[{ ...stored('Ready', 'True', 'Reconciled'), observedGeneration: 0 }], 'was changed and has not been looked at since'],
    ] as const) {
      const { conditions: told } = decide(seen({ claim: delivered, config: without(conditions) }))
      assert.equal(told.at(-1)?.message, `AWSWorkloadIdentityConfig/default ${message}`)
    }
    const trustless = { ...config(), status: { conditions: [why] } }
    const [, message] = decide(seen({ config: trustless }))
      .conditions.slice(-2)
      .map(told => told.message)
    assert.match(message ?? '', /no issuer with an OIDC provider yet: .*RemoteRuntimeUnmanaged: a stranger has the name x/)
  })
  test('a target that is being listed after a restart turns nothing off [M6]', () => {
    const ready = claim({}, recorded({ conditions: [stored('ServiceAccountAnnotationReady', 'True', 'Ready')] }))
    const plan = decide(seen({ claim: ready, annotation: unknown }))
    assert.deepEqual(readyOf(plan), ['DeliveryReady=True/HubResourcesReady', 'Ready=True/Ready'])
    assert.deepEqual(plan.next, { kind: 'look-again', afterMs: 7_000, why: 'the target may be back' })
  })
  test('a target that is away is told', () => {
    const plan = decide(seen({ claim: delivered, annotation: away }))
    assert.deepEqual(readyOf(plan), ['DeliveryReady=False/RemoteDeliveryPending', 'Ready=False/RemoteDeliveryPending'])
    assert.equal(plan.conditions.at(-1)?.message, 'it is down')
  })
  test('an association of an earlier delivery is deleted, and leaves the status [#131]', () => {
    const entry = {
      apiVersion: 'eks.services.k8s.aws/v1alpha1',
      kind: 'PodIdentityAssociation',
      namespace: 'wlc-a',
      name: 'awi-pia-app1',
    }
    const plan = decide(
      seen({
        claim: claim({}, recorded({ ackResources: [entry] })),
        resources: { ...seen().resources, association: child('association'), other: absent },
      }),
    )
    assert.deepEqual(what(plan), ['apply Role', 'delete PodIdentityAssociation'])
    const { ackResources } = plan.status as { ackResources: { kind: string }[] }
    assert.deepEqual(
      ackResources.map(({ kind }) => kind),
      ['Role'],
    )
  })
})

describe('delivery by EKS', () => {
  test('the ladder [#138]', () => {
    const rows: readonly (readonly [string, RoleSeen, string])[] = [
      [
        'association not in sync',
        eks({ resources: { ...eks().resources, association: child('association', { synced: false }) } }),
        'False/WaitingForACK',
      ],
      ['agent not known', eks({ cluster: resolved({ ...eksProperties, eksAutoMode: false }) }), 'False/RemoteCheckPending'],
      [
        'agent missing',
        eks({ cluster: resolved({ ...eksProperties, eksAutoMode: false, podIdentityAgent: 'missing' }) }),
        'False/RemoteDeliveryPending',
      ],
      [
        'agent there',
        eks({ cluster: resolved({ ...eksProperties, eksAutoMode: false, podIdentityAgent: 'ready' }) }),
        'True/Ready',
      ],
      ['auto mode', eks(), 'True/Ready'],
    ]
    for (const [why, value, wanted] of rows) assert.equal(readyOf(decide(value)).at(-1), `Ready=${wanted}`, why)
  })
  test('what is known of the agent [#139, 14.1 L1]', () => {
    const agent = (properties: object): string | undefined =>
      said(decide(eks({ cluster: resolved({ ...eksProperties, eksAutoMode: false, ...properties }) }))).find(text =>
        text.startsWith('PodIdentityAgentReady'),
      )
    assert.equal(agent({ eksAutoMode: true }), 'PodIdentityAgentReady=True/EKSAutoMode')
    assert.equal(agent({}), 'PodIdentityAgentReady=Unknown/RemoteCheckPending')
    assert.equal(agent({ podIdentityAgent: 'ready' }), 'PodIdentityAgentReady=True/Ready')
    assert.equal(agent({ podIdentityAgent: 'missing' }), 'PodIdentityAgentReady=False/RemoteDeliveryPending')
  })
  test('the association is made when the role has its ARN, and not before [5.6]', () => {
    const plan = decide(eks({ resources: { role: child('role'), policy: absent, association: absent, other: absent } }))
    assert.deepEqual(what(plan), ['apply Role', 'apply PodIdentityAssociation'])
    assert.deepEqual(
      [specOf(plan, 'PodIdentityAssociation').roleARN, specOf(plan, 'PodIdentityAssociation').clusterName],
      [roleArn, 'prod'],
    )
    const early = decide(
      eks({ resources: { role: child('role', { arn: undefined }), policy: absent, association: absent, other: absent } }),
    )
    assert.deepEqual(what(early), ['apply Role'])
    assert.equal(
      said(early).some(text => text.startsWith('PodIdentityAssociationReady')),
      false,
    )
  })
  test('nothing of a target is recorded or touched', () => {
    const plan = decide(eks())
    assert.deepEqual([plan.status?.resolvedClusterName, plan.status?.deliveryType], [undefined, 'EKSPodIdentity'])
    assert.deepEqual(what(plan), ['apply Role', 'apply PodIdentityAssociation'])
  })
  test('an association whose name another binding has: told which one, as a fault of the name [14.1 L6]', () => {
    const owner = {
      apiVersion: 'aws.identity.appthrust.io/v1alpha1',
      kind: 'AWSServiceAccountRole',
      name: 'app.1',
      uid: 'o',
      controller: true,
    }
    const association = child('association', { metadata: { ownerReferences: [owner] } })
    const plan = decide(eks({ resources: { ...eks().resources, association } }))
    assert.deepEqual(readyOf(plan), ['DeliveryReady=False/InvalidSpec', 'Ready=False/InvalidSpec'])
    assert.match(plan.conditions.at(-1)?.message ?? '', /AWSServiceAccountRole\/app\.1/)
    assert.deepEqual(what(plan), ['apply Role'])
  })
  test('an association that somebody else has [#130]', () => {
    const association = child('association', { metadata: { ownerReferences: [], labels: {} } })
    const plan = decide(eks({ resources: { ...eks().resources, association } }))
    assert.ok(said(plan).includes('PodIdentityAssociationReady=False/ChildApplyFailed'))
    assert.deepEqual(readyOf(plan), ['DeliveryReady=False/ChildApplyFailed', 'Ready=False/ChildApplyFailed'])
  })
  test('an annotation of an earlier delivery is taken away', () => {
    const plan = decide(eks({ claim: claim({}, recorded()), annotation: annotated(roleArn) }))
    assert.ok(what(plan).includes('patch ServiceAccount'))
  })
})

describe('what lasts a moment is not told [M4]', () => {
  const at = (seconds: number): Partial<StoredObject['metadata']> => ({
    creationTimestamp: new Date(now - seconds * 1_000).toISOString(),
  })
  const waiting = (metadata: Partial<StoredObject['metadata']>, message?: string) =>
    child('role', { synced: false, arn: undefined, metadata, ...given({ message }) })
  const by = (role: RoleSeen['resources']['role'], status = recorded({ roleARN: roleArn })): Plan =>
    decide(seen({ claim: claim({}, status), resources: { ...seen().resources, role } }))

  test('a child made a second ago: nothing is said, and looked at again when the moment is over', () => {
    const plan = by(waiting(at(1)))
    assert.deepEqual(plan.next, {
      kind: 'look-again',
      afterMs: 1_000,
      why: 'to tell what does not become ready',
      leavesStatus: true,
    })
    assert.equal(reportOf(plan), undefined)
    assert.deepEqual(what(plan), ['apply Role'])
  })
  test('one that is about to be made: the same', () => {
    assert.equal(reportOf(decide(seen({ resources: { ...seen().resources, role: absent } }))), undefined)
  })
  test('after the moment it is told', () => assert.notEqual(reportOf(by(waiting(at(2)))), undefined))
  test('a child with something to say is told of at once', () => {
    assert.notEqual(reportOf(by(waiting(at(0), 'AccessDenied: no'))), undefined)
  })
  test('by a clock that is hours behind the server’s, no moment lasts for hours [W8, B15]', () => {
    assert.notEqual(reportOf(by(waiting(at(-7_200)))), undefined)
  })
  test('where the status says Ready, it is corrected at once [S9]', () => {
    const ready = recorded({ conditions: [stored('Ready', 'True', 'Ready')] })
    assert.equal(readyOf(by(waiting(at(0)), ready)).at(-1), 'Ready=False/WaitingForACK')
  })
  test('a child that was changed since it last spoke is not believed to be in sync, for a moment [S8]', () => {
    const changed = (secondsAgo: number, spokeAt: string) => {
      const time = new Date(now - secondsAgo * 1_000).toISOString()
      const managedFields = [{ manager: 'aws-workload-identity-operator', operation: 'Apply' as const, time }]
      const state = child('role', { metadata: { managedFields } })
      assert(state.owned === 'ours')
      const object = {
        ...state.object,
        status: {
          ackResourceMetadata: { arn: roleArn },
          conditions: [{ type: 'ACK.ResourceSynced', status: 'True', lastTransitionTime: spokeAt }],
        },
      } as unknown as StoredObject
      return decide(
        seen({
          claim: claim({}, recorded({ conditions: [stored('Ready', 'True', 'Ready')] })),
          resources: { ...seen().resources, role: { ...state, object } },
        }),
      )
    }
    const unbelieved = changed(1, longAgo)
    assert.equal(readyOf(unbelieved).at(-1), 'Ready=False/WaitingForACK')
    assert.equal(unbelieved.next.kind, 'look-again')
    assert.equal(readyOf(changed(1, new Date(now).toISOString())).at(-1), 'Ready=True/Ready', 'it has spoken since')
    assert.equal(
      readyOf(changed(3, longAgo)).at(-1),
      'Ready=True/Ready',
      'a controller that moves no times is believed in the end',
    )
  })
})

test('the name of the IAM role holds a hash of the binding’s uid', () => assert.match(roleName, /^awi-wlc-a-app1-[0-9a-f]{10}$/))

/** What is said when all actions succeeded without a change. */
function reportOf(plan: Plan): unknown {
  const outcomes = plan.actions.map(action => ({ kind: 'done', action, changed: false }) as const)
  return reportRole({ plan, outcomes, failures: 0, current: [], generation: 1, summary: 'Ready', seen: seen() }, childResources)
}

function specOf(plan: Plan, kind: string): Readonly<Record<string, unknown>> {
  const apply = plan.actions.find((action): action is ApplyAction => action.kind === 'apply' && action.type.kind === kind)
  assert.ok(apply, `the plan applies a ${kind}`)
  return (apply.object as unknown as { readonly spec: Readonly<Record<string, unknown>> }).spec
}

describe('a change on its way to a role that works', () => {
  const changedAt = new Date(now - 500).toISOString()
  const changing = {
    synced: false,
    metadata: { managedFields: [{ manager: 'aws-workload-identity-operator', operation: 'Apply', time: changedAt }] },
  } as const
  const ready = stored('Ready', 'True', 'Ready')
  const told = (generation: number, roleARN: string, role = child('role', changing)): boolean => {
    const held = claim({}, recorded({ roleARN, conditions: [ready] }), { generation })
    const { next } = decide(seen({ claim: held, resources: { ...seen().resources, role } }))
    return !(next.kind === 'look-again' && next.leavesStatus === true)
  }
  test('is not told for a moment where this generation is Ready by this role [S9]', () => assert.equal(told(1, roleArn), false))
  test('is told at once where the spec was changed, of which nothing was said yet [S27]', () =>
    assert.equal(told(2, roleArn), true))
  test('is told at once where the role on record is another one [S9]', () =>
    assert.equal(told(1, roleArn.replace(/.$/, 'x')), true))
  test('is told at once where the role was made again and has no ARN yet [S9]', () =>
    assert.equal(told(1, roleArn, child('role', { ...changing, arn: undefined })), true))
})
