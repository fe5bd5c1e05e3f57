// A registry in this process: what is put into it, behind a login, with layers that are stored elsewhere.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type HttpClient, HttpFailure, type HttpRequest, type HttpResponse, type Net } from '#base'

export const registryHost = 'registry.example.com'
export const pullSecretText: string = JSON.stringify({ auths: { [registryHost]: { auth: 'dXNlcjpwYXNz' } } })

export interface TestRegistry {
  readonly net: Pick<Net, 'dial'>
  /** Each request, as `host path`, with `!` behind it where a credential came along. */
  readonly asked: string[]
  /** By `host path`. A test may change what is answered. */
  readonly answers: Map<string, HttpResponse>
  isAway: boolean
}

const repository = 'ocp/release'

export function bytesOf(value: unknown): Buffer {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

export function imageStream(images: Readonly<Record<string, string>>): object {
  const tags = Object.entries(images).map(([name, image]) => ({ name, from: { kind: 'DockerImage', name: image } }))
  return { kind: 'ImageStream', apiVersion: 'image.openshift.io/v1', metadata: { name: '4.21.0' }, spec: { tags } }
}

export function tarOf(files: Readonly<Record<string, string>>): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(Buffer.byteLength(text).toString(8).padStart(11, '0'), 124)
    header.write('ustar', 257)
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512)
    body.write(text)
    return [header, body]
  })
  return Buffer.concat([...parts, Buffer.alloc(1_024)])
}

export interface TestRelease {
  /** From the base to the last, as they are stored. */
  readonly layers: readonly Uint8Array[]
  readonly sizes?: readonly number[]
}

/** The image's name by its digest: an index, whose form for Linux has these layers. */
export function putRelease({ answers }: TestRegistry, { layers, sizes = [] }: TestRelease): string {
  const stored = layers.map((layer, place) => ({ digest: digestOf(layer), size: sizes[place] ?? layer.length }))
  const manifest = bytesOf({ schemaVersion: 2, layers: stored })
  const index = bytesOf({
    schemaVersion: 2,
    manifests: [
      { digest: digestOf(bytesOf('of another system')), platform: { os: 'windows' } },
      { digest: digestOf(manifest), platform: { os: 'linux', architecture: 'amd64' } },
    ],
  })
  for (const bytes of [manifest, index]) answers.set(`${registryHost} /v2/${repository}/manifests/${digestOf(bytes)}`, ok(bytes))
  for (const layer of layers) {
    const elsewhere = `/stored/${digestOf(layer)}`
    const location = `https://store.example.com${elsewhere}?signed=1`
    answers.set(`${registryHost} /v2/${repository}/blobs/${digestOf(layer)}`, { status: 307, headers: { location }, body: null })
    answers.set(`store.example.com ${elsewhere}?signed=1`, ok(layer))
  }
  return `${registryHost}/${repository}@${digestOf(index)}`
}

export function payloadLayer(images: Readonly<Record<string, string>>): Uint8Array {
  const files = { 'release-manifests/': '', './release-manifests/image-references': JSON.stringify(imageStream(images)) }
  return gzipSync(tarOf(files))
}

export function ok(body: Uint8Array): HttpResponse {
  return { status: 200, headers: {}, body }
}

export function testRegistry(): TestRegistry {
  const asked: string[] = []
  const answers = new Map<string, HttpResponse>()
  const challenge = 'Bearer realm="https://login.example.com/token",service="registry",scope="repository:ocp/release:pull"'
  const answer = ({ target, headers }: HttpRequest): HttpResponse => {
    const host = String(headers['host'])
    const authorization = String(headers['authorization'] ?? '')
    asked.push(`${host} ${target}${authorization === '' ? '' : ' !'}`)
    if (host === 'login.example.com')
      return authorization === 'Basic dXNlcjpwYXNz' ? ok(bytesOf({ token: 'one' })) : { status: 401, headers: {}, body: null }
    if (host === registryHost && authorization !== 'Bearer one')
      return { status: 401, headers: { 'www-authenticate': challenge }, body: null }
    return answers.get(`${host} ${target}`) ?? { status: 404, headers: {}, body: null }
  }
  const registry: TestRegistry = { net: { dial: () => client }, asked, answers, isAway: false }
  const client: HttpClient = {
    exchange: async request => {
      if (registry.isAway) throw new HttpFailure('unreachable', 'connect ECONNREFUSED 192.0.2.1:443')
      return answer(request)
    },
    close: async () => undefined,
  }
  return registry
}

export const mirrorHost = 'mirror.example.com:5000'

/** All that the registry has is under `copies` of the mirror, and nothing is left in the registry itself. */
export function moveToMirror({ answers }: TestRegistry): void {
  const [from, to] = [`${registryHost} /v2/`, `${mirrorHost} /v2/copies/`]
  for (const [key, answer] of answers)
    if (key.startsWith(from)) {
      answers.delete(key)
      answers.set(key.replace(from, to), answer)
    }
}
