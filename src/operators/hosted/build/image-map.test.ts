import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ImageMap, imageIn } from './image-map.ts'

const rows: readonly (readonly [what: string, data: unknown, image: string | undefined])[] = [
  ['an image', { sidecar: 'vouch:1' }, 'vouch:1'],
  ['an image with blanks around it', { sidecar: ' vouch:1\n' }, 'vouch:1'],
  ['a blank text', { sidecar: ' \n' }, undefined],
  ['an empty text', { sidecar: '' }, undefined],
  ['a value that is no text', { sidecar: 1 }, undefined],
  ['another key alone', { other: 'vouch:1' }, undefined],
  ['no data', undefined, undefined],
]

for (const [what, data, image] of rows)
  test(`a map with ${what} names ${image ?? 'no image'} [4.3.2]`, () => {
    assert.equal(imageIn({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data } as ImageMap, 'sidecar'), image)
  })

test('without a map there is no image', () => {
  assert.equal(imageIn(undefined, 'sidecar'), undefined)
})
