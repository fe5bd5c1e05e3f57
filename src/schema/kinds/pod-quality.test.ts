import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../json.ts'
import { qualityOf } from './pod-quality.ts'

const all = { cpu: '1', memory: '1Gi' }
const spec = (...resources: Json[]): JsonObject => ({ containers: resources.map(each => ({ resources: each })) })

const rows: readonly (readonly [spec: JsonObject | undefined, quality: string])[] = [
  [undefined, 'BestEffort'],
  [{}, 'BestEffort'],
  [{ containers: [] }, 'BestEffort'],
  [{ containers: [{}] }, 'BestEffort'],
  [spec({}), 'BestEffort'],
  [spec({ limits: { 'example.com/gpu': '1' } }), 'BestEffort'],
  [spec({ limits: all }), 'Guaranteed'],
  [spec({ limits: all, requests: all }), 'Guaranteed'],
  [spec({ limits: all, requests: { cpu: '1' } }), 'Guaranteed'],
  [spec({ limits: all, requests: { cpu: '500m' } }), 'Burstable'],
  [spec({ limits: { cpu: '1' } }), 'Burstable'],
  [spec({ requests: { memory: '1' } }), 'Burstable'],
  [spec({ limits: all }, {}), 'Burstable'],
  [spec({ limits: all }, { limits: all }), 'Guaranteed'],
  [spec({ limits: { cpu: '0', memory: '0' } }), 'BestEffort'],
  [spec({ limits: { cpu: '1', memory: '0' } }), 'Burstable'],
  [spec({ limits: all, requests: { cpu: '0', memory: '1Gi' } }), 'Burstable'],
  [{ ...spec({ limits: all }), initContainers: [{}] }, 'Burstable'],
  [{ ...spec({ limits: all }), initContainers: [{ resources: { limits: all } }] }, 'Guaranteed'],
  [{ ...spec({}), initContainers: [{ resources: { limits: all } }] }, 'Burstable'],
  [{ ...spec({ requests: all }), resources: {} }, 'BestEffort'],
  [{ ...spec({ requests: { cpu: '1' } }), resources: { limits: all, requests: all } }, 'Guaranteed'],
  [{ ...spec({ limits: all }), resources: { requests: all } }, 'Burstable'],
]

test('a pod is served by what its containers ask for', () => {
  assert.deepEqual(
    rows.map(([given]) => [given, qualityOf(given)]),
    rows,
  )
})
