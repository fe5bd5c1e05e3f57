// Requests that are about the server and not about a resource: discovery, version, health.
import type { HttpResponse } from '#base'
import {
  type AggregatedDiscovery,
  aggregatedVersion,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
  groupsOf,
} from '../discovery/discovery.ts'
import type { EmulatedVersion } from '../emulated-version.ts'
import { acceptedTypes, parseAccept } from '../http/accept.ts'
import { type ApiCall, header } from '../http/call.ts'
import type { OpenApiDocuments } from '../openapi/served-documents.ts'
import { notAcceptable } from '../refusals.ts'
import type { Registry } from '../registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { ServiceAccountIssuer } from '../tokens/issuer.ts'
import { health } from './health.ts'
import type { RequestCounts } from './request-counts.ts'

export interface PathsContext {
  readonly registry: Registry
  readonly discovery: AggregatedDiscovery
  readonly issuer: ServiceAccountIssuer
  readonly openApi: OpenApiDocuments
  readonly emulate: EmulatedVersion
  /** host:port of the first listener, for documents that name the server. */
  readonly address: () => string
  readonly isReady: () => boolean
  readonly requests: RequestCounts
  readonly store: Store
}

export function answerPath(context: PathsContext, call: ApiCall): HttpResponse | undefined {
  const { path, verb } = call.info
  if (verb !== 'get' && verb !== 'head') return undefined
  const parts = path.split('/').filter(part => part !== '')
  const [first] = parts
  if (first === undefined) return json({ paths: rootPaths(context) })
  if (first === 'healthz' || first === 'livez' || first === 'readyz')
    return health(first, parts.slice(1), call.query, context.isReady())
  if (path === '/metrics') return context.requests.render(context.store, gitVersion(context.emulate))
  if (path === '/version' || path === '/version/') return json(version(context.emulate))
  if (path === '/.well-known/openid-configuration')
    return issuerDocument(context, context.issuer.discoveryDocument(), 'application/json')
  if (path === '/openid/v1/jwks') return issuerDocument(context, context.issuer.jwks(), 'application/jwk-set+json')
  if (path === '/openapi/v2') return openApiV2(context, call)
  if (first === 'openapi' && parts[1] === 'v3') return openApi(context, call, parts)
  if (first === 'api' || first === 'apis') return discover(context, call, parts)
  return undefined
}

function discover(context: PathsContext, call: ApiCall, parts: readonly string[]): HttpResponse | undefined {
  const { registry } = context
  const isCore = parts[0] === 'api'
  if (parts.length === 1) {
    const version = aggregatedVersion(header(call.request, 'accept'), context.emulate)
    if (version === 'none') throw notAcceptable(acceptedTypes)
    if (version !== undefined) return context.discovery.respond(isCore, version, header(call.request, 'if-none-match'))
    return json(isCore ? apiVersions(context.address()) : apiGroupList(registry))
  }
  if (isCore) return parts.length === 2 ? maybeJson(apiResourceList(registry, '', parts[1] ?? '')) : undefined
  if (parts.length === 2) return maybeJson(apiGroup(registry, parts[1] ?? ''))
  return parts.length === 3 ? maybeJson(apiResourceList(registry, parts[1] ?? '', parts[2] ?? '')) : undefined
}

function openApi(context: PathsContext, call: ApiCall, parts: readonly string[]): HttpResponse | undefined {
  const accepted = parseAccept(header(call.request, 'accept') ?? '*/*')
  const types = ['application/json', '*/*', 'application/*']
  if (!accepted.some(({ type }) => types.includes(type))) throw notAcceptable(['application/json'])
  if (parts.length === 2) return context.openApi.index()
  const hash = call.query.get('hash')
  return context.openApi.document(parts.slice(2).join('/'), { hash, ifNoneMatch: header(call.request, 'if-none-match') })
}

const protobufV2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
/** What is asked for with `@` is no media type that Go can read. */
const protobufV2Answered = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

/**
 * As JSON it has the definitions of all kinds. In protobuf, which kubectl asks for only about kinds that the newer documents lack, it says
 * nothing of any kind: explain --output=plaintext-openapiv2 finds nothing.
 */
function openApiV2(context: PathsContext, call: ApiCall): HttpResponse {
  const accepted = parseAccept(header(call.request, 'accept') ?? '*/*').map(({ type }) => type)
  const swagger = '2.0'
  const info = { title: 'Kubernetes', version: 'embedded' }
  if (!accepted.includes(protobufV2)) return context.openApi.older()
  // Document: 1 swagger, 2 info (1 title, 2 version).
  const field = (number: number, bytes: Uint8Array): Buffer => Buffer.from([(number << 3) | 2, bytes.length, ...bytes])
  const about = Buffer.concat([field(1, Buffer.from(info.title)), field(2, Buffer.from(info.version))])
  const body = Buffer.concat([field(1, Buffer.from(swagger)), field(2, about)])
  return { status: 200, headers: { 'content-type': protobufV2Answered }, body }
}

/** Absent when the issuer is no https URL: nobody could verify such tokens by its documents. */
function issuerDocument({ issuer }: PathsContext, text: string, type: string): HttpResponse | undefined {
  if (!issuer.issuer.startsWith('https://')) return undefined
  return { status: 200, headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' }, body: Buffer.from(text) }
}

function rootPaths({ registry }: PathsContext): string[] {
  const groups = groupsOf(registry)
  const apis = groups
    .filter(group => group.name !== '')
    .flatMap(group => [`/apis/${group.name}`, ...group.versions.map(version => `/apis/${group.name}/${version}`)])
  const rest = [
    '/healthz',
    '/livez',
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/openid/v1/jwks',
    '/readyz',
    '/version',
    '/.well-known/openid-configuration',
  ]
  return ['/api', '/api/v1', '/apis', ...apis, ...rest].sort()
}

/** Programs that ask for the first mended release of a minor version get it; of 1.34 it is the one whose answers were recorded. */
const patchOf: Readonly<Record<EmulatedVersion, number>> = { '1.32': 1, '1.33': 1, '1.34': 4 }

function gitVersion(emulate: EmulatedVersion): string {
  return `v${emulate}.${patchOf[emulate]}+embedded`
}

function version(emulate: EmulatedVersion): Record<string, unknown> {
  const [major, minor] = emulate.split('.')
  return {
    major,
    minor,
    ...(emulate === '1.34'
      ? {
          emulationMajor: major,
          emulationMinor: minor,
          minCompatibilityMajor: major,
          minCompatibilityMinor: String(Number(minor) - 1),
        }
      : {}),
    gitVersion: gitVersion(emulate),
    gitCommit: '0000000000000000000000000000000000000000',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: 'go1.24',
    compiler: 'gc',
    platform: 'linux/amd64',
  }
}

export function json(value: unknown): HttpResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(`${JSON.stringify(value)}\n`) }
}

function maybeJson(value: Record<string, unknown> | undefined): HttpResponse | undefined {
  return value === undefined ? undefined : json(value)
}
