// The documents over HTTP: an index with hashes, and documents that a client may keep for ever under their hash.
import { createHash } from 'node:crypto'
import type { HttpResponse } from '#base'
import type { EmulatedVersion } from '../emulated-version.ts'
import type { Registry } from '../registry/registry.ts'
import type { ServedKind } from '../registry/resource.ts'
import { openApiDocument } from './document.ts'
import { swaggerOf } from './swagger.ts'

interface Made {
  /** Values of kinds change when their schemas do. */
  readonly kinds: readonly ServedKind[]
  readonly body: Uint8Array
  readonly hash: string
}

const yearMs = 31_536_000_000

export class OpenApiDocuments {
  readonly #registry: Registry
  readonly #emulate: EmulatedVersion
  readonly #nowMs: () => number
  readonly #made = new Map<string, Made>()

  constructor(registry: Registry, emulate: EmulatedVersion, nowMs: () => number) {
    this.#registry = registry
    this.#emulate = emulate
    this.#nowMs = nowMs
  }

  index(): HttpResponse {
    const paths: Record<string, unknown> = {}
    for (const path of this.#groupVersions().keys()) {
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${this.#document(path)?.hash}` }
    }
    const body = Buffer.from(JSON.stringify({ paths }))
    return { status: 200, headers: { 'content-type': 'application/json', etag: `"${hashOf(body)}"` }, body }
  }

  /** OpenAPI v2, of everything in one document. */
  older(): HttpResponse {
    const body = Buffer.from(JSON.stringify(swaggerOf(this.#registry.resources, this.#emulate)))
    return { status: 200, headers: { 'content-type': 'application/json', vary: 'Accept', etag: `"${hashOf(body)}"` }, body }
  }

  document(path: string, given: { hash: string | undefined; ifNoneMatch: string | undefined }): HttpResponse | undefined {
    const made = this.#document(path)
    if (made === undefined) return undefined
    const etag = `"${made.hash}"`
    if (given.hash !== undefined && given.hash !== made.hash) {
      return { status: 301, headers: { location: `/openapi/v3/${path}?hash=${made.hash}` }, body: null }
    }
    const kept =
      given.hash === undefined
        ? {}
        : { 'cache-control': 'public, immutable', expires: new Date(this.#nowMs() + yearMs).toUTCString() }
    const headers = { 'content-type': 'application/json', vary: 'Accept', etag, ...kept }
    if (given.ifNoneMatch === etag) return { status: 304, headers, body: null }
    return { status: 200, headers, body: made.body }
  }

  #document(path: string): Made | undefined {
    const kinds = this.#groupVersions().get(path)
    if (kinds === undefined) return undefined
    const known = this.#made.get(path)
    if (known !== undefined && known.kinds.length === kinds.length && known.kinds.every((kind, index) => kind === kinds[index]))
      return known
    const body = Buffer.from(JSON.stringify(openApiDocument(kinds, this.#emulate)))
    const made = { kinds, body, hash: hashOf(body) }
    this.#made.set(path, made)
    return made
  }

  #groupVersions(): Map<string, ServedKind[]> {
    const groups = new Map<string, ServedKind[]>()
    for (const resource of this.#registry.resources) {
      for (const kind of resource.versions) {
        const path = resource.group === '' ? `api/${kind.version}` : `apis/${resource.group}/${kind.version}`
        const known = groups.get(path)
        if (known === undefined) groups.set(path, [kind])
        else known.push(kind)
      }
    }
    return groups
  }
}

function hashOf(body: Uint8Array): string {
  return createHash('sha512').update(body).digest('hex').toUpperCase()
}
