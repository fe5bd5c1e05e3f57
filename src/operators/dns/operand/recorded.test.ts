// The operand's Deployment against what the existing operator builds from the same objects, argument by argument.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsObject } from '../api/kinds.ts'
import { modelOf } from '../convert/convert.ts'
import { type DeploymentVector, noVectors, readVectors } from '../testing/vectors.fixture.ts'
import { containerName } from './container-name.ts'
import { contentHash, decodeSecret, textHash } from './content-hash.ts'
import { buildDeployment, type Container, type PodSpec } from './deployment.ts'
import type { OperandRequest } from './request.ts'

const vectors = readVectors()
const skip = vectors === undefined ? noVectors : false

test('every recorded Deployment is built alike, but for what differs on purpose [21.1, 21.5]', { skip }, () => {
  for (const vector of vectors?.deployments ?? []) {
    const built = buildDeployment(requestOf(vector))
    if (vector.error !== undefined) {
      assert.deepEqual(built, { problem: vector.error }, vector.id)
      continue
    }
    assert.ok('deployment' in built, `${vector.id}: ${JSON.stringify(built)}`)
    const { metadata, spec } = built.deployment
    const { template, ...rest } = spec
    assert.deepEqual({ metadata, spec: rest }, vector.deployment, vector.id)
    assert.deepEqual(template, { metadata: vector.podTemplate?.metadata, spec: asSpecified(vector) }, vector.id)
  }
})

test('every recorded zone has the recorded name of a container', { skip }, () => {
  for (const { zone, container } of vectors?.containerNames ?? []) assert.equal(containerName(zone), container)
})

/** The recorded pod with the deliberate differences worked in: each of them is named in the notes of the recording. */
function asSpecified(vector: DeploymentVector): PodSpec {
  const { containers, tolerations = [], ...rest } = vector.podTemplate?.spec ?? { containers: [] }
  const controlPlane = { effect: 'NoSchedule', key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }
  const tags = new Set(vector.tags)
  const selected = containers.map(container => withoutEmptyFilter(container, tags.has('empty-label-selector')))
  const distinct = tags.has('duplicate-zone') ? withoutRepeats(selected) : selected
  const named = tags.has('azure-no-zones') ? distinct.map(withOwnName) : distinct
  return { ...rest, containers: named, tolerations: [...tolerations, controlPlane] }
}

function withoutEmptyFilter(container: Container, isEmpty: boolean): Container {
  return isEmpty
    ? { ...container, args: (container.args ?? []).filter(argument => argument !== '--label-filter=<none>') }
    : container
}

function withoutRepeats(containers: readonly Container[]): readonly Container[] {
  const kept = containers.filter((container, index) => containers.findIndex(({ name }) => name === container.name) === index)
  return kept.map((container, index) => ({
    ...container,
    args: (container.args ?? []).map(argument => argument.replace(/^(--metrics-address=.*:)\d+$/, `$1${7979 + index}`)),
  }))
}

function withOwnName(container: Container, index: number): Container {
  return index === 1 ? { ...container, name: 'external-dns-n54fh5b6h8fh5b8q' } : container
}

export function requestOf({ cr, settings }: DeploymentVector): OperandRequest {
  const { platformStatus, targetSecret, trustedCA } = settings
  const model = modelOf(cr as DnsObject)
  return {
    name: cr.metadata.name,
    uid: cr.metadata.uid,
    namespace: settings.operandNamespace,
    model,
    zones: model.spec.zones ?? [],
    zoneRoles: {},
    ownerId: `external-dns-${cr.metadata.name}`,
    platform: {
      isOpenShift: settings.isOpenShift,
      type: platformStatus?.type ?? '',
      awsRegion: platformStatus?.aws?.region ?? '',
      gcpProject: platformStatus?.gcp?.projectID ?? '',
    },
    image: settings.image,
    operandVersion: '0.14.2',
    secret: { name: targetSecret?.name ?? '', hash: contentHash(decodeSecret(targetSecret?.data)) },
    trustedCaHash: trustedCA === null ? undefined : textHash(trustedCA.data),
    proxy: settings.env,
    metricsHost: '127.0.0.1',
  }
}
