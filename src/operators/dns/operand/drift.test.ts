// Drift against what the existing operator answers for the same pairs, and what this one looks at besides.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEqualJson } from '#runtime'
import { noVectors, readVectors } from '../testing/vectors.fixture.ts'
import type { Container, DeploymentSpec } from './deployment.ts'
import { repaired } from './drift.ts'

const vectors = readVectors()
const skip = vectors === undefined ? noVectors : false

test('a recorded pair is judged as it was, with the mode of projected volumes ignored [21.3]', { skip }, () => {
  for (const { id, current, desired, changedWhenProjectedModeIgnored, mutationsOnlyTheSpecCompares } of vectors?.drift ?? []) {
    const spec = repaired(current, desired)
    const isOnlyOurs = mutationsOnlyTheSpecCompares !== undefined && hasOwnDifference(current, desired)
    assert.equal(spec !== undefined, changedWhenProjectedModeIgnored || isOnlyOurs, id)
  }
})

test('what a recorded Deployment is repaired to is what it was repaired to', { skip }, () => {
  for (const { id, current, desired, updated, changedWhenProjectedModeIgnored, mutationsOnlyTheSpecCompares } of vectors?.drift ??
    []) {
    if (updated === undefined || !changedWhenProjectedModeIgnored || mutationsOnlyTheSpecCompares !== undefined) continue
    const spec = repaired(current, desired)
    assert.ok(spec !== undefined, id)
    assert.deepEqual(comparable(spec), comparable(updated), id)
  }
})

test('what was repaired is well, and so is what was built with what an API server fills in', { skip }, () => {
  for (const { id, current, desired } of vectors?.drift ?? []) {
    const once = repaired(current, desired) ?? current
    assert.equal(repaired(once, desired), undefined, id)
    assert.equal(repaired(desired, desired), undefined, id)
  }
})

test('a variable whose source somebody changed is put back, and so is one that became a plain value [19.6]', () => {
  const from = (key: string): object => ({ secretKeyRef: { name: 'external-dns-credentials-blue', key } })
  const specWith = (variable: object): DeploymentSpec => {
    const container = { name: 'external-dns', image: 'x', env: [{ name: 'PASSWORD', ...variable }] }
    const template = { metadata: {}, spec: { serviceAccountName: 'x', containers: [container] } }
    const spec = { replicas: 1, strategy: { type: 'Recreate' }, selector: { matchLabels: {} }, template }
    return spec as unknown as DeploymentSpec
  }
  const wanted = specWith({ valueFrom: from('password') })
  for (const other of [{ valueFrom: from('another') }, { value: 'plain' }])
    assert.deepEqual(repaired(specWith(other), wanted)?.template.spec.containers[0]?.env, [
      { name: 'PASSWORD', valueFrom: from('password') },
    ])
  assert.equal(repaired(wanted, wanted), undefined)
})

/** A mutation may hit nothing: whether anything differs in what only this operator compares. */
function hasOwnDifference(current: DeploymentSpec, desired: DeploymentSpec): boolean {
  const view = ({ template: { metadata, spec } }: DeploymentSpec): unknown => [
    metadata?.labels,
    spec.nodeSelector,
    spec.tolerations,
    spec.containers.map(({ ports = [], env = [], resources = {} }) => [ports, env.map(({ valueFrom }) => valueFrom), resources]),
  ]
  return !isEqualJson(view(current), view(desired))
}

/** The order of appended things is no contract; the projected mode is ignored here and was not there. */
function comparable(spec: DeploymentSpec): unknown {
  const byName = <T extends { readonly name: string }>(list: readonly T[] = []): readonly T[] =>
    list.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const { spec: pod, ...template } = spec.template
  const volumes = byName(pod.volumes).map(volume => {
    const { projected } = volume as { readonly projected?: { readonly defaultMode?: number } }
    if (projected === undefined) return volume
    const { defaultMode: _mode, ...rest } = projected
    return { ...volume, projected: rest }
  })
  const containers: readonly Container[] = byName(pod.containers)
  return { ...spec, template: { ...template, spec: { ...pod, volumes, containers } } }
}

test('a strategy is kept where it is the one that is wanted, and replaced with what another one left in it', () => {
  const specWith = (strategy: object | undefined): DeploymentSpec => {
    const template = { metadata: {}, spec: { serviceAccountName: 'x', containers: [] } }
    return { replicas: 1, strategy, selector: { matchLabels: {} }, template } as unknown as DeploymentSpec
  }
  const recreate = { type: 'Recreate' }
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }
  for (const [current, wanted, repairedTo] of [
    [recreate, recreate, undefined],
    [{ type: 'Recreate', rollingUpdate: null }, recreate, undefined],
    [{ type: 'Recreate', rollingUpdate: {} }, recreate, recreate],
    [rolling, recreate, recreate],
    [{ type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } }, rolling, undefined],
    [recreate, rolling, rolling],
    [undefined, recreate, recreate],
  ] as const)
    assert.deepEqual(repaired(specWith(current), specWith(wanted))?.strategy, repairedTo, JSON.stringify([current, wanted]))
})
