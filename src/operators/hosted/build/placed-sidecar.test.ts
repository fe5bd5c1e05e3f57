import assert from 'node:assert/strict'
import { test } from 'node:test'
import { azurePlane } from '../testing/hosted-world.ts'
import { ourChoices } from './choices.ts'
import { placeSidecar } from './placed-sidecar.ts'
import { platformOf } from './platform.ts'
import { buildSidecar } from './sidecar.ts'

test('the platform’s scratch volume is mounted where the pod has it, and nowhere else', () => {
  const answer = platformOf(azurePlane, ['Azure'])
  assert.ok(answer.kind === 'sidecar')
  const sidecar = buildSidecar(answer.input, 'image', ourChoices)
  const own = sidecar.container.volumeMounts.map(({ name }) => name)
  const mounts = (hasScratch: boolean): readonly string[] =>
    placeSidecar(sidecar, hasScratch).container.volumeMounts.map(({ name }) => name)
  assert.deepEqual([mounts(false), mounts(true)], [own, [...own, 'tmp-dir']])
})
