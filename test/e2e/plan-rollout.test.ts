// `vouch plan` of a ReplicaSet looks at the hub, says in which clusters it would begin and what is in the way, and writes nothing there.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createApiServer } from '#apiserver'
import { systemClock } from '#base'
import { clientEnvironment, createAws } from '#emulator'
import { placementDecisionKind, placementKind, writePlacement } from '#fleet'
import { type KubeObject, type ResourceType, renderCrd } from '#kube'
import { createKubeClient } from '#kube/client'
import { renderIdentityCrds, replicaSetKind, roleKind } from '#operators/identity'
import { type Told, vouchIn } from './vouch-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'vouch-plan-rollout-'))
const aws = createAws()
const clusters = Array.from({ length: 25 }, (_, index) => `c${String(index).padStart(2, '0')}`)
const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
const crds = [...renderIdentityCrds(), renderCrd(placementKind), renderCrd(placementDecisionKind)]
const hub = createApiServer({
  seed: 1,
  clock: systemClock,
  objects: [...['platform', ...clusters.slice(1)].map(namespace), ...crds],
})
let home: Readonly<Record<string, string>> = {}

const set = (name: string, strategy: string): string =>
  `apiVersion: aws.identity.appthrust.io/v1alpha1
kind: AWSServiceAccountRoleReplicaSet
metadata: {name: ${name}, namespace: platform}
spec:
  placementRefs: [{name: all, rolloutStrategy: ${strategy}}]
  template: {spec: {serviceAccount: {namespace: apps, name: ${name}}, policyARNs: ["arn:aws:iam::aws:policy/ReadOnlyAccess"]}}
`

before(async () => {
  await hub.listen()
  writeFileSync(join(folder, 'kubeconfig'), hub.kubeconfig())
  writeFileSync(join(folder, 'all.yaml'), set('everywhere', '{type: All}'))
  writeFileSync(join(folder, 'two.yaml'), set('few', '{type: Progressive, progressive: {maxConcurrency: 2}}'))
  writeFileSync(join(folder, 'wrong.yaml'), set('few', '{type: Progressive, progressive: {maxFailures: "5"}}'))
  writeFileSync(join(folder, 'nowhere.yaml'), set('few', '{type: All}').replace('name: all', 'name: none'))
  const client = createKubeClient({ clock: systemClock, address: 'hub', exchange: hub.as() })
  await writePlacement(client, { namespace: 'platform', name: 'all' }, [{ clusters }])
  const stranger = {
    serviceAccount: { namespace: 'apps', name: 'other' },
    policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'],
  }
  await client.create(roleKind.type, roleKind.make({ namespace: 'c01', name: 'few' }, stranger))
  const { host, port } = await aws.listen()
  home = clientEnvironment(aws, { address: `http://${host}:${port}`, region: 'eu-west-1' })
})
after(async () => {
  await aws.close()
  await hub.close()
  rmSync(folder, { recursive: true, force: true })
})

function plan(file: string): Promise<Told> {
  return vouchIn(folder, ['plan', '-f', file, '--', '--kubeconfig', 'kubeconfig'], home)
}

/** What stands below the fields of the set. */
function rolloutIn({ stdout }: Told): readonly string[] {
  return stdout.split('\n').flatMap(line => (/^ {4}(?!spec\.)/.test(line) ? [line.trim()] : []))
}

test('a set that reaches all at once names the first twenty clusters, and each that is in the way', async () => {
  const told = await plan('all.yaml')
  assert.equal(told.code, 2, told.stderr)
  assert.match(told.stdout, /^\+ create AWSServiceAccountRoleReplicaSet platform\/everywhere\n {4}spec\.placementRefs: /)
  assert.deepEqual(rolloutIn(told), [
    'clusters: 25 selected',
    `a Role is made in 24 now: ${clusters.slice(1, 21).join(', ')} and 4 more`,
    'c00: namespace c00 does not exist; create it',
  ])
})

test('a few at a time: none begins while what is in the way is more than may fail', async () => {
  const told = await plan('two.yaml')
  assert.deepEqual(rolloutIn(told), [
    'clusters: 25 selected',
    '23 wait for their turn',
    'more clusters of all failed than may: mend them, or try them again by the annotation aws.identity.appthrust.io/rollout-retry',
    'c00: namespace c00 does not exist; create it',
    'c01: a Role few in namespace c01 is not of this set; delete or rename it',
  ])
  assert.equal(told.code, 2)
})

test('a strategy that cannot be followed is in the way of the whole set', async () => {
  const told = await plan('wrong.yaml')
  assert.match(told.stdout, /^! blocked AWSServiceAccountRoleReplicaSet platform\/few\n/)
  assert.match(rolloutIn(told).join(), /^plan rollout for placement ref "all": failed to parse the provided maxFailures/)
  assert.equal(told.code, 1)
})

test('a Placement that is not there and a hub that is not looked at are told, and the set is planned', async () => {
  const missing = await plan('nowhere.yaml')
  assert.deepEqual(rolloutIn(missing), [
    'which clusters cannot be told: Placement none does not exist in this namespace; create it',
  ])
  const offline = await vouchIn(folder, ['plan', '-f', 'all.yaml', '--offline'], home)
  assert.deepEqual(rolloutIn(offline), ['which clusters: the hub was not looked at'])
  assert.deepEqual([missing.code, offline.code], [2, 2])
})

test('nothing of it is written on the hub', async () => {
  await plan('all.yaml')
  const client = createKubeClient({ clock: systemClock, address: 'hub', exchange: hub.as() })
  const named = async (type: ResourceType): Promise<readonly string[]> =>
    (await client.list(type)).items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
  assert.deepEqual([await named(replicaSetKind.type), await named(roleKind.type)], [[], ['c01/few']])
})
