import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { renderTargetManifests } from '#operators/identity'
import { identityOperator } from '#operators/identity/operator'
import { readOperatorFlags, settingsOf } from '../operator/flags.ts'
import { hubDefaults, renderHub, rightsOfHub } from './hub.ts'

type Json = Readonly<Record<string, unknown>>
interface Rule {
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly verbs: readonly string[]
}

const hub = await renderHub({ ...hubDefaults, args: ['--log-level=debug'] })
const target = renderTargetManifests({
  name: 'vouch',
  webhookNamespace: 'hooks',
  account: { namespace: 'vouch', name: 'vouch' },
})

const only = (objects: readonly KubeObject[], kind: string): KubeObject => {
  const [found, ...more] = objects.filter(object => object.kind === kind)
  assert.ok(found !== undefined && more.length === 0, kind)
  return found
}

test('the Deployment of the manifests starts: its flags are taken, and its probes and ports are where it listens', () => {
  type Container = { args: string[]; ports: { name: string; containerPort: number }[]; volumeMounts: { mountPath: string }[] }
  const { spec } = only(hub, 'Deployment') as KubeObject & { spec: { template: { spec: { containers: Container[] } } } }
  const container = spec.template.spec.containers[0]
  assert.ok(container !== undefined)
  const [command, ...args] = container.args
  assert.equal(command, 'operator')
  const read = readOperatorFlags(args, {})
  const settings = read.process
  const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]))
  assert.deepEqual(ports, {
    webhook: settings.webhookAddress?.port,
    metrics: settings.metricsAddress?.port,
    health: settings.healthAddress?.port,
  })
  assert.equal(settings.elects, true)
  assert.equal(settings.log.level, 'debug')
  const mounts = container.volumeMounts.map(({ mountPath }) => mountPath)
  assert.ok(mounts.includes(settings.webhookCertificateFolder))
  assert.ok(mounts.some(path => settingsOf(read, identityOperator).providerFile.startsWith(`${path}/`)))
})

test('no wildcard in any right [X10]', () => {
  const rules = [...hub, ...target].flatMap(object => (object as KubeObject & { rules?: readonly Rule[] }).rules ?? [])
  assert.ok(rules.length > 30)
  for (const { apiGroups = [], resources = [], verbs } of rules) {
    assert.ok(![...apiGroups, ...resources, ...verbs].includes('*'), JSON.stringify({ apiGroups, resources, verbs }))
  }
})

test('nothing is granted that the reference was not, but for what is ours and said so [12.3, 7.9]', () => {
  const granted = (objects: readonly KubeObject[]): readonly string[] =>
    objects
      .flatMap(object => (object as KubeObject & { rules?: readonly Rule[] }).rules ?? [])
      .flatMap(({ apiGroups = [], resources = [], verbs }) =>
        resources.flatMap(resource => verbs.map(verb => `${verb} ${apiGroups[0] ?? ''}/${resource}`)),
      )
  // To read the role of a claim before the first thing that cannot be undone, and the count of an event before it is raised.
  assert.ok(granted(hub).includes('get aws.identity.appthrust.io/awsserviceaccountroles'))
  const ofReference = (verb: string, resource: string): boolean => !granted(hub).includes(`${verb} ${resource}`)
  assert.ok(ofReference('update', 'aws.identity.appthrust.io/awsserviceaccountroles'))
  assert.ok(ofReference('patch', '/secrets'))
  assert.ok(ofReference('get', 'multicluster.x-k8s.io/clusterprofiles'))
  // On targets: the token that tells with which key a cluster signs, while its key is replaced.
  assert.ok(granted(target).includes('create /serviceaccounts/token'))
  for (const never of ['create /namespaces', 'delete /namespaces', 'patch /secrets', 'create /pods', 'get /pods']) {
    assert.ok(!granted(target).includes(never), never)
  }
})

test('three webhooks, fail closed, within ten seconds, and the certificate comes from cert-manager or from who brings it [#9]', async () => {
  const found = only(hub, 'ValidatingWebhookConfiguration') as KubeObject & { readonly webhooks: readonly Json[] }
  const { webhooks, metadata } = found
  assert.deepEqual(
    webhooks.map(({ name, failurePolicy, timeoutSeconds, sideEffects, matchPolicy }) => [
      name,
      failurePolicy,
      timeoutSeconds,
      sideEffects,
      matchPolicy,
    ]),
    ['vawsworkloadidentityconfig', 'vawsserviceaccountrole', 'vawsserviceaccountrolereplicaset'].map(name => [
      `${name}.aws.identity.appthrust.io`,
      'Fail',
      10,
      'None',
      'Equivalent',
    ]),
  )
  assert.equal(metadata.annotations?.['cert-manager.io/inject-ca-from'], 'vouch-system/vouch-webhook-ca')
  const brought = await renderHub({ ...hubDefaults, certificate: { secretName: 'mine', caBundle: 'PEM' } })
  assert.ok(!brought.some(({ apiVersion }) => apiVersion.startsWith('cert-manager.io/')))
  assert.equal(brought.filter(({ kind }) => kind === 'CustomResourceDefinition').length, 4)
})

const resources = ['--controllers=resources', '--aws-region=eu-west-1', '--reconcile-resources=Bucket']

test('without identity there is no webhook, no certificate and no provider file, and the Deployment starts', async () => {
  const objects = await renderHub({ ...hubDefaults, args: resources })
  const kinds = objects.map(({ kind }) => kind)
  assert.ok(!kinds.includes('ValidatingWebhookConfiguration') && !kinds.includes('ConfigMap') && !kinds.includes('Certificate'))
  const deployment = only(objects, 'Deployment') as KubeObject & { spec: { template: { spec: Json } } }
  assert.equal(deployment.spec.template.spec['volumes'], undefined)
  const [container] = deployment.spec.template.spec['containers'] as { args: string[]; volumeMounts?: unknown }[]
  assert.equal(container?.volumeMounts, undefined)
  const { chosen } = readOperatorFlags(container?.args.slice(1) ?? [], {})
  assert.deepEqual(
    chosen.map(({ operator }) => operator.name),
    ['resources'],
  )
  const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition').map(({ metadata }) => metadata.name)
  assert.ok(crds.includes('buckets.s3.services.k8s.aws') && !crds.some(name => name?.endsWith('appthrust.io')))
})

test('with checks of manifests there is a webhook for the kinds that are looked after, a certificate and a place for it', async () => {
  const objects = await renderHub({ ...hubDefaults, args: [...resources, '--manifest-checks=warn'] })
  const kinds = objects.map(({ kind }) => kind)
  assert.ok(kinds.includes('Certificate') && !kinds.includes('ConfigMap'))
  assert.ok(objects.some(({ kind, metadata }) => kind === 'Service' && metadata.name === 'vouch-webhook'))
  const { metadata, webhooks } = only(objects, 'ValidatingWebhookConfiguration') as KubeObject & { webhooks: readonly Json[] }
  assert.equal(metadata.name, 'vouch-resources')
  const rules = { apiGroups: ['s3.services.k8s.aws'], apiVersions: ['v1alpha1'], resources: ['buckets'] }
  assert.deepEqual(
    webhooks.map(webhook => [webhook['name'], webhook['failurePolicy'], webhook['rules']]),
    [
      ['protected.services.k8s.aws', 'Fail', [{ ...rules, operations: ['DELETE'] }]],
      ['values.services.k8s.aws', 'Ignore', [{ ...rules, operations: ['CREATE', 'UPDATE'] }]],
      ['marks.services.k8s.aws', 'Ignore', [{ ...rules, operations: ['CREATE', 'UPDATE'] }]],
    ],
  )
  const { spec } = (only(objects, 'Deployment') as KubeObject & { spec: { template: { spec: Json } } }).spec.template
  const [container] = spec['containers'] as { volumeMounts: readonly { name: string }[]; ports: readonly { name: string }[] }[]
  assert.deepEqual(
    container?.volumeMounts.map(({ name }) => name),
    ['serving'],
  )
  assert.ok(container?.ports.some(({ name }) => name === 'webhook'))
})

test('rights follow the flags: who needs less is given less', async () => {
  const rightsOf = async (...args: readonly string[]): Promise<readonly string[]> =>
    (await rightsOfHub({ ...hubDefaults, args }))
      .flatMap(each => each.rights)
      .flatMap(({ verbs, group, resource, names = [], within = [] }) =>
        verbs.map(verb => `${verb} ${group}/${resource} ${names.join()}@${within.join()}`),
      )
  assert.ok((await rightsOf()).includes('delete iam.services.k8s.aws/roles @'))
  assert.deepEqual(
    (await rightsOf('--aws-writer=direct')).filter(right => right.includes('iam.services.k8s.aws/roles')),
    ['list iam.services.k8s.aws/roles @', 'watch iam.services.k8s.aws/roles @'],
  )
  assert.ok(!(await rightsOf('--aws-writer=direct')).some(right => right.includes('customresourcedefinitions')))
  // Only what can name a Secret needs to hear of Secrets, and only where that is wanted.
  const certificates = ['--controllers=resources', '--aws-region=eu-west-1', '--services=acm']
  const onSecrets = async (...args: readonly string[]): Promise<readonly string[]> =>
    (await rightsOf(...args)).filter(right => right.includes(' /secrets'))
  const follow = (place: string): readonly string[] => ['list', 'watch'].map(verb => `${verb} /secrets ${place}`)
  const use = (place: string): readonly string[] => ['get', 'patch'].map(verb => `${verb} /secrets ${place}`)
  // No Secret is anybody's by default: the settings name them, and the rights name the same.
  assert.deepEqual([...(await onSecrets(...certificates)), ...(await onSecrets(...resources))], [])
  const two = '--allow-secrets=a/x,a/y,b/*'
  assert.deepEqual(await onSecrets(...certificates, two), [...use('x,y@a'), ...follow('x,y@a'), ...use('@b'), ...follow('@b')])
  assert.deepEqual(await onSecrets(...certificates, two, '--watch-secrets=false'), [...use('x,y@a'), ...use('@b')])
  assert.deepEqual(await onSecrets(...resources, two), [...use('x,y@a'), ...use('@b')])
  assert.deepEqual(await onSecrets(...resources, '--allow-secrets=a/x', '--extended-field-exports', '--watch-secrets=false'), [
    ...use('x@a'),
    'create /secrets @a',
  ])
  const all = '--allow-secrets=*'
  assert.deepEqual(await onSecrets(...certificates, all), [...use('@'), ...follow('@')])
  assert.deepEqual(await onSecrets(...certificates, all, '--watch-namespace=a', '--enable-field-export-reconciler=false'), [
    ...use('@'),
    ...follow('@a'),
  ])
  const few = await rightsOf(...resources, '--enable-field-export-reconciler=false', '--watch-namespace=a,b')
  assert.deepEqual(
    few.filter(right => !/leases|reviews|iamroleselectors/.test(right)),
    [
      ...['get', 'list', 'watch', 'patch'].map(verb => `${verb} s3.services.k8s.aws/buckets @a,b`),
      'patch s3.services.k8s.aws/buckets/status @a,b',
      // What a bucket may refer to.
      ...['list', 'watch'].map(verb => `${verb} iam.services.k8s.aws/roles @a,b`),
      ...['get', 'create', 'patch'].flatMap(verb => [`${verb} /events @a,b`]),
      'list /namespaces @',
      'watch /namespaces @',
      'get /configmaps ack-role-account-map@ack-system',
    ],
  )
  assert.ok(few.includes('watch services.k8s.aws/iamroleselectors @'))
  const gate = '--feature-gates=IAMRoleSelector=false'
  assert.ok(!(await rightsOf(...resources, gate)).some(right => right.includes('iamroleselectors')))
  assert.ok(few.includes('update coordination.k8s.io/leases vouch-resources@vouch-system'))
})

test('manifests of a process that would not start are refused, with what is missing', async () => {
  await assert.rejects(
    renderHub({ ...hubDefaults, args: ['--controllers=resources'] }),
    /the operator resources needs --aws-region/,
  )
})

test('operators that share a process share no account: each has its own rights, and the process may only ask for their tokens', async () => {
  const args = ['--controllers=identity,resources', '--aws-region=eu-west-1', '--services=s3']
  const accounts = await rightsOfHub({ ...hubDefaults, args })
  const names = accounts.map(({ account }) => account)
  assert.deepEqual(names, ['vouch', 'vouch-identity', 'vouch-resources'])
  const may = (account: string): readonly string[] =>
    accounts
      .filter(each => each.account === account)
      .flatMap(({ rights }) =>
        rights.flatMap(({ verbs, resource, names: of = [] }) => verbs.map(verb => `${verb} ${resource} ${of.join()}`)),
      )
  assert.deepEqual(
    may('vouch').filter(right => !/leases|reviews/.test(right)),
    ['create serviceaccounts/token vouch-identity,vouch-resources'],
  )
  assert.ok(may('vouch-identity').includes('delete secrets awi-signing-key-default'))
  assert.ok(!may('vouch-resources').some(right => /^(?:delete|update) secrets /.test(right)))
  for (const account of names.slice(1)) assert.ok(!may(account).some(right => /leases|reviews|token/.test(right)), account)
  const objects = await renderHub({ ...hubDefaults, args: [...args, '--manifest-checks=warn'] })
  const made = objects.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name)
  assert.deepEqual(made, names)
  const { spec } = (only(objects, 'Deployment') as KubeObject & { spec: { template: { spec: Json } } }).spec.template
  assert.equal(spec['serviceAccountName'], 'vouch')
  const [container] = spec['containers'] as { args: string[] }[]
  const { process } = readOperatorFlags(container?.args.slice(1) ?? [], {})
  assert.deepEqual(process.accounts, { identity: 'vouch-identity', resources: 'vouch-resources' })
  // Each operator's own updates do not wait for its own webhook.
  const users = objects
    .filter(({ kind }) => kind === 'ValidatingWebhookConfiguration')
    .map(object => /system:serviceaccount:[\w:-]+/.exec(JSON.stringify(object))?.[0])
  assert.deepEqual(users, [
    'system:serviceaccount:vouch-system:vouch-identity',
    'system:serviceaccount:vouch-system:vouch-resources',
  ])
})

test('flags that the manifests rest on are refused, by whichever name, with what decides them', async () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['--leader-elect=false', /--leader-elect is not taken here: operator\.leaderElection\.enabled decides it/],
    ['--enable-leader-election', /operator\.leaderElection\.enabled decides it/],
    ['--operator-accounts=', /serviceAccount decides it/],
    ['--webhook-bind-address=0', /containerPorts\.webhook decides it/],
    ['--healthz-addr=:1', /containerPorts\.health decides it/],
    ['--metrics-addr=:1', /metrics\.containerPort decides it/],
    ['--clusterprofile-provider-file=/x', /operators\.identity\.files decides it/],
  ]
  for (const [flag, why] of refused) await assert.rejects(renderHub({ ...hubDefaults, args: [flag] }), why, flag)
})

test('leases in another namespace are held by rights that are granted there', async () => {
  const objects = await renderHub({ ...hubDefaults, args: ['--leader-election-namespace=leases'] })
  const { metadata } = only(
    objects.filter(({ metadata: { namespace } }) => namespace === 'leases'),
    'Role',
  )
  assert.equal(metadata.name, 'vouch')
  type Container = { args: string[] }
  const { spec } = only(objects, 'Deployment') as KubeObject & { spec: { template: { spec: { containers: Container[] } } } }
  assert.equal(readOperatorFlags(spec.template.spec.containers[0]?.args.slice(1) ?? [], {}).process.leaseNamespace, 'leases')
})
