import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KubeError } from '#kube/client'
import { Stopped } from '../scope.ts'
import { readStatusWeather, readWeather } from './weather.ts'

const status = (code: number, reason: string, details?: object): never =>
  ({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `it says ${reason}`,
    reason,
    code,
    ...(details === undefined ? {} : { details }),
  }) as never

const seen = { why: 'error', expired: false, noWatchList: false }

for (const [what, told, read] of [
  [
    'that asks for patience',
    status(429, 'TooManyRequests', { retryAfterSeconds: 7 }),
    { ...seen, why: 'throttled', retryAfterMs: 7_000 },
  ],
  ['that asks for patience without end', status(429, 'TooManyRequests'), { ...seen, why: 'throttled' }],
  ['whose position is lost', status(410, 'Expired'), { ...seen, expired: true }],
  ['that is forbidden', status(403, 'Forbidden'), { ...seen, why: 'forbidden' }],
  ['that fails', status(500, 'InternalError'), seen],
] as const)
  test(`a watch ${what} is read with the words of the server`, () =>
    assert.deepEqual(readStatusWeather(told), { ...read, message: `it says ${(told as { readonly reason: string }).reason}` }))

const refused = (httpStatus: number): KubeError => new KubeError('refused', 'no', { httpStatus })
for (const [what, error, streamed, read] of [
  ['of which nobody waits for the end', new Stopped('deadline', 'no'), true, { ...seen, why: 'unreachable' }],
  ['that breaks on a fault', new TypeError('no'), true, seen],
  ['that breaks on a text', 'no', true, seen],
  ['that nobody answers', new KubeError('unreachable', 'no'), true, { ...seen, why: 'unreachable' }],
  ['of a list that a server cannot stream (400)', refused(400), true, { ...seen, noWatchList: true }],
  ['of a list that a server cannot stream (422)', refused(422), true, { ...seen, noWatchList: true }],
  ['of no streamed list that is refused', refused(422), false, seen],
  ['of a kind that is not there', refused(404), true, { ...seen, why: 'kind-missing' }],
  ['of somebody who is not known', refused(401), true, { ...seen, why: 'unauthenticated' }],
] as const)
  test(`a call ${what} is read`, () => assert.deepEqual(readWeather(error, streamed), { ...read, message: 'no' }))
