import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConfigMapObject } from '../external-dns/seen.ts'
import { decideTrustedCa } from './controller.ts'

const bundle = (namespace: string, name: string, data?: object): ConfigMapObject =>
  ({ metadata: { namespace, name, uid: name, resourceVersion: '1' }, ...(data && { data }) }) as unknown as ConfigMapObject
const copy = 'external-dns-trusted-ca'

for (const [what, source, target, expected] of [
  ['that is not there', undefined, bundle('there', copy, { a: 'b' }), undefined],
  ['that is not copied yet', bundle('here', 'ca', { a: 'b' }), undefined, ['create', { a: 'b' }]],
  ['that is copied', bundle('here', 'ca', { a: 'b' }), bundle('there', copy, { a: 'b' }), undefined],
  ['that was changed', bundle('here', 'ca', { a: 'c' }), bundle('there', copy, { a: 'b' }), ['update', { a: 'c' }]],
  ['that is empty', bundle('here', 'ca'), bundle('there', copy, { a: 'b' }), ['update', {}]],
  ['that is empty, as its copy is', bundle('here', 'ca'), bundle('there', copy), undefined],
  ['that is its own copy', bundle('there', copy, { a: 'b' }), undefined, undefined],
  ['that is called as its copy, elsewhere', bundle('here', copy, { a: 'b' }), undefined, ['create', { a: 'b' }]],
  ['beside its copy', bundle('there', 'ca', { a: 'b' }), undefined, ['create', { a: 'b' }]],
] as const)
  test(`a bundle of authorities ${what} is ${expected === undefined ? 'left' : 'copied'}`, () => {
    const [action] = decideTrustedCa({ source, target, operandNamespace: 'there' }).actions
    const done =
      action?.kind === 'create' || action?.kind === 'update' ? [action.kind, Reflect.get(action.object, 'data')] : undefined
    assert.deepEqual(done, expected)
  })
