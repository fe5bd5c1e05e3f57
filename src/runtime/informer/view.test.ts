import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceType } from '#kube'
import { fieldSelectorOf, isSameScope } from './view.ts'

const type: ResourceType = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true }
const parts = [
  { namespaces: ['a'] },
  { names: ['a'] },
  { labelSelector: 'a=b' },
  { fieldSelector: 'spec.nodeName=n' },
  { metadataOnly: true },
] as const

test('two sources ask for the same where all of namespaces, names, selectors and depth are the same', () => {
  for (const part of parts) {
    assert.ok(isSameScope({ type, ...part }, { type, ...part }), JSON.stringify(part))
    assert.ok(!isSameScope({ type, ...part }, { type }), JSON.stringify(part))
    assert.ok(!isSameScope({ type }, { type, ...part }), JSON.stringify(part))
  }
  assert.ok(isSameScope({ type }, { type, labelSelector: '', fieldSelector: '', metadataOnly: false, whenRead: true }))
  assert.ok(!isSameScope({ type, namespaces: [] }, { type }), 'no namespace is not all of them')
})

test('where one object is followed, its name is asked for beside the selector of the source', () => {
  const selecting = { type, fieldSelector: 'spec.nodeName=n' }
  assert.deepEqual(
    [
      fieldSelectorOf({ type }, ''),
      fieldSelectorOf(selecting, ''),
      fieldSelectorOf({ type }, 'a'),
      fieldSelectorOf(selecting, 'a'),
    ],
    [undefined, 'spec.nodeName=n', 'metadata.name=a', 'metadata.name=a,spec.nodeName=n'],
  )
})
