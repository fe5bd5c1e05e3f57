import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpRequest, HttpResponse } from '#base'
import { keyOfRequest, parseBody, Shadow } from './shadow.ts'

const maps = '/api/v1/namespaces/a/configmaps'
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
const request = (method: string, target: string, body?: unknown): HttpRequest => ({
  method,
  target,
  headers: {},
  body: body === undefined ? null : bytes(body),
})
const answer = (value: unknown, status = 200): HttpResponse => ({ status, headers: {}, body: bytes(value) })
const map = (metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'b', namespace: 'a', ...metadata },
})

test('an object stands under its path from its creation to its deletion', () => {
  const shadow = new Shadow()
  assert.equal(shadow.apply(request('POST', maps, map()), answer(map(), 201)).key, `${maps}/b`)
  assert.ok(shadow.objects.has(`${maps}/b`))
  const { before, after } = shadow.apply(request('DELETE', `${maps}/b`), answer(map()))
  assert.deepEqual([before?.metadata.name, after], ['b', undefined])
  assert.equal(shadow.objects.size, 0)
})

test('a terminating object goes with its last finalizer, and not before', () => {
  const shadow = new Shadow()
  const terminating = { deletionTimestamp: '2026-01-01T00:00:00Z' }
  shadow.apply(request('POST', maps, map()), answer(map({ finalizers: ['f'] }), 201))
  shadow.apply(request('DELETE', `${maps}/b`), answer(map({ ...terminating, finalizers: ['f'] })))
  assert.ok(shadow.objects.has(`${maps}/b`))
  shadow.apply(request('PATCH', `${maps}/b`), answer(map(terminating)))
  assert.equal(shadow.objects.size, 0)
})

test('a refusal, a dry run and a token change nothing', () => {
  const shadow = new Shadow()
  shadow.apply(request('POST', maps, map()), answer({ kind: 'Status' }, 409))
  shadow.apply(request('POST', `${maps}?dryRun=All`, map()), answer(map(), 201))
  shadow.apply(
    request('POST', '/api/v1/namespaces/a/serviceaccounts/b/token'),
    answer({ kind: 'TokenRequest', metadata: {} }, 201),
  )
  assert.equal(shadow.objects.size, 0)
})

test('a request is about one path, whether it makes the object or changes a part of it', () => {
  assert.equal(keyOfRequest(request('POST', maps, map())), `${maps}/b`)
  assert.equal(keyOfRequest(request('PATCH', `${maps}/b/status?fieldManager=x`)), `${maps}/b`)
})

test('a body is read once, however many look at it, and one that is no JSON says nothing', () => {
  const [body, broken] = [bytes(map()), new TextEncoder().encode('{')]
  assert.deepEqual(parseBody(body), map())
  assert.equal(parseBody(body), parseBody(body))
  assert.deepEqual([parseBody(broken), parseBody(broken), parseBody(null)], [undefined, undefined, undefined])
})
