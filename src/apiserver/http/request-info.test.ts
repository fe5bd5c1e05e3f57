import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Query } from './query.ts'
import { classify } from './request-info.ts'

const base = { group: '', version: 'v1', namespace: '', resource: '', subresource: '', name: '', pinnedName: '', rest: [] }
const pods = { ...base, namespace: 'x', resource: 'pods' }
const named = { name: 'p', pinnedName: 'p' }
const sets = { ...base, group: 'apps', resource: 'sets' }

for (const [method, path, wanted] of [
  ['GET', '/api/v1/pods', { ...base, verb: 'list', resource: 'pods' }],
  ['HEAD', '/api/v1/pods', { ...base, verb: 'list', resource: 'pods' }],
  ['GET', '/api/v1/namespaces/x/pods', { ...pods, verb: 'list' }],
  ['GET', '//api/v1//namespaces/x/pods/', { ...pods, verb: 'list' }],
  ['GET', '/api/v1/namespaces/x/pods/p', { ...pods, ...named, verb: 'get' }],
  ['HEAD', '/api/v1/namespaces/x/pods/p', { ...pods, ...named, verb: 'get' }],
  ['POST', '/api/v1/namespaces/x/pods', { ...pods, verb: 'create' }],
  ['PUT', '/api/v1/namespaces/x/pods/p', { ...pods, ...named, verb: 'update' }],
  ['PATCH', '/api/v1/namespaces/x/pods/p', { ...pods, ...named, verb: 'patch' }],
  ['DELETE', '/api/v1/namespaces/x/pods/p', { ...pods, ...named, verb: 'delete' }],
  ['DELETE', '/api/v1/namespaces/x/pods', { ...pods, verb: 'deletecollection' }],
  ['OPTIONS', '/api/v1/namespaces/x/pods', { ...pods, verb: 'options' }],
  ['PUT', '/api/v1/namespaces/x/pods/p/status', { ...pods, ...named, verb: 'update', subresource: 'status' }],
  ['GET', '/api/v1/namespaces/x/pods/p/proxy/a/b', { ...pods, ...named, verb: 'get', subresource: 'proxy', rest: ['a', 'b'] }],
  ['GET', '/api/v1/namespaces', { ...base, verb: 'list', resource: 'namespaces' }],
  ['GET', '/api/v1/namespaces/x', { ...base, verb: 'get', namespace: 'x', resource: 'namespaces', name: 'x', pinnedName: 'x' }],
  [
    'PUT',
    '/api/v1/namespaces/x/status',
    { ...base, verb: 'update', namespace: 'x', resource: 'namespaces', name: 'x', pinnedName: 'x', subresource: 'status' },
  ],
  [
    'PUT',
    '/api/v1/namespaces/x/finalize',
    { ...base, verb: 'update', namespace: 'x', resource: 'namespaces', name: 'x', pinnedName: 'x', subresource: 'finalize' },
  ],
  [
    'GET',
    '/api/v1/namespaces/x/status/y',
    { ...base, verb: 'get', namespace: 'x', resource: 'status', name: 'y', pinnedName: 'y' },
  ],
  ['GET', '/apis/apps/v1/sets', { ...sets, verb: 'list' }],
  ['GET', '/apis/apps/v1/namespaces/x/sets/s', { ...sets, verb: 'get', namespace: 'x', name: 's', pinnedName: 's' }],
  ['GET', '/apis/apps/v1/sets/a%2Fb%zz', { ...sets, verb: 'get', name: 'a%2Fb%zz', pinnedName: 'a%2Fb%zz' }],
  ['GET', '/apis/apps/v1/sets/a%3Ab', { ...sets, verb: 'get', name: 'a:b', pinnedName: 'a:b' }],
  ['GET', '/api/v1/watch/namespaces/x/pods', { ...pods, verb: 'watch' }],
  ['GET', '/api/v1/watch/namespaces/x/pods/p', { ...pods, ...named, verb: 'watch' }],
  ['GET', '/api/v1/proxy/namespaces/x/pods/p', { ...pods, ...named, verb: 'proxy' }],
  ['GET', '/apis/apps/v1/watch', { ...sets, verb: 'list', resource: 'watch' }],
] as const)
  test(`${method} ${path} is to ${wanted.verb} ${wanted.resource}`, () => {
    assert.deepEqual(classify(method, path, new Query('')), { kind: 'resource', path, ...wanted })
  })

for (const path of ['/', '/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/healthz', '/openapi/v3/apis/apps/v1'])
  test(`${path} is a path`, () => {
    assert.deepEqual(classify('GET', path, new Query('')), { kind: 'path', verb: 'get', path })
  })

for (const [method, path, query, verb, pinnedName] of [
  ['GET', '/api/v1/pods', 'watch=1', 'watch', ''],
  ['GET', '/api/v1/namespaces/x/pods/p', 'watch=1', 'get', 'p'],
  ['GET', '/api/v1/pods', 'fieldSelector=metadata.name%3Dp', 'list', 'p'],
  ['GET', '/api/v1/pods', 'fieldSelector=metadata.name==p', 'list', 'p'],
  ['GET', '/api/v1/pods', 'fieldSelector=metadata.namespace%3Dx,metadata.name%3Dp,a%3Db', 'list', 'p'],
  ['GET', '/api/v1/pods', 'fieldSelector=metadata.name!%3Dp', 'list', ''],
  ['GET', '/api/v1/pods', 'fieldSelector=xmetadata.name%3Dp', 'list', ''],
  ['GET', '/api/v1/pods', 'fieldSelector=spec.nodeName%3Dp', 'list', ''],
  ['DELETE', '/api/v1/namespaces/x/pods', 'fieldSelector=metadata.name%3Dp', 'deletecollection', ''],
  ['GET', '/api/v1/namespaces/x/pods/q', 'fieldSelector=metadata.name%3Dp', 'get', 'q'],
] as const)
  test(`${method} ${path} with ${query} is to ${verb} ${pinnedName === '' ? 'any' : pinnedName}`, () => {
    const info = classify(method, path, new Query(query))
    assert.ok(info.kind === 'resource')
    assert.deepEqual([info.verb, info.pinnedName], [verb, pinnedName])
  })
