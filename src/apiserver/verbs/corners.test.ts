// Corners in which a real server surprises; what it answers was seen by playing the same to both (the vectors `details` have more).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { answerTo, ask, type Reply } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { anySchema, widgetDefinition, widgets, widgetVersion } from '../widget.fixture.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const deployments = '/apis/apps/v1/namespaces/default/deployments'
const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles'
const merge = { type: 'application/merge-patch+json' }
const applyPatch = { type: 'application/apply-patch+yaml' }
const deletionTimestamp = '2020-01-01T00:00:00Z'

function world(): ApiServer {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
  const version = widgetVersion(anySchema, { subresources: { status: {}, scale } })
  return createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', objects: [widgetDefinition([version])] })
}

const template = { metadata: { labels: { app: 'w' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { app: 'w' } }, template } }
const scaleOf = (name: string, spec: object = {}): object => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name },
  spec,
})

test('a patch that leaves the scale of a custom resource without replicas is refused, one that says null makes them none', async () => {
  const server = world()
  await ask(server, 'POST', widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: {} })
  const path = `${widgets}/w/scale`
  const left = await ask(server, 'PATCH', path, { metadata: { labels: { a: 'b' } } }, merge)
  assert.deepEqual([left.status, left.body.message], [400, 'the spec replicas field ".spec.replicas" cannot be empty'])
  assert.equal((await ask(server, 'PATCH', path, { spec: { replicas: null } }, merge)).status, 200)
  assert.equal((await answerTo(server, 'GET', `${widgets}/w`)).spec.replicas, 0)
  await server.close()
})

test('the scale of a custom resource can be applied only as it is', async () => {
  const server = world()
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { replicas: 2 } }
  await ask(server, 'POST', widgets, widget)
  const send = (replicas: number): Promise<Reply> =>
    ask(server, 'PATCH', `${widgets}/w/scale?fieldManager=m&force=true`, scaleOf('w', { replicas }), applyPatch)
  assert.equal((await send(2)).status, 200)
  assert.match((await send(3)).body.message, /request to convert CR to an invalid group\/version: autoscaling\/v1$/)
  assert.equal((await answerTo(server, 'GET', `${widgets}/w`)).spec.replicas, 2)
  await server.close()
})

test('a scale to what is there already changes nothing', async () => {
  const server = world()
  await ask(server, 'POST', deployments, deployment)
  const twice = { spec: { replicas: 2 } }
  await ask(server, 'PATCH', `${deployments}/d/scale?fieldManager=a`, twice, merge)
  const { revision } = server
  assert.equal((await ask(server, 'PATCH', `${deployments}/d/scale?fieldManager=a`, twice, merge)).status, 200)
  assert.equal(server.revision, revision)
  await server.close()
})

test('an apply may create an object on its way out, which the next write takes away; a POST may not', async () => {
  const server = world()
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', deletionTimestamp, resourceVersion: '5' } }
  const born = await ask(server, 'PATCH', `${configMaps}/a?fieldManager=m`, object, applyPatch)
  assert.deepEqual([born.status, born.body.metadata.deletionTimestamp], [201, deletionTimestamp])
  assert.equal((await ask(server, 'PATCH', `${configMaps}/a`, { data: { b: '1' } }, merge)).status, 200)
  assert.equal((await ask(server, 'GET', `${configMaps}/a`)).status, 404)
  const posted = await answerTo(server, 'POST', configMaps, { metadata: { name: 'b', deletionTimestamp } })
  assert.equal(posted.metadata.deletionTimestamp, undefined)
  await server.close()
})

test('times of deletion are nobody’s to write on an object that lives', async () => {
  const server = world()
  await ask(server, 'POST', configMaps, { metadata: { name: 'a' } })
  for (const [field, value] of [
    ['deletionTimestamp', deletionTimestamp],
    ['deletionGracePeriodSeconds', 3],
  ] as const) {
    const { body } = await ask(server, 'PATCH', `${configMaps}/a`, { metadata: { [field]: value } }, merge)
    assert.deepEqual([body.code, body.details.causes[0]?.field], [422, `metadata.${field}`])
    assert.match(body.message, /field is immutable$/)
  }
  await server.close()
})

test('an empty list of managed fields leaves a built-in object without owners, and a custom one with them', async () => {
  const server = world()
  await ask(server, 'POST', configMaps, { metadata: { name: 'a' }, data: { a: '1' } })
  await ask(server, 'POST', widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { a: 1 } })
  const cleared = { metadata: { managedFields: [] } }
  assert.equal((await answerTo(server, 'PATCH', `${configMaps}/a`, cleared, merge)).metadata.managedFields, undefined)
  assert.equal((await answerTo(server, 'PATCH', `${widgets}/w`, cleared, merge)).metadata.managedFields.length, 1)
  await server.close()
})

test('a write of status takes the metadata of a built-in kind along, but for what the kind keeps', async () => {
  const server = world()
  await ask(server, 'POST', deployments, deployment)
  await ask(server, 'POST', widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: {} })
  const metadata = { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['x.y/z'] }
  const taken = (await answerTo(server, 'PATCH', `${deployments}/d/status`, { metadata }, merge)).metadata
  assert.deepEqual([taken.labels, taken.annotations, taken.finalizers], [undefined, { c: 'd' }, ['x.y/z']])
  const custom = (await answerTo(server, 'PATCH', `${widgets}/w/status`, { metadata }, merge)).metadata
  assert.deepEqual([custom.labels, custom.annotations, custom.finalizers], [undefined, undefined, undefined])
  const bad = await ask(server, 'PATCH', `${deployments}/d/status`, { metadata: { annotations: { 'bad key!': '' } } }, merge)
  assert.equal(bad.status, 422)
  await server.close()
})

test('a uid that is not there is told with the key in the store, of a dry run without its first part', async () => {
  const server = world()
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'a', uid: 'x' }, rules: [] }
  for (const [query, key] of [
    ['', '/registry/roles/default/a'],
    ['?dryRun=All', '/roles/default/a'],
  ] as const)
    assert.match((await answerTo(server, 'PUT', `${roles}/a${query}`, role)).message, new RegExp(`Key: ${key}, `))
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a', uid: 'x' }, spec: { ports: [{ port: 80 }] } }
  const refused = await answerTo(server, 'PUT', '/api/v1/namespaces/default/services/a', service)
  assert.match(refused.message, /Key: \/registry\/services\/specs\/default\/a, /)
  await server.close()
})

test('unknown fields of a patch are told in the order of their names', async () => {
  const server = world()
  await ask(server, 'POST', deployments, deployment)
  const patch = { spec: { zzz: 1, aaa: 1 }, nonsense: 1, metadata: { zz: 1 } }
  const { headers } = await ask(server, 'PATCH', `${deployments}/d`, patch, merge)
  const told = ['metadata.zz', 'nonsense', 'spec.aaa', 'spec.zzz'].map(path => `299 - "unknown field \\"${path}\\""`)
  assert.deepEqual(headers.warning, told)
  await server.close()
})

test('the image of a pod is looked at twice when it is updated', async () => {
  const server = world()
  const pods = '/api/v1/namespaces/default/pods'
  const pod = (image: string): object => ({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image }] } })
  await ask(server, 'POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } })
  assert.equal((await ask(server, 'POST', pods, pod('i:1'))).status, 201)
  const { details } = await answerTo(server, 'PATCH', `${pods}/p`, pod(' i '), { type: 'application/strategic-merge-patch+json' })
  assert.deepEqual(
    details.causes.map(cause => cause.field),
    ['spec.containers[0].image', 'spec.containers[0].image'],
  )
  await server.close()
})

test('from 1.33 on who uses Endpoints is told that they are out of date', async () => {
  for (const [emulate, told] of [
    ['1.32', undefined],
    ['1.33', ['299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"']],
  ] as const) {
    const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', emulate })
    assert.deepEqual((await ask(server, 'GET', '/api/v1/namespaces/default/endpoints')).headers.warning, told)
    await server.close()
  }
})

const jobs = '/apis/batch/v1/namespaces/default/jobs'
const jobSpec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } }

test('a job in the usual form finds its pods by its own uid', async () => {
  const server = world()
  const { status, body } = await ask(server, 'POST', jobs, { metadata: { name: 'j' }, spec: jobSpec })
  assert.equal(status, 201, body.message)
  const { uid } = body.metadata
  assert.deepEqual(body.spec.selector, { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } })
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': 'j',
    'controller-uid': uid,
    'job-name': 'j',
  }
  assert.deepEqual((body.spec.template as { metadata: { labels: object } }).metadata.labels, labels)
  assert.deepEqual(body.metadata.labels, labels)
  await server.close()
})

test('a job that chooses its selector itself must have one', async () => {
  const server = world()
  const chosen = await ask(server, 'POST', jobs, { metadata: { name: 'j' }, spec: { ...jobSpec, manualSelector: true } })
  assert.equal(chosen.status, 422)
  assert.match(chosen.body.message, /spec\.selector: Required value/)
  await server.close()
})

test('a job that is deleted leaves its pods alone unless it is told otherwise, with a warning', async () => {
  const server = world()
  await ask(server, 'POST', jobs, { metadata: { name: 'j' }, spec: jobSpec })
  const deleted = await ask(server, 'DELETE', `${jobs}/j`)
  assert.match(String(deleted.headers.warning), /child pods are preserved by default/)
  assert.deepEqual(deleted.body.metadata.finalizers, ['orphan'])
  await ask(server, 'POST', jobs, { metadata: { name: 'k' }, spec: jobSpec })
  const background = await ask(server, 'DELETE', `${jobs}/k?propagationPolicy=Background`)
  assert.deepEqual([background.headers.warning, background.body.kind], [undefined, 'Status'])
  await server.close()
})

for (const [force, status] of Object.entries({ True: 200, TRUE: 200, yes: 200, '': 200, 1: 200, False: 409, FALSE: 409, 0: 409 }))
  test(`an apply with force=${force} ${status === 200 ? 'takes over' : 'is a conflict'}`, async () => {
    const server = world()
    const apply = (manager: string, value: string, more = ''): Promise<Reply> => {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'f' }, data: { a: value } }
      return ask(server, 'PATCH', `${configMaps}/f?fieldManager=${manager}${more}`, body, applyPatch)
    }
    await apply('a', '1')
    assert.equal((await apply('b', '2', `&force=${force}`)).status, status)
    await server.close()
  })

test('a new deployment stays at its first generation when its revision is written', async () => {
  const server = createApiServer({ seed: 1 })
  await ask(server, 'POST', deployments, deployment)
  await server.settle()
  const { metadata } = await answerTo(server, 'GET', `${deployments}/d`)
  assert.deepEqual([metadata.generation, metadata.annotations['deployment.kubernetes.io/revision']], [1, '1'])
  await server.close()
})

test('the version is one that programs of the first mended release accept', async () => {
  const server = createApiServer({ seed: 1, emulate: '1.34', controllers: 'none' })
  const { body } = await ask<{ readonly gitVersion: string }>(server, 'GET', '/version')
  assert.equal(body.gitVersion, 'v1.34.4+embedded')
  await server.close()
})

test('an update of a custom resource says of which version it is, and one of a ConfigMap need not', async () => {
  const server = world()
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } }
  await ask(server, 'POST', widgets, widget)
  await ask(server, 'POST', configMaps, { metadata: { name: 'c' } })
  for (const resourceVersion of [undefined, '', '0']) {
    const update = { ...widget, metadata: { name: 'w', resourceVersion } }
    const { status, body } = await ask(server, 'PUT', `${widgets}/w`, update)
    assert.deepEqual(
      [status, body.message],
      [422, 'widgets.example.com "w" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update'],
    )
    const kept = await ask(server, 'PUT', `${configMaps}/c`, { metadata: { name: 'c', resourceVersion }, data: { a: 'b' } })
    assert.equal(kept.status, 200)
  }
  const at = async (resourceVersion: string): Promise<unknown> => {
    const { status, body } = await ask(server, 'PUT', `${widgets}/w`, { ...widget, metadata: { name: 'w', resourceVersion } })
    return status === 500 ? body.message : status
  }
  const { metadata } = await answerTo(server, 'GET', `${widgets}/w`)
  assert.equal(await at(`00${metadata.resourceVersion}`), 200)
  assert.deepEqual(await Promise.all(['1', '18446744073709551615'].map(at)), [409, 409])
  assert.equal(await at('x"'), 'strconv.ParseUint: parsing "x\\"": invalid syntax')
  for (const far of ['18446744073709551616', '9'.repeat(21), '9'.repeat(1_000_000)])
    assert.equal(await at(far), `strconv.ParseUint: parsing "${far}": value out of range`)
  await server.close()
})

const queries: readonly (readonly [method: string, target: string, status: number, message?: string])[] = [
  ['DELETE', `${configMaps}/a?dryRun=All&uid=x`, 409, 'the UID in the precondition (x) does not match the UID in record'],
  ['DELETE', `${configMaps}/a?dryRun=All&resourceVersion=x`, 409, 'the ResourceVersion in the precondition (x) does not match'],
  ['DELETE', `${configMaps}/a?dryRun=All&uid=&resourceVersion=`, 200],
  ['DELETE', `${configMaps}?dryRun=All&uid=x`, 409, 'the UID in the precondition (x) does not match the UID in record'],
  [
    'DELETE',
    `${configMaps}/a?dryRun=All&gracePeriodSeconds=99999999999999999999`,
    400,
    'strconv.ParseInt: parsing "99999999999999999999": value out of range',
  ],
  ['DELETE', `${configMaps}/a?dryRun=All&gracePeriodSeconds=x`, 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ['GET', `${configMaps}/a?export=`, 400, 'the export parameter, deprecated since v1.14, is no longer supported'],
  ['GET', `${configMaps}/a?export=false`, 200],
  ['GET', `${configMaps}?export=true`, 200],
  ['GET', `${configMaps}?sendInitialEvents=`, 422, 'sendInitialEvents is forbidden for list'],
  ['GET', `${configMaps}?timeout=1d`, 400, 'time: unknown unit "d" in duration "1d"'],
  ['GET', `${configMaps}?timeout=1.5h`, 200],
  ['GET', `${configMaps}?limit=%00`, 400, 'strconv.ParseInt: parsing "\\x00": invalid syntax'],
  [
    'GET',
    `${configMaps}?resourceVersion=99999999999999999999`,
    400,
    'strconv.ParseUint: parsing "99999999999999999999": value out of range',
  ],
]

for (const [method, target, status, message = ''] of queries)
  test(`${method} ${target.slice(configMaps.length)} is answered with ${status}`, async () => {
    const server = world()
    await ask(server, 'POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })
    const reply = await ask(server, method, target)
    assert.equal(reply.status, status)
    assert.ok(message === '' || reply.body.message.includes(message), reply.body.message)
    await server.close()
  })

test('what only stands in a path may have any name that can stand there, and limits need none', async () => {
  const server = world()
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
  const budget = (name: string): Promise<Reply> => ask(server, 'POST', budgets, { metadata: { name }, spec: {} })
  assert.equal((await budget('A b!')).status, 201)
  assert.equal(
    (await budget('../a')).body.message,
    'PodDisruptionBudget.policy "../a" is invalid: metadata.name: Invalid value: "../a": may not contain \'/\'',
  )
  const events = '/api/v1/namespaces/default/events'
  assert.equal(
    (await ask(server, 'POST', events, { metadata: { name: 'A b!' }, involvedObject: { namespace: 'default' } })).status,
    201,
  )
  const limits = await ask(server, 'POST', '/api/v1/namespaces/default/limitranges', { spec: { limits: [] } })
  assert.match(limits.body.metadata.name, /^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  await server.close()
})

test('what a name is to begin with may end with one dash, or go on in a path', async () => {
  const server = world()
  const told = async (path: string, generateName: string): Promise<string> => {
    const { body } = await ask(server, 'POST', path, { metadata: { generateName }, spec: {} })
    return body.message?.match(/metadata\.generateName: Invalid value: "[^"]*"/)?.[0] ?? ''
  }
  const limits = '/api/v1/namespaces/default/limitranges'
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
  assert.equal(await told(limits, 'a-'), '')
  assert.equal(await told(limits, 'a--'), '')
  assert.equal(await told(limits, 'a.'), 'metadata.generateName: Invalid value: "a."')
  assert.equal(await told(limits, '.'), 'metadata.generateName: Invalid value: "."')
  assert.equal(await told(budgets, '.'), '')
  assert.equal(await told(budgets, 'a/-'), 'metadata.generateName: Invalid value: "a/-"')
  await server.close()
})

test('an APIService without a server of its own is there at once', async () => {
  const server = world()
  const spec = { group: 'a.b', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 }
  const send = (more: object, version: string): Promise<Reply> =>
    ask(server, 'POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: `${version}.a.b` },
      spec: { ...spec, version, ...more },
    })
  const { conditions } = (await send({}, 'v1')).body.status
  assert.deepEqual(
    conditions.map(({ type, status, message }) => [type, status, message]),
    [['Available', 'True', 'Local APIServices are always available']],
  )
  assert.deepEqual((await send({ service: { namespace: 'n', name: 's' } }, 'v2')).body.status, {})
  await server.close()
})

for (const [what, query, selfLink] of [
  ['a dry run of an update shows the link that was sent', '?dryRun=All', 'x'],
  ['no link to itself is stored', '', undefined],
] as const)
  test(what, async () => {
    const server = world()
    await ask(server, 'POST', configMaps, { metadata: { name: 'c', selfLink: 'y' } })
    const { metadata } = await answerTo(server, 'PATCH', `${configMaps}/c${query}`, { metadata: { selfLink: 'x' } }, merge)
    assert.equal(metadata.selfLink, selfLink)
    assert.equal((await answerTo(server, 'GET', `${configMaps}/c`)).metadata.selfLink, undefined)
    await server.close()
  })

test('a patch of more operations than may be is too large', async () => {
  const server = world()
  await ask(server, 'POST', configMaps, { metadata: { name: 'c' } })
  const operations = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/data', value: null }))
  const type = 'application/json-patch+json'
  const { status, body } = await ask(server, 'PATCH', `${configMaps}/c`, operations, { type })
  const why = 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001'
  assert.deepEqual([status, body.message], [413, why])
  assert.equal((await ask(server, 'PATCH', `${configMaps}/c`, operations.slice(1), { type })).status, 200)
  await server.close()
})

test('a JSON patch that nests past the stack is told so, wherever that is met', async () => {
  const server = world()
  await ask(server, 'POST', configMaps, { metadata: { name: 'c' }, data: { a: 'b' } })
  const type = 'application/json-patch+json'
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const set = `{"op":"add","path":"/data/z","value":${deep}}`
  // With a number of many digits the patched text is read by a slower way.
  for (const more of [
    '',
    `,{"op":"test","path":"/data/z","value":${deep}}`,
    ',{"op":"add","path":"/data/q","value":12345678901234567890}',
  ]) {
    const { status, body } = await ask(server, 'PATCH', `${configMaps}/c`, Buffer.from(`[${set}${more}]`), { type })
    assert.equal(status, 400, more)
    assert.equal(body.message, 'exceeded max depth')
  }
  await server.close()
})
