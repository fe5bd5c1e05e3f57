import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPayload } from './payload.ts'

const read = (stream: unknown): readonly (readonly [string, string])[] => [...readPayload(JSON.stringify(stream))]
const image = { kind: 'DockerImage', name: 'quay.io/a@sha256:aa' }

const tags: readonly (readonly [what: string, tag: unknown])[] = [
  ['is no object', 'sidecar'],
  ['has no source', { name: 'sidecar' }],
  ['has a source that is no object', { name: 'sidecar', from: 'quay.io/a' }],
  ['has no name', { from: image }],
  ['has a name that is no text', { name: 1, from: image }],
  ['is of another kind', { name: 'sidecar', from: { ...image, kind: 'ImageStreamTag' } }],
  ['has an image that is no text', { name: 'sidecar', from: { ...image, name: 1 } }],
  ['has an empty image', { name: 'sidecar', from: { ...image, name: '' } }],
]

for (const [what, tag] of tags)
  test(`a tag of a release that ${what} is passed over [4.3.2]`, () => {
    assert.deepEqual(read({ spec: { tags: [tag, { name: 'other', from: image }] } }), [['other', image.name]])
  })

test('a file without tags is no release [4.3.2]', () => {
  for (const stream of [[], 'text', {}, { spec: 'text' }, { spec: {} }, { spec: { tags: {} } }])
    assert.throws(() => read(stream), /^Error: release-manifests\/image-references has no tags$/, JSON.stringify(stream))
})
