// What is decided for the half in the management cluster, from what is seen alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectMeta, StoredObject } from '#kube'
import { kubeconfigLabel, signingDisabledAnnotation } from '../api/kinds.ts'
import { upstreamChoices } from '../build/choices.ts'
import { type KubeApiserver, withSidecar } from '../build/deployment.ts'
import { platformOf } from '../build/platform.ts'
import { providers, type SidecarCloud } from '../build/provider.ts'
import { issueSecret } from '../build/secrets.ts'
import { buildSidecar } from '../build/sidecar.ts'
import { kubeApiserver, payloadImages, settings } from '../testing/hosted-world.ts'
import { drawnKey, now, owner, planeWith, plansOf, specOf, stored, storedAuthority } from '../testing/secrets.fixture.ts'
import { decidePlane } from './decide.ts'
import type { PlaneAction, PlaneSeen, StoredKubeApiserver, StoredSecret } from './seen.ts'

const drawn = await drawnKey()
const { name, servingSecret, kubeconfigSecret } = providers.Azure
const imageMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: payloadImages }

function deploymentWith(cloud: SidecarCloud | undefined, status: object = {}): StoredKubeApiserver {
  const bare = kubeApiserver() as KubeApiserver
  const held = {
    ...bare,
    metadata: { name: 'kube-apiserver', namespace: 'hcp-namespace', uid: 'd', resourceVersion: '1', generation: 2 },
    status: { observedGeneration: 2, replicas: 1, updatedReplicas: 1, ...status },
  }
  const answer = cloud === undefined ? undefined : platformOf(specOf(cloud), [cloud])
  if (answer?.kind !== 'sidecar') return held
  return withSidecar(
    held,
    buildSidecar(answer.input, payloadImages[providers[answer.input.cloud].name as 'aws-pod-identity-webhook'], settings.choices),
  )
}

const secretsOf = (cloud: SidecarCloud, metadata: object = {}): readonly StoredSecret[] =>
  plansOf(cloud).map(plan => stored(issueSecret(plan, undefined, owner, { drawn, now }), metadata))
const held = { Azure: secretsOf('Azure'), AWS: secretsOf('AWS') }
const byName = (secrets: readonly StoredSecret[]): ReadonlyMap<string, StoredSecret> =>
  new Map(secrets.map(secret => [secret.metadata.name, secret]))

/** At rest, on Azure. */
function seenWith(parts: Partial<PlaneSeen> = {}): PlaneSeen {
  return {
    plane: planeWith(specOf('Azure')),
    settings,
    rootCa: storedAuthority('root-ca', 0),
    clusterSigner: storedAuthority('cluster-signer-ca', 1),
    secrets: byName(held.Azure),
    images: imageMap,
    release: undefined,
    deployment: deploymentWith('Azure'),
    heldUntil: () => undefined,
    ...parts,
  }
}

const nothing: ReadonlyMap<string, StoredSecret> = new Map()

function told(seen: PlaneSeen | undefined): object {
  const { actions, conditions, next } = decidePlane(seen, now)
  return {
    actions: actions.map(action => {
      if ('object' in action) return `${action.kind} ${(action.object as { readonly metadata: ObjectMeta }).metadata.name ?? ''}`
      return (action as PlaneAction).kind
    }),
    said: conditions.map(({ status, reason }) => `${status} ${reason}`),
    next: next.kind === 'look-again' ? next.afterMs : next.kind,
  }
}

const message = (parts: Partial<PlaneSeen>): string => decidePlane(seenWith(parts), now).conditions[0]?.message ?? ''
const atRest = { actions: [], said: ['True InPlace'], next: 'await-change' }
const saying = (said: string, actions: readonly string[] = [], next: number | string = 'await-change'): object => ({
  actions,
  said: [said],
  next,
})
const issue = ['act:issue', 'act:note']
const place = ['update kube-apiserver', 'act:note']
const silent = (...actions: readonly string[]): object => ({ actions, said: [], next: 'await-change' })
const paused = (until: string, cloud = 'Azure'): Partial<PlaneSeen> => ({
  plane: planeWith({ ...specOf('Azure'), platform: { ...specOf('Azure').platform, type: cloud }, pausedUntil: until }),
  deployment: deploymentWith(undefined),
})
const unreadable = { kind: 'unreadable', why: 'its registry does not answer' } as const
const releaseWith = (...names: readonly string[]) => ({ kind: 'images', images: new Map(names.map(one => [one, 'i'])) }) as const
const signingDisabled = planeWith(specOf('Azure'), { annotations: { [signingDisabledAnnotation]: 'true' } })
const onNone = planeWith({ platform: { type: 'None' } })
const foreign = secretsOf('Azure', {
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: 'c', controller: true }],
})
const unowned = secretsOf('AWS', { ownerReferences: [] })
const oldLabels = held.Azure.map(secret => ({ ...secret, metadata: { ...secret.metadata, labels: {} } }))
const awsNames = [providers.AWS.servingSecret, providers.AWS.kubeconfigSecret].map(one => `delete ${one}`)
const azureNames = [servingSecret, kubeconfigSecret].map(one => `delete ${one}`)
const bothClouds = byName([...held.Azure, ...held.AWS])
const until = (when: number) => () => now + when

const rows: readonly (readonly [what: string, parts: Partial<PlaneSeen>, plan: object])[] = [
  ['all is as it should be', {}, atRest],
  [
    'nothing is there yet',
    { secrets: nothing, deployment: deploymentWith(undefined) },
    saying('True InPlace', [...issue, ...issue, ...place]),
  ],
  ['one Secret is gone', { secrets: byName(held.Azure.slice(1)) }, saying('True InPlace', issue)],
  ['a label is gone', { secrets: byName(oldLabels) }, saying('True InPlace', [`update ${kubeconfigSecret}`, 'act:note'])],
  ['another signer signs', { clusterSigner: storedAuthority('cluster-signer-ca', 2) }, saying('True InPlace', issue)],
  [
    'the control plane is being deleted',
    { plane: planeWith(specOf('Azure'), { deletionTimestamp: 'now' }), secrets: nothing },
    silent(),
  ],
  ['it is paused for good', paused('true'), saying('Unknown Paused')],
  ['it is paused for an hour', paused('2026-06-01T01:00:00Z'), saying('Unknown Paused', [], 3_600_000)],
  ['it is paused for a month', paused('2026-07-01T00:00:00Z'), saying('Unknown Paused', [], 86_400_000)],
  ['it is paused on a platform without a sidecar', paused('true', 'None'), silent()],
  ['the spec has no platform', { plane: planeWith({}) }, saying('False PlatformBlockMissing')],
  ['there is no Deployment yet', { deployment: undefined }, saying('False DeploymentMissing')],
  ['the root authority is missing', { rootCa: undefined }, saying('False AuthorityMissing')],
  ['the signer is missing', { clusterSigner: undefined }, saying('False AuthorityMissing')],
  [
    'the signer cannot sign',
    { clusterSigner: stored({ ...storedAuthority('cluster-signer-ca', 1), data: {} }) },
    saying('False AuthorityUnusable'),
  ],
  ['a Secret is somebody else’s', { secrets: byName(foreign) }, saying('False SecretOwnedByAnother')],
  ['a Secret is undone again and again', { secrets: nothing, heldUntil: until(5_000) }, saying('False Contested', [], 5_000)],
  [
    'the sidecar is taken out again and again',
    { deployment: deploymentWith(undefined), heldUntil: until(7_000) },
    saying('False Contested', [], 7_000),
  ],
  ['what nobody undoes was held once', { heldUntil: until(7_000) }, atRest],
  [
    'nothing is to be signed, and all is there',
    { plane: signingDisabled, clusterSigner: storedAuthority('cluster-signer-ca', 2) },
    atRest,
  ],
  [
    'nothing is to be signed, and a Secret is not there',
    { plane: signingDisabled, secrets: byName(held.Azure.slice(0, 1)) },
    saying('False SigningDisabled'),
  ],
  [
    'the sidecar has no tenant',
    { plane: planeWith({ platform: { type: 'Azure', azure: {} } }) },
    saying('False SidecarCannotStart', place),
  ],
  ['no image is known, and the sidecar stands', { images: undefined }, saying('False ImageMissing')],
  [
    'no image is known, and a Secret of the sidecar that stands is gone',
    { images: undefined, secrets: byName(held.Azure.slice(1)) },
    saying('False ImageMissing', issue),
  ],
  [
    'no image is known, and no sidecar stands',
    { images: undefined, secrets: nothing, deployment: deploymentWith(undefined) },
    saying('False ImageMissing'),
  ],
  [
    'no image is known, and there is no Deployment',
    { images: undefined, secrets: nothing, deployment: undefined },
    saying('False ImageMissing'),
  ],
  [
    'no image is known, and there is no authority',
    { images: undefined, secrets: nothing, rootCa: undefined },
    saying('False ImageMissing'),
  ],
  [
    'no image is known, and a Secret is somebody else’s',
    { images: undefined, secrets: byName(foreign) },
    saying('False ImageMissing'),
  ],
  ['the release cannot be read', { images: undefined, release: unreadable }, saying('False ImageMissing', [], 60_000)],
  ['the release does not name the image', { images: undefined, release: releaseWith('other') }, saying('False ImageMissing')],
  ['the release names the image', { images: undefined, release: releaseWith(name) }, saying('True InPlace', place)],
  ['the map goes before the release', { release: releaseWith(name) }, atRest],
  ['the flag goes before the map', { settings: { ...settings, image: 'vouch:1' } }, saying('True InPlace', place)],
  ['the other cloud’s Secrets are left', { secrets: bothClouds }, saying('True InPlace', awsNames)],
  [
    'they are left while an earlier pod is',
    { secrets: bothClouds, deployment: deploymentWith('Azure', { replicas: 2 }) },
    atRest,
  ],
  ['they are not ours', { secrets: byName([...held.Azure, ...unowned]) }, atRest],
  ['switched off, the sidecar goes first', { plane: onNone }, silent(...place)],
  ['switched off, the Secrets go after it', { plane: onNone, deployment: deploymentWith(undefined) }, silent(...azureNames)],
  [
    'switched off, they stay while an earlier pod is left',
    { plane: onNone, deployment: deploymentWith(undefined, { replicas: 2 }) },
    silent(),
  ],
  ['switched off without a Deployment', { plane: onNone, deployment: undefined }, silent(...azureNames)],
]

for (const [what, parts, plan] of rows)
  test(`the half in the management cluster: ${what} [4.12]`, () => {
    assert.deepEqual(told(seenWith(parts)), plan)
  })

test('of a control plane that is not there nothing is decided', () => {
  assert.deepEqual(told(undefined), silent())
})

test('where an image is missed is told with the next step [4.3.2]', () => {
  const place = 'ConfigMap hcp-namespace/release-images'
  const next = `write the image of the release under the key ${name}, or give --hosted-image`
  const missing = { images: undefined }
  const empty = { images: { ...imageMap, data: {} } }
  assert.equal(message(missing), `there is no ${place}; ${next}`)
  assert.equal(message(empty), `${place} does not name the sidecar's image; ${next}`)
  const without = { ...missing, release: releaseWith('other') }
  assert.equal(message(without), `the release image does not name the sidecar's image, nor does ${place}; ${next}`)
  assert.equal(
    message({ ...missing, release: unreadable }),
    `the release image cannot be read: its registry does not answer; mend the Secret pull-secret, or write the image under the key ${name} of ${place}`,
  )
})

test('in upstream’s form an image that no release names is its label, and one that cannot be read is waited for [4.13 #5]', () => {
  const ofUpstream = {
    settings: { ...settings, choices: upstreamChoices },
    deployment: deploymentWith(undefined),
    images: undefined,
  }
  const imageOf = (parts: Partial<PlaneSeen>): unknown => {
    const { actions } = decidePlane(seenWith({ ...ofUpstream, ...parts }), now)
    const updates = actions.filter(action => action.kind === 'update')
    const deployment = updates
      .map(({ object }) => object as KubeApiserver & StoredObject)
      .find(({ kind }) => kind === 'Deployment')
    return deployment?.spec.template.spec.containers.flatMap(one => ('image' in one && one.name === name ? [one.image] : []))[0]
  }
  assert.equal(imageOf({}), name)
  assert.equal(imageOf({ release: releaseWith('other') }), name)
  assert.equal(imageOf({ release: releaseWith(name) }), 'i')
  assert.equal(imageOf({ release: unreadable }), undefined)
})

test('a Secret that is put right keeps its pair, is of the version that was read, and has its label again [4.5]', () => {
  const { actions } = decidePlane(seenWith({ secrets: byName(oldLabels) }), now)
  const [update] = actions.filter(action => action.kind === 'update')
  const object = update?.object as StoredSecret | undefined
  assert.deepEqual(object?.data, oldLabels[1]?.data)
  assert.deepEqual(object?.metadata.labels, kubeconfigLabel)
  assert.equal(object?.metadata.resourceVersion, '1')
})

test('what was written is remembered by the Deployment that is there, and by none where there is none yet [B12]', () => {
  const uidOf = (deployment: StoredKubeApiserver | undefined): unknown => {
    const { actions } = decidePlane(seenWith({ secrets: nothing, deployment }), now)
    return actions.flatMap(action => (action.kind === 'act:note' ? [action.uid] : []))
  }
  assert.deepEqual(uidOf(deploymentWith('Azure')), ['d', 'd'])
  assert.deepEqual(uidOf(undefined), ['', ''])
})
