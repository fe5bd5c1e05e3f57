// The few calls that one file of an image takes: its manifest, then its layers. What has a digest is held against it, so that nobody on the way
// can hand over another image; layers may come from elsewhere, where the registry's credential is not sent.
import { createHash } from 'node:crypto'
import { collectBody, given, type HttpResponse, isRecord, type Net } from '#base'
import { type ImageReference, isDigest } from './image-reference.ts'
import { credentialFor, parseChallenge, tokenIn } from './registry-login.ts'

export interface Layer {
  readonly digest: string
  readonly size: number
}

const connectTimeoutMs = 10_000
const manifestBytesMax = 4 << 20
/** Manifests of a release are a few MiB; what is beneath them, an operating system, is not looked at. */
export const layerBytesMax: number = 32 << 20
/** From a registry to whoever stores its layers. */
const redirectsMax = 3

const manifestKinds = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
]

export class ImageRegistry {
  readonly #net: Pick<Net, 'dial'>
  readonly #image: ImageReference
  readonly #pullSecret: string
  readonly #signal: AbortSignal
  #authorization: string | undefined

  constructor(net: Pick<Net, 'dial'>, image: ImageReference, pullSecret: string, signal: AbortSignal) {
    this.#net = net
    this.#image = image
    this.#pullSecret = pullSecret
    this.#signal = signal
  }

  /** Of the image, or of its form for Linux where it has several: all forms of a release say the same. */
  async layers(version: string = this.#image.version): Promise<readonly Layer[]> {
    const manifest = parsed(await this.#read(`manifests/${version}`, version, manifestBytesMax))
    const forms = recordsIn(manifest['manifests'])
    if (forms.length > 0) {
      const form = forms.find(({ platform }) => isRecord(platform) && platform['os'] === 'linux') ?? forms[0]
      return this.layers(digestOf(form))
    }
    return recordsIn(manifest['layers']).map(layer => ({ digest: digestOf(layer), size: Number(layer['size']) }))
  }

  layer({ digest }: Layer): Promise<Uint8Array> {
    return this.#read(`blobs/${digest}`, digest, layerBytesMax)
  }

  async #read(what: string, version: string, bytesMax: number): Promise<Uint8Array> {
    const address = new URL(`https://${this.#image.host}/v2/${this.#image.repository}/${what}`)
    let answer = await this.#get(address, bytesMax)
    if (answer.status === 401) {
      await this.#logIn(String(answer.headers['www-authenticate'] ?? ''))
      answer = await this.#get(address, bytesMax)
    }
    if (answer.status !== 200) throw new Error(`the registry answers ${answer.status}`)
    const { body } = answer
    if (isDigest(version) && `sha256:${createHash('sha256').update(body).digest('hex')}` !== version)
      throw new Error('the registry gives something else than the digest names')
    return body
  }

  async #logIn(asked: string): Promise<void> {
    const challenge = parseChallenge(asked)
    if (challenge === undefined) throw new Error('the registry asks for a login that is not known here')
    const credential = credentialFor(this.#image.host, this.#pullSecret)
    const basic = credential === undefined ? undefined : `Basic ${credential}`
    if (challenge.address === undefined) {
      if (basic === undefined) throw new Error('the pull secret has nothing for this registry')
      this.#authorization = basic
      return
    }
    const { status, body } = await this.#once(challenge.address, manifestBytesMax, basic)
    if (status !== 200) throw new Error(`the registry’s token service answers ${status}`)
    this.#authorization = `Bearer ${tokenIn(Buffer.from(body).toString())}`
  }

  async #get(first: URL, bytesMax: number): Promise<HttpResponse & { readonly body: Uint8Array }> {
    let address = first
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#once(address, bytesMax, address.host === first.host ? this.#authorization : undefined)
      if (![301, 302, 303, 307, 308].includes(answer.status)) return answer
      const next = URL.parse(String(answer.headers['location'] ?? ''), address.href)
      if (redirects === redirectsMax || next === null || next.protocol !== 'https:')
        throw new Error('the registry sends us on to nowhere')
      address = next
    }
  }

  async #once(
    address: URL,
    bytesMax: number,
    authorization: string | undefined,
  ): Promise<HttpResponse & { readonly body: Uint8Array }> {
    const client = this.#net.dial({ origin: address.origin, protocol: 'http/1.1', connectTimeoutMs })
    try {
      const answer = await client.exchange({
        method: 'GET',
        target: `${address.pathname}${address.search}`,
        headers: {
          host: address.host,
          accept: manifestKinds.join(', '),
          'user-agent': 'vouch',
          ...given({ authorization }),
        },
        body: null,
        signal: this.#signal,
      })
      return { ...answer, body: await collectBody(answer.body, bytesMax) }
    } finally {
      await client.close()
    }
  }
}

type Json = Readonly<Record<string, unknown>>

function parsed(bytes: Uint8Array): Json {
  const value: unknown = JSON.parse(Buffer.from(bytes).toString())
  if (!isRecord(value)) throw new Error('the manifest of the image is no object')
  return value
}

function recordsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function digestOf(described: Json | undefined): string {
  const digest = described?.['digest']
  if (typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Error('the manifest of the image has no digest')
  return digest
}
