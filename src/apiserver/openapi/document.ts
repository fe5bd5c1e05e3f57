// One OpenAPI v3 document per served group-version: the schemas of its kinds with everything they refer to, and the operations with
// the parameters and media types that kubectl looks for. Texts of built-in kinds are our own (texts-of-kinds.ts), everything else is as a real server has it.

import { given } from '#base'
import { openApiSchemas, refPrefix, schemaNameOf } from '#schema'
import { patchTypes } from '../http/patch-types.ts'
import type { RegisteredResource, ServedKind, Subresource } from '../registry/resource.ts'
import { described } from './described.ts'

type Node = Readonly<Record<string, unknown>>

const metaPrefix = 'io.k8s.apimachinery.pkg.apis.meta.v1'

export function openApiDocument(kinds: readonly ServedKind[], version: string): Node {
  const schemas = schemasOf(kinds)
  const paths: Record<string, unknown> = {}
  for (const kind of kinds) Object.assign(paths, pathsOf(kind))
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: `v${version}.0` },
    paths,
    components: { schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) },
  }
}

/** The schemas of the kinds and all schemas that they refer to, by name. */
export function schemasOf(kinds: readonly ServedKind[]): ReadonlyMap<string, unknown> {
  const schemas = new Map<string, unknown>()
  for (const kind of kinds) addSchemas(kind, schemas)
  for (const name of ['DeleteOptions', 'Status', 'WatchEvent']) addBuiltin(`${metaPrefix}.${name}`, schemas)
  return schemas
}

function addSchemas(kind: ServedKind, schemas: Map<string, unknown>): void {
  const { resource } = kind
  if (resource.custom !== undefined) {
    addCustom(kind, schemas)
    return
  }
  const name = schemaNameOf(resource.group, kind.version, resource.kind)
  if (name === undefined) return
  addBuiltin(name, schemas)
  addBuiltin(`${name}List`, schemas)
  for (const subresource of kind.subresources) {
    const own = schemaNameOf(subresource.group ?? resource.group, subresource.version ?? kind.version, subresource.kind)
    if (own !== undefined) addBuiltin(own, schemas)
  }
}

/** The schema and all that it refers to. */
function addBuiltin(name: string, schemas: Map<string, unknown>): void {
  const schema = openApiSchemas[name]
  if (schema === undefined || schemas.has(name)) return
  schemas.set(name, described(name, { ...schema }))
  for (const [, target] of JSON.stringify(schema).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g))
    addBuiltin(target as string, schemas)
}

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md'

/** What the server itself says of the three fields that every custom kind has: `kubectl explain` shows it. */
const textOf = {
  apiVersion: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
  kind: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
  metadata: `Standard object's metadata. More info: ${conventions}#metadata`,
}

function addCustom(kind: ServedKind, schemas: Map<string, unknown>): void {
  const { resource, openApi = {} } = kind
  const name = customName(kind)
  const gvk = { group: resource.group, kind: resource.kind, version: kind.version }
  const properties = {
    ...(openApi.properties as object | undefined),
    apiVersion: { type: 'string', description: textOf.apiVersion },
    kind: { type: 'string', description: textOf.kind },
    metadata: { allOf: [{ $ref: `${refPrefix}${metaPrefix}.ObjectMeta` }], description: textOf.metadata },
  }
  const selectable =
    kind.selectableFields.length === 0
      ? {}
      : { 'x-kubernetes-selectable-fields': kind.selectableFields.map(fieldPath => ({ fieldPath })) }
  schemas.set(name, { ...openApi, properties, 'x-kubernetes-group-version-kind': [gvk], ...selectable })
  schemas.set(`${name}List`, {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { allOf: [{ $ref: `${refPrefix}${metaPrefix}.ListMeta` }] },
      items: { type: 'array', items: { $ref: `${refPrefix}${name}` } },
    },
    'x-kubernetes-group-version-kind': [{ ...gvk, kind: resource.listKind }],
  })
  addBuiltin(`${metaPrefix}.ObjectMeta`, schemas)
  addBuiltin(`${metaPrefix}.ListMeta`, schemas)
}

function customName({ resource, version }: ServedKind): string {
  return `${resource.group.split('.').reverse().join('.')}.${version}.${resource.kind}`
}

function nameOf(kind: ServedKind): string {
  const { resource } = kind
  return resource.custom === undefined ? (schemaNameOf(resource.group, kind.version, resource.kind) ?? '') : customName(kind)
}

interface Gvk {
  readonly group: string
  readonly version: string
  readonly kind: string
}

function pathsOf(kind: ServedKind): Record<string, unknown> {
  const { resource } = kind
  const root = resource.group === '' ? `/api/${kind.version}` : `/apis/${resource.group}/${kind.version}`
  const scope = resource.namespaced ? '/namespaces/{namespace}' : ''
  const gvk: Gvk = { group: resource.group, kind: resource.kind, version: kind.version }
  const item = `${root}${scope}/${resource.plural}/{name}`
  const paths: Record<string, unknown> = {}
  const collection = collectionOperations(kind, gvk)
  if (Object.keys(collection).length > 0)
    paths[`${root}${scope}/${resource.plural}`] = withPathParameters(resource, false, collection)
  if (resource.namespaced && resource.verbs.includes('list')) {
    paths[`${root}/${resource.plural}`] = { get: operation('list', gvk, `${nameOf(kind)}List`, { query: listParameters }) }
  }
  const single = itemOperations(kind, gvk, nameOf(kind), resource.verbs)
  if (Object.keys(single).length > 0) paths[item] = withPathParameters(resource, true, single)
  for (const subresource of kind.subresources) {
    paths[`${item}/${subresource.name}`] = withPathParameters(resource, true, subresourceOperations(kind, subresource))
  }
  return paths
}

function collectionOperations(kind: ServedKind, gvk: Gvk): Record<string, unknown> {
  const { verbs } = kind.resource
  const name = nameOf(kind)
  return {
    ...(verbs.includes('list') ? { get: operation('list', gvk, `${name}List`, { query: listParameters }) } : {}),
    ...(verbs.includes('create') ? { post: operation('post', gvk, name, { query: writeParameters, body: bodyOf(name) }) } : {}),
    ...(verbs.includes('deletecollection')
      ? {
          delete: operation('deletecollection', gvk, `${metaPrefix}.Status`, { query: [...listParameters, ...deleteParameters] }),
        }
      : {}),
  }
}

function itemOperations(kind: ServedKind, gvk: Gvk, name: string, verbs: readonly string[]): Record<string, unknown> {
  return {
    ...(verbs.includes('get') ? { get: operation('get', gvk, name, { query: [] }) } : {}),
    ...(verbs.includes('update') ? { put: operation('put', gvk, name, { query: writeParameters, body: bodyOf(name) }) } : {}),
    ...(verbs.includes('patch')
      ? {
          patch: operation('patch', gvk, name, { query: [...writeParameters, booleanParameter('force')], body: patchBody(kind) }),
        }
      : {}),
    ...(verbs.includes('delete')
      ? { delete: operation('delete', gvk, `${metaPrefix}.Status`, { query: deleteParameters }) }
      : {}),
  }
}

function subresourceOperations(kind: ServedKind, subresource: Subresource): Record<string, unknown> {
  const { resource } = kind
  const gvk: Gvk = {
    group: subresource.group ?? resource.group,
    kind: subresource.kind,
    version: subresource.version ?? kind.version,
  }
  const name = subresource.version === undefined ? nameOf(kind) : (schemaNameOf(gvk.group, gvk.version, gvk.kind) ?? nameOf(kind))
  if (subresource.verbs.includes('create'))
    return { post: operation('post', gvk, name, { query: writeParameters, body: bodyOf(name) }) }
  return itemOperations(kind, gvk, name, subresource.verbs)
}

function operation(action: string, gvk: Gvk, answer: string, more: { query: readonly Node[]; body?: Node }): Node {
  const content = { 'application/json': { schema: { $ref: `${refPrefix}${answer}` } } }
  return {
    operationId: `${action}${gvk.group.replaceAll('.', '')}${gvk.version}${gvk.kind}`,
    ...(more.query.length === 0 ? {} : { parameters: more.query }),
    ...given({ requestBody: more.body }),
    responses: { '200': { description: 'OK', content }, '401': { description: 'Unauthorized' } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
  }
}

function bodyOf(name: string): Node {
  return { content: { '*/*': { schema: { $ref: `${refPrefix}${name}` } } }, required: true }
}

function patchBody(kind: ServedKind): Node {
  const schema = { type: 'object' }
  return { content: Object.fromEntries(patchTypes(kind).map(type => [type, { schema }])), required: true }
}

const stringParameter = (name: string): Node => ({ name, in: 'query', schema: { type: 'string', uniqueItems: true } })
const booleanParameter = (name: string): Node => ({ name, in: 'query', schema: { type: 'boolean', uniqueItems: true } })
const integerParameter = (name: string): Node => ({ name, in: 'query', schema: { type: 'integer', uniqueItems: true } })

const writeParameters: readonly Node[] = ['dryRun', 'fieldManager', 'fieldValidation'].map(stringParameter)
const deleteParameters: readonly Node[] = [
  stringParameter('dryRun'),
  integerParameter('gracePeriodSeconds'),
  booleanParameter('orphanDependents'),
  stringParameter('propagationPolicy'),
]
const listParameters: readonly Node[] = [
  booleanParameter('allowWatchBookmarks'),
  ...['continue', 'fieldSelector', 'labelSelector'].map(stringParameter),
  integerParameter('limit'),
  ...['resourceVersion', 'resourceVersionMatch'].map(stringParameter),
  booleanParameter('sendInitialEvents'),
  integerParameter('timeoutSeconds'),
  booleanParameter('watch'),
]

function withPathParameters(resource: RegisteredResource, named: boolean, operations: Record<string, unknown>): Node {
  const parameter = (name: string): Node => ({ name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } })
  return {
    ...operations,
    parameters: [
      ...(named ? [parameter('name')] : []),
      ...(resource.namespaced ? [parameter('namespace')] : []),
      stringParameter('pretty'),
    ],
  }
}
