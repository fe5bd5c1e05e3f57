// Catalogue 1-29: discovery, health, OpenAPI, tables, negotiation, transport.
import assert from 'node:assert/strict'
import type { Table } from '../../../../src/apiserver/ask.fixture.ts'
import { configMap, establish, ok, refused, widget, widgetDefinition, widgets, widgetsReady } from '../fixtures.ts'
import type { Reply, Session } from '../session.ts'
import type { Case } from './case.ts'

const aggregated = (version: string): string => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const large = 'its content is the whole server'

interface Version {
  readonly major: string
  readonly minor: string
  readonly gitVersion: string
}

interface CoreVersions {
  readonly kind: string
  readonly versions: readonly string[]
  readonly serverAddressByClientCIDRs: readonly { readonly serverAddress: string }[]
}

interface Groups {
  readonly kind: string
  readonly apiVersion: string
  readonly groups: readonly { readonly name: string; readonly preferredVersion: object }[]
}

interface Resources {
  readonly resources: readonly { readonly name: string }[]
}

interface AggregatedGroups {
  readonly items: readonly {
    readonly metadata: { readonly name?: string }
    readonly versions: readonly { readonly resources: readonly AggregatedResource[] }[]
  }[]
}

interface AggregatedResource {
  readonly resource: string
  readonly scope: string
  readonly singularResource: string
  readonly subresources: readonly { readonly subresource: string }[]
}

interface OpenApiPaths {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>
}

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> }
  readonly paths: Readonly<Record<string, { readonly patch: OpenApiOperation }>>
}

interface OpenApiSchema {
  readonly 'x-kubernetes-group-version-kind'?: readonly { readonly kind: string }[]
  readonly properties: { readonly spec: { readonly properties: { readonly size: object } } }
}

interface OpenApiOperation {
  readonly parameters: readonly { readonly name: string }[]
  readonly requestBody: { readonly content: object }
}

export const cases: readonly Case[] = [
  {
    number: 1,
    title: 'GET /version works for nobody in particular and names major, minor and gitVersion',
    noVector: 'build data',
    run: async s => {
      const { status, body } = await s.get<Version>('/version', { as: 'anonymous' })
      assert.equal(status, 200)
      assert.deepEqual([body.major, body.minor], ['1', '34'])
      assert.match(body.gitVersion, /^v1\.34\./)
    },
  },
  {
    number: 2,
    title: '/api and /apis list versions and groups',
    noVector: large,
    run: async s => {
      const core = ok(await s.get<CoreVersions>('/api')).body
      assert.deepEqual([core.kind, core.versions], ['APIVersions', ['v1']])
      assert.match(core.serverAddressByClientCIDRs[0]?.serverAddress ?? '', /:\d+$/)
      const { body } = ok(await s.get<Groups>('/apis'))
      assert.deepEqual([body.kind, body.apiVersion], ['APIGroupList', 'v1'])
      const apps = body.groups.find(group => group.name === 'apps')
      assert.deepEqual(apps?.preferredVersion, { groupVersion: 'apps/v1', version: 'v1' })
    },
  },
  {
    number: 3,
    title: 'aggregated discovery echoes its content type, with a quoted ETag and Vary',
    noVector: large,
    run: async s => {
      const { status, headers, body } = await s.get('/apis', { headers: { accept: aggregated('v2') } })
      assert.equal(status, 200)
      assert.equal(headers['content-type'], aggregated('v2'))
      assert.match(String(headers['etag']), /^"[0-9A-F]{128}"$/)
      assert.match(String(headers['vary']), /Accept/)
      assert.deepEqual([body.kind, body.apiVersion], ['APIGroupDiscoveryList', 'apidiscovery.k8s.io/v2'])
    },
  },
  {
    number: 4,
    title: 'If-None-Match with the current ETag answers 304 without a body',
    noVector: 'the tag depends on the server',
    run: async s => {
      const first = await s.get('/apis', { headers: { accept: aggregated('v2') } })
      const again = await s.get('/apis', {
        headers: { accept: aggregated('v2'), 'if-none-match': String(first.headers['etag']) },
      })
      assert.deepEqual([again.status, again.body], [304, ''])
    },
  },
  {
    number: 5,
    title: 'a new CRD is in aggregated discovery, and the ETag changed',
    noVector: large,
    run: async s => {
      const before = await s.get('/apis', { headers: { accept: aggregated('v2') } })
      await establish(s, widgetDefinition(s))
      const isThere = (reply: Reply<AggregatedGroups>): boolean => reply.body.items.some(item => item.metadata.name === s.group)
      const after = await s.until('/apis', isThere, { headers: { accept: aggregated('v2') } })
      assert.notEqual(after.headers['etag'], before.headers['etag'])
      const group = after.body.items.find(item => item.metadata.name === s.group)
      const resource = group?.versions[0]?.resources[0]
      assert.deepEqual([resource?.resource, resource?.scope, resource?.singularResource], ['widgets', 'Namespaced', 'widget'])
      assert.deepEqual(resource?.subresources.map(sub => sub.subresource).sort(), ['scale', 'status'])
    },
  },
  {
    number: 6,
    title: 'v2beta1 of aggregated discovery is gone from 1.34',
    run: async s => refused(await s.get('/apis', { headers: { accept: aggregated('v2beta1') } }), 406, 'NotAcceptable'),
  },
  {
    number: 7,
    title: '/apis/apps/v1 lists deployments with status and scale, whose kind is Scale of autoscaling/v1',
    noVector: 'the embedded server serves a part of the group',
    run: async s => {
      const { body } = ok(await s.get<Resources>('/apis/apps/v1'))
      const of = (name: string): unknown => body.resources.find(resource => resource.name === name)
      assert.deepEqual(of('deployments/scale'), {
        name: 'deployments/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get', 'patch', 'update'],
      })
      assert.deepEqual(of('deployments/status'), {
        name: 'deployments/status',
        singularName: '',
        namespaced: true,
        kind: 'Deployment',
        verbs: ['get', 'patch', 'update'],
      })
      assert.ok(of('deployments'))
    },
  },
  {
    number: 8,
    title: 'an unknown group-version is a plain-text 404',
    run: async s => {
      const { status, headers, body } = await s.get('/apis/none.example/v1')
      assert.deepEqual([status, body], [404, '404 page not found\n'])
      assert.match(String(headers['content-type']), /^text\/plain/)
      assert.equal((await s.get('/nothing/here')).status, 404)
      assert.equal((await s.get(s.path('nothings'))).status, 404)
    },
  },
  {
    number: 9,
    title: 'health endpoints answer ok, verbosely, and with exclusions',
    noVector: 'the checks are the server’s own',
    run: async s => {
      assert.equal((await s.get('/healthz')).body, 'ok')
      const verbose = await s.get<string>('/livez?verbose')
      assert.match(verbose.body, /^\[\+\]ping ok\n/)
      assert.match(verbose.body, /livez check passed\n$/)
      const excluded = await s.get<string>('/readyz?verbose&exclude=ping')
      assert.match(excluded.body, /\[\+\]ping excluded: ok\n/)
      const unknown = await s.get<string>('/readyz?verbose&exclude=nonsense')
      assert.match(unknown.body, /warn: some health checks cannot be excluded: no matches for "nonsense"/)
      assert.equal((await s.get('/livez/ping')).status, 200)
    },
  },
  {
    number: 10,
    title: 'an OpenAPI document asked for by its hash may be kept for ever; a stale hash is redirected',
    noVector: large,
    run: async s => {
      const root = ok(await s.get<OpenApiPaths>('/openapi/v3')).body
      const url = root.paths['api/v1']?.serverRelativeURL ?? ''
      assert.match(url, /^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{128}$/)
      const document = ok(await s.get(url))
      assert.match(String(document.headers['cache-control']), /immutable/)
      const stale = await s.get(url.replace(/hash=.*/, `hash=${'0'.repeat(128)}`))
      assert.equal(stale.status, 301)
      assert.equal(stale.headers['location'], url)
    },
  },
  {
    number: 11,
    title: 'the OpenAPI document of a new CRD names its fields and types',
    noVector: large,
    run: async s => {
      await widgetsReady(s)
      const path = `apis/${s.widgetGroup}/v1`
      const root = await s.until<OpenApiPaths>('/openapi/v3', reply => reply.body.paths[path] !== undefined)
      const { body } = ok(await s.get<OpenApi>(root.body.paths[path]?.serverRelativeURL ?? ''))
      const schema = Object.values(body.components.schemas).find(of =>
        of['x-kubernetes-group-version-kind']?.some(({ kind }) => kind === 'Widget'),
      )
      assert.ok(schema)
      const { spec } = schema.properties
      assert.deepEqual(spec.properties.size, { type: 'integer', minimum: 1, maximum: 10 })
    },
  },
  {
    number: 12,
    title: 'the PATCH of a built-in offers strategic merge and fieldValidation; that of a custom resource no strategic merge',
    noVector: large,
    run: async s => {
      await widgetsReady(s)
      const path = `apis/${s.widgetGroup}/v1`
      const root = await s.until<OpenApiPaths>('/openapi/v3', reply => reply.body.paths[path] !== undefined)
      const patchOf = async (document: string, at: string): Promise<{ parameters: string[]; types: string[] }> => {
        const { body } = ok(await s.get<OpenApi>(root.body.paths[document]?.serverRelativeURL ?? ''))
        const operation = body.paths[at]?.patch
        assert.ok(operation)
        const parameters = operation.parameters.map(parameter => parameter.name)
        return { parameters, types: Object.keys(operation.requestBody.content).sort() }
      }
      const builtIn = await patchOf('api/v1', '/api/v1/namespaces/{namespace}/configmaps/{name}')
      assert.ok(builtIn.parameters.includes('fieldValidation'))
      assert.ok(builtIn.types.includes('application/strategic-merge-patch+json'))
      const custom = await patchOf(path, `/apis/${s.widgetGroup}/v1/namespaces/{namespace}/widgets/{name}`)
      assert.ok(custom.parameters.includes('fieldValidation'))
      assert.ok(!custom.types.includes('application/strategic-merge-patch+json'), custom.types.join())
    },
  },
  {
    number: 13,
    title: 'a list of ConfigMaps as a table has Name, Data and Age, and partial metadata in its rows',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      const { body, headers } = ok(await s.get<Table>(s.path('configmaps'), { headers: { accept: table } }))
      assert.equal(headers['content-type'], 'application/json')
      assert.deepEqual(columns(body), ['Name', 'Data', 'Age'])
      assert.deepEqual(body.rows[0]?.cells.slice(0, 2), ['a', 1])
      assert.deepEqual([body.rows[0]?.object.kind, body.rows[0]?.object.apiVersion], ['PartialObjectMetadata', 'meta.k8s.io/v1'])
    },
  },
  {
    number: 14,
    title: 'includeObject chooses what rows carry',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      const ask = (what: string) => s.get<Table>(`${s.path('configmaps')}?includeObject=${what}`, { headers: { accept: table } })
      assert.deepEqual(ok(await ask('Object')).body.rows[0]?.object.data, { a: '1' })
      assert.equal(ok(await ask('None')).body.rows[0]?.object, null)
      assert.equal((await ask('bogus')).status, 400)
    },
  },
  {
    number: 15,
    title: 'printer columns of a custom resource become typed cells, null where nothing is',
    run: async s => {
      await establish(s, widgetDefinition(s, { additionalPrinterColumns: printerColumns }))
      ok(await s.post(widgets(s), widget(s, 'a', { size: 3, any: { when: '2020-01-01T00:00:00Z', list: [1, 2] } })), 201)
      const { body } = ok(await s.get<Table>(widgets(s), { headers: { accept: table } }))
      assert.deepEqual(columns(body), ['Name', 'Color', 'Size', 'Born', 'Missing', 'List'])
      const [name, color, size, born, missing] = body.rows[0]?.cells ?? []
      assert.deepEqual([name, color, size, missing], ['a', 'red', 3, null])
      assert.match(String(born), /^\d+y(\d+d)?$/)
    },
  },
  {
    number: 16,
    title: 'a CRD as a table has Name and Created At',
    noVector: 'other definitions of the run may be listed',
    run: async s => {
      await widgetsReady(s)
      const { body } = ok(
        await s.get<Table>(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${s.widgetGroup}`, {
          headers: { accept: table },
        }),
      )
      assert.deepEqual(columns(body), ['Name', 'Created At'])
      assert.match(String(body.rows[0]?.cells[1]), /^\d{4}-\d\d-\d\dT/)
    },
  },
  {
    number: 17,
    title: 'protobuf alone in Accept is not acceptable for a custom resource',
    run: async s => {
      await widgetsReady(s)
      assert.equal((await s.get(widgets(s), { headers: { accept: 'application/vnd.kubernetes.protobuf' } })).status, 406)
    },
  },
  {
    number: 18,
    title: 'for protobuf, then JSON, a custom resource answers JSON',
    run: async s => {
      await widgetsReady(s)
      const { headers, body } = ok(
        await s.get(widgets(s), { headers: { accept: 'application/vnd.kubernetes.protobuf,application/json' } }),
      )
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(body.kind, 'WidgetList')
    },
  },
  {
    number: 19,
    title: 'a ConfigMap in protobuf is stored whole',
    run: async s => {
      const { status, body } = await s.send('POST', s.path('configmaps'), { raw: protobufConfigMap('p'), ...protobufAsk })
      assert.equal(status, 201, JSON.stringify(body))
      assert.deepEqual(ok(await s.get(s.path('configmaps', 'p'))).body.data, { key: 'välue' })
    },
  },
  {
    number: 20,
    title: 'replicas 0 in protobuf stays 0 and is not defaulted to 1',
    run: async s => {
      const raw = envelope('apps/v1', 'Deployment', protobufDeployment('zero'))
      const { status, body } = await s.send('POST', s.path('deployments.apps/v1'), { raw, ...protobufAsk })
      assert.equal(status, 201, JSON.stringify(body))
      assert.equal(body.spec.replicas, 0)
    },
  },
  {
    number: 21,
    title: 'a custom resource in protobuf is refused with 415',
    embeddedOnly: 'kube-apiserver 1.34.4 panics on it (nil pointer in the request decoder) and drops the connection',
    run: async s => {
      await widgetsReady(s)
      const ask = { raw: protobufConfigMap('p'), type: 'application/vnd.kubernetes.protobuf' }
      refused(await s.send('POST', widgets(s), ask), 415, 'UnsupportedMediaType')
    },
  },
  {
    number: 22,
    title: 'a body of type text/plain is refused with the accepted types',
    run: async s => {
      const reply = await s.post(s.path('configmaps'), configMap('a'), { type: 'text/plain' })
      refused(
        reply,
        415,
        'UnsupportedMediaType',
        /^the body of the request was in an unknown format - accepted media types include: .*json/,
      )
    },
  },
  {
    number: 23,
    title: 'a ConfigMap in YAML is created',
    run: async s => {
      const raw = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml-one\ndata:\n  a: "1"\n'
      const { status, body } = await s.send('POST', s.path('configmaps'), { raw, type: 'application/yaml' })
      assert.deepEqual([status, body.data], [201, { a: '1' }])
    },
  },
  {
    number: 24,
    title: 'a body of 3 MiB and one byte is too large',
    noVector: 'its size',
    run: async s => {
      const raw = JSON.stringify(configMap('big', { a: 'x'.repeat(3 * 1024 * 1024) }))
      refused(
        await s.send('POST', s.path('configmaps'), { raw: raw.slice(0, 3 * 1024 * 1024 + 1) }),
        413,
        'RequestEntityTooLarge',
      )
    },
  },
  {
    number: 25,
    title: 'a malformed timeout is refused',
    run: async s => {
      refused(
        await s.get(`${s.path('configmaps')}?timeout=abc`),
        400,
        'BadRequest',
        /invalid timeout specified in the request URL/,
      )
    },
  },
  {
    number: 26,
    title: 'the Audit-Id of the request comes back, or a new one',
    run: async s => {
      assert.equal((await s.get('/version', { headers: { 'audit-id': 'x' } })).headers['audit-id'], 'x')
      assert.match(String((await s.get('/api')).headers['audit-id']), /^[0-9a-f-]{36}$/)
    },
  },
  {
    number: 27,
    title: 'PUT on a collection is not allowed',
    run: async s => {
      const reply = await s.put(s.path('configmaps'), configMap('a'))
      refused(reply, 405, 'MethodNotAllowed')
    },
  },
  {
    number: 28,
    title: 'pretty=true indents',
    noVector: 'form, not content',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('a')), 201)
      const exchange = await s.target.anonymous({
        method: 'GET',
        target: `${s.path('configmaps', 'a')}?pretty=true`,
        headers: { authorization: `Bearer ${s.target.adminToken}` },
        body: null,
      })
      assert.match(await bytes(exchange.body).then(all => all.toString()), /^\{\n {2,4}"/)
    },
  },
  {
    number: 29,
    title: 'a list over 128 KiB is compressed for who accepts it',
    noVector: 'its size',
    run: async s => {
      ok(await s.post(s.path('configmaps'), configMap('big', { a: 'x'.repeat(140_000) })), 201)
      const response = await s.target.anonymous({
        method: 'GET',
        target: s.path('configmaps'),
        headers: { authorization: `Bearer ${s.target.adminToken}`, 'accept-encoding': 'gzip' },
        body: null,
      })
      assert.equal(response.headers['content-encoding'], 'gzip')
      assert.ok((await bytes(response.body)).byteLength < 20_000)
    },
  },
]

const printerColumns = [
  { name: 'Color', type: 'string', jsonPath: '.spec.color' },
  { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
  { name: 'Born', type: 'date', jsonPath: '.spec.any.when' },
  { name: 'Missing', type: 'string', jsonPath: '.spec.nested.x' },
  { name: 'List', type: 'string', jsonPath: '.spec.any.list', priority: 1 },
]

const protobufAsk = {
  type: 'application/vnd.kubernetes.protobuf',
  headers: { accept: 'application/json' },
}

function columns(body: Table): string[] {
  return body.columnDefinitions.map(column => column.name)
}

async function bytes(body: Awaited<ReturnType<Session['target']['anonymous']>>['body']): Promise<Buffer> {
  if (body === null) return Buffer.alloc(0)
  if (body instanceof Uint8Array) return Buffer.from(body)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

// ---- protobuf by hand: a field is tag, length, bytes

function field(number: number, content: string | Uint8Array | number): Buffer {
  if (typeof content === 'number') return Buffer.concat([varint(number << 3), varint(content)])
  const inner = Buffer.from(content as string)
  return Buffer.concat([varint((number << 3) | 2), varint(inner.byteLength), inner])
}

function varint(value: number): Buffer {
  const out: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...out, rest])
    out.push((rest & 0x7f) | 0x80)
  }
}

const message = (...fields: readonly Buffer[]): Buffer => Buffer.concat(fields)

function envelope(apiVersion: string, kind: string, raw: Buffer): Buffer {
  return message(
    Buffer.from('k8s\0'),
    field(1, message(field(1, apiVersion), field(2, kind))),
    field(2, raw),
    field(3, ''),
    field(4, ''),
  )
}

function protobufConfigMap(name: string): Buffer {
  const entry = message(field(1, 'key'), field(2, 'välue'))
  return envelope('v1', 'ConfigMap', message(field(1, field(1, name)), field(2, entry)))
}

function protobufDeployment(name: string): Buffer {
  const labels = message(field(1, 'app'), field(2, name))
  const container = message(field(1, 'main'), field(2, 'example.com/app:1'))
  const template = message(field(1, field(11, labels)), field(2, field(2, container)))
  const spec = message(field(1, 0), field(2, field(1, labels)), field(3, template))
  return message(field(1, field(1, name)), field(2, spec))
}
