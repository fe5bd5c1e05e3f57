import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '#apiserver'
import { ManualClock, silentLog } from '#base'
import type { KubeObject } from '#kube'
import { createKubeClient, KubeError } from '#kube/client'
import { Metrics, webhookHost } from '#runtime'
import { namespace } from '../../../fleet/testing/fleet-world.ts'
import { Faulty } from '../../../runtime/testing/faulty.ts'
import { configKind, renderIdentityCrds, replicaSetKind, roleKind } from '../api.ts'
import { validatingConfiguration } from './configuration.ts'
import { admissionHandlers } from './handlers.ts'

const operatorUser = 'system:serviceaccount:vouch:vouch'
const force = 'aws.identity.appthrust.io/force-delete'
const forced = { [force]: 'true' }

function world(objects: readonly KubeObject[] = []) {
  const clock = new ManualClock()
  const configuration = validatingConfiguration({ name: 'vouch', service: { namespace: 'vouch', name: 'webhook' }, operatorUser })
  const server = createApiServer({
    seed: 1,
    clock,
    objects: [...renderIdentityCrds(), namespace('a'), namespace('b'), configuration, ...objects],
  })
  const faulty = new Faulty()
  const reader = createKubeClient({ clock, address: 'webhook', exchange: faulty.through(server.as()) })
  server.serve(
    { namespace: 'vouch', service: 'webhook' },
    webhookHost({ clock, log: silentLog, metrics: new Metrics(), routes: admissionHandlers(reader) }),
  )
  const client = createKubeClient({ clock, address: 'hub', exchange: server.as() })
  const operator = createKubeClient({
    clock,
    address: 'hub',
    exchange: server.as({ username: operatorUser, groups: ['system:masters'] }),
  })
  return { server, clock, client, operator, faulty, [Symbol.asyncDispose]: () => server.close() }
}

const config = (at = 'a', more: Partial<KubeObject['metadata']> = {}) =>
  configKind.make({ namespace: at, name: 'default', ...more }, { type: 'EKSPodIdentity', region: 'us-east-1' })

const role = (name: string, account = 'app', more: Partial<KubeObject['metadata']> = {}) =>
  roleKind.make(
    { namespace: 'a', name, ...more },
    { serviceAccount: { namespace: 'apps', name: account }, policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] },
  )

async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'allowed'
  } catch (error) {
    assert.ok(error instanceof KubeError, String(error))
    return `${error.httpStatus ?? ''} ${error.status?.message ?? ''}`
  }
}

const denied = (kind: string, message: string): string =>
  `403 admission webhook "v${kind}.aws.identity.appthrust.io" denied the request: ${message}`

test('a config with roles is deleted only by force, by the exact value [13.11 #233]', async () => {
  await using one = world()
  const { client } = one
  const key = { namespace: 'a', name: 'default' }
  await client.create(configKind.type, config())
  await client.create(roleKind.type, role('r', 'app', { finalizers: ['example.com/held'] }))
  const said = denied(
    'awsworkloadidentityconfig',
    'AWSServiceAccountRoles remain in namespace a (r is one); delete them first, or annotate the config with aws.identity.appthrust.io/force-delete=true',
  )
  assert.equal(await refusal(client.delete(configKind.type, key)), said)
  // Terminating ones count.
  await client.delete(roleKind.type, { namespace: 'a', name: 'r' })
  assert.equal(await refusal(client.delete(configKind.type, key)), said)
  for (const value of ['True', '1', 'yes']) {
    await client.patch(configKind.type, key, 'merge', { metadata: { annotations: { [force]: value } } })
    assert.equal(await refusal(client.delete(configKind.type, key)), said, value)
  }
  await client.patch(configKind.type, key, 'merge', { metadata: { annotations: forced } })
  assert.equal(await refusal(client.delete(configKind.type, key)), 'allowed')
})

test('a role needs a config that is not being deleted, forced or not [13.11 #234]', async () => {
  await using one = world()
  const { client } = one
  assert.equal(
    await refusal(client.create(roleKind.type, role('r'))),
    denied('awsserviceaccountrole', 'there is no AWSWorkloadIdentityConfig/default in namespace a; create it first'),
  )
  for (const annotations of [{}, forced]) {
    await client.create(configKind.type, config('a', { finalizers: ['example.com/held'], annotations }))
    await client.delete(configKind.type, { namespace: 'a', name: 'default' })
    assert.equal(
      await refusal(client.create(roleKind.type, role('r'))),
      denied(
        'awsserviceaccountrole',
        'AWSWorkloadIdentityConfig/default in namespace a is being deleted; create the role when there is a new one',
      ),
    )
    await client.patch(configKind.type, { namespace: 'a', name: 'default' }, 'merge', { metadata: { finalizers: null } })
  }
})

test('one ServiceAccount, one living role in a namespace [13.11 #235]', async () => {
  await using one = world()
  const { client } = one
  await client.create(configKind.type, config())
  await client.create(configKind.type, config('b'))
  await client.create(roleKind.type, role('r', 'app', { finalizers: ['example.com/held'] }))
  assert.equal(
    await refusal(client.create(roleKind.type, role('again'))),
    denied(
      'awsserviceaccountrole',
      'ServiceAccount apps/app is bound by AWSServiceAccountRole a/r already; change that one, or delete it first',
    ),
  )
  assert.equal(await refusal(client.create(roleKind.type, role('other', 'other'))), 'allowed')
  const elsewhere = role('r', 'app', { namespace: 'b' })
  assert.equal(await refusal(client.create(roleKind.type, elsewhere)), 'allowed')
  await client.delete(roleKind.type, { namespace: 'a', name: 'r' })
  assert.equal(await refusal(client.create(roleKind.type, role('again'))), 'allowed')
})

test('an update is let through but for a living role without config [13.11 #236]', async () => {
  await using one = world()
  const { client } = one
  await client.create(configKind.type, config('a', { annotations: forced }))
  const key = { namespace: 'a', name: 'r' }
  await client.create(roleKind.type, role('r', 'app', { finalizers: ['example.com/held'] }))
  const touch = (value: string) =>
    refusal(client.patch(roleKind.type, key, 'merge', { metadata: { annotations: { touched: value } } }))
  assert.equal(await touch('self'), 'allowed')
  // A terminating config.
  await client.patch(configKind.type, { namespace: 'a', name: 'default' }, 'merge', {
    metadata: { finalizers: ['example.com/held'] },
  })
  await client.delete(configKind.type, { namespace: 'a', name: 'default' })
  assert.equal(await touch('terminating'), 'allowed')
  await client.patch(configKind.type, { namespace: 'a', name: 'default' }, 'merge', { metadata: { finalizers: null } })
  const without = denied('awsserviceaccountrole', 'there is no AWSWorkloadIdentityConfig/default in namespace a; create it first')
  assert.equal(await touch('live without'), without)
  await client.delete(roleKind.type, key)
  assert.equal(await touch('terminating without'), 'allowed')
})

test("the operator's own updates do not depend on its webhook [14.1 L21]", async () => {
  await using one = world()
  const { client, operator, faulty } = one
  await client.create(configKind.type, config())
  await client.create(roleKind.type, role('r'))
  faulty.judge = () => ({ status: 500, reason: 'InternalError', message: 'etcd is away' })
  const finalizers = { metadata: { finalizers: ['aws.identity.appthrust.io/service-account-role-finalizer'] } }
  const patch = (as: typeof client) => refusal(as.patch(roleKind.type, { namespace: 'a', name: 'r' }, 'merge', finalizers))
  assert.equal(await patch(operator), 'allowed')
  assert.match(await patch(client), /^(500|403) .*denied the request/)
})

test('a read that fails is a refusal, with the status of the server where there is one', async () => {
  await using one = world()
  const { client, faulty } = one
  await client.create(configKind.type, config())
  faulty.judge = () => ({ status: 403, reason: 'Forbidden', message: 'roles is forbidden' })
  assert.equal(await refusal(client.create(roleKind.type, role('r'))), denied('awsserviceaccountrole', 'roles is forbidden'))
  faulty.judge = () => 'unreachable'
  const said = await refusal(client.create(roleKind.type, role('r')))
  assert.match(said, /^500 .*the objects that the decision needs could not be read; try again$/)
})

test('a reserved key in a template is refused, any other is not [#9]', async () => {
  await using one = world()
  const { client } = one
  // The schema says the same first; the webhook is for objects that an older schema let in.
  const set = (metadata: object) => ({
    ...replicaSetKind.make({ namespace: 'a', name: 'rs' }, {
      placementRefs: [{ name: 'p' }],
      template: { metadata, spec: role('r').spec },
    } as never),
  })
  const said = await refusal(client.create(replicaSetKind.type, set({ labels: { 'aws.identity.appthrust.io/delivery': 'x' } })))
  assert.match(said, /label key is reserved by aws-workload-identity-operator/)
  assert.equal(await refusal(client.create(replicaSetKind.type, set({ labels: { mine: 'x' } }))), 'allowed')
})
