// What is kept of a ServiceAccount, and what of it is read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { annotationsOf, keepAnnotations } from './account.ts'

const metadata = { namespace: 'ns', name: 'a', uid: 'u', resourceVersion: '7' }

for (const [annotations, kept] of [
  [undefined, undefined],
  [{}, undefined],
  [{ 'z/a': '1', 'p.q/a': '2', pa: '3' }, undefined],
  [{ 'p/a': '1', 'z/a': '2' }, { 'p/a': '1' }],
  [
    { 'p/a': '1', 'q/a': '2', 'p/b': '3' },
    { 'p/a': '1', 'q/a': '2', 'p/b': '3' },
  ],
] as const)
  test(`of annotations ${JSON.stringify(annotations)} those of the prefixes p and q are kept: ${JSON.stringify(kept)}`, () => {
    const account: StoredObject = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { ...metadata, labels: { l: 'x' }, ...(annotations && { annotations }) },
    }
    const { metadata: left, ...rest } = keepAnnotations(['p', 'q'])(account)
    assert.deepEqual(rest, { apiVersion: 'v1', kind: 'ServiceAccount' })
    assert.deepEqual(
      { ...left, ...(left.annotations && { annotations: { ...left.annotations } }) },
      { ...metadata, ...(kept && { annotations: kept }) },
    )
    assert.deepEqual({ ...annotationsOf({ ...account, metadata: left }) }, kept ?? {})
  })
