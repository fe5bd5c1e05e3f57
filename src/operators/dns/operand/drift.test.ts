// Drift against what the existing operator answers for the same pairs, and what this one looks at besides.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEqualJson } from '#runtime'
import { noVectors, readVectors } from '../testing/vectors.fixture.ts'
import type { Container, DeploymentSpec } from './deployment.ts'
import { repaired } from './drift.ts'

const vectors = readVectors()
const skip = vectors === undefined ? noVectors : false

test('a recorded pair is judged as it was, with the mode of projected volumes ignored', { skip }, () => {
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
