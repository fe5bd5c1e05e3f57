import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtinKind, type JsonObject } from '#schema'
import type { Draft } from '../draft.ts'
import { prepareJob } from './job-selector.ts'

const generated = {
  'batch.kubernetes.io/controller-uid': '1234',
  'batch.kubernetes.io/job-name': 'j',
  'controller-uid': '1234',
  'job-name': 'j',
}

function labelsOf(labels: JsonObject | undefined, ofPods: JsonObject): { own: unknown; pods: unknown } {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j', uid: '1234', ...(labels !== undefined && { labels }) },
    spec: { template: { metadata: { labels: ofPods } } },
  }
  const { applyDefaults } = builtinKind('batch', 'v1', 'Job') ?? assert.fail('there are jobs')
  const { metadata, spec, ...rest } = applyDefaults(job)
  const draft = { ...rest, metadata: { ...(metadata as JsonObject) }, spec } as unknown as Draft
  prepareJob(draft)
  const { template } = draft.spec as unknown as { template: { metadata: { labels: unknown } } }
  return { own: draft.metadata.labels, pods: template.metadata.labels }
}

test('a job without labels of its own has all those of its pods, the generated ones too', () => {
  const all = { a: 'b', ...generated }
  assert.deepEqual(labelsOf(undefined, { a: 'b' }), { own: all, pods: all })
})

test('a job that has labels of its own keeps them, also when its pods have the same', () => {
  assert.deepEqual(labelsOf({ a: 'b' }, { a: 'b' }), { own: { a: 'b' }, pods: { a: 'b', ...generated } })
})
