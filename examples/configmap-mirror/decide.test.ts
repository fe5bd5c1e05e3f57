import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StoredObject, summarizeAction } from 'vouch/runtime'
import { decide, type Seen } from './mirror.ts'

const stored = (namespace: string, name: string, more: object = {}): StoredObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name, uid: `${namespace}-${name}`, resourceVersion: '1', ...more },
})
const labels = { 'mirror.example.com/source': 'true' }
const finalizers = ['mirror.example.com/copies']
const copyInA = stored('a', 'theme', { labels: { 'mirror.example.com/owner-uid': 'home-theme' } })

interface Row {
  readonly why: string
  readonly seen: Seen
  readonly does: readonly string[]
}

const rows: readonly Row[] = [
  { why: 'what is not there needs nothing', seen: { source: undefined, copies: [] }, does: [] },
  { why: 'a ConfigMap without the label is none of our business', seen: { source: stored('home', 'x'), copies: [] }, does: [] },
  {
    why: 'the finalizer comes before the first copy',
    seen: { source: stored('home', 'theme', { labels, annotations: { 'mirror.example.com/to': 'a, b,a,home' } }), copies: [] },
    does: [
      'add finalizer mirror.example.com/copies to configmaps home/theme',
      'apply configmaps a/theme; and at the same time apply configmaps b/theme',
    ],
  },
  {
    why: 'a namespace that is not named any more loses its copy',
    seen: {
      source: stored('home', 'theme', { labels, finalizers, annotations: { 'mirror.example.com/to': 'b' } }),
      copies: [copyInA],
    },
    does: [
      'add finalizer mirror.example.com/copies to configmaps home/theme',
      'delete configmaps a/theme',
      'apply configmaps b/theme',
    ],
  },
  {
    why: 'deletion takes the copies first, and keeps the finalizer',
    seen: { source: stored('home', 'theme', { labels, finalizers, deletionTimestamp: 'now' }), copies: [copyInA] },
    does: ['delete configmaps a/theme'],
  },
  {
    why: 'when they are seen gone, the finalizer goes',
    seen: { source: stored('home', 'theme', { labels, finalizers, deletionTimestamp: 'now' }), copies: [] },
    does: ['remove finalizer mirror.example.com/copies from configmaps home/theme'],
  },
  {
    why: 'losing the label is like deletion',
    seen: { source: stored('home', 'theme', { finalizers }), copies: [copyInA] },
    does: ['delete configmaps a/theme'],
  },
]

for (const { why, seen, does } of rows) {
  test(why, () => assert.deepEqual(decide(seen).actions.map(summarizeAction), does))
}
