// The images of releases, read from the release images themselves: once for all control planes of a release, and again some time after it failed.
// What a digest names does not change; what a tag names is read again now and then.
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { BodyTooLarge, type Clock, DeadlineExceeded, HttpFailure, type Instant, type Net, withDeadline } from '#base'
import type { ImageContentSource } from '../api/kinds.ts'
import { type ImageReference, isDigest, parseImageReference } from './image-reference.ts'
import { ImageRegistry, layerBytesMax } from './image-registry.ts'
import { placesOf } from './mirrors.ts'
import { payloadPath, readPayload } from './payload.ts'
import { fileInTar } from './tar.ts'

export type ReleaseSeen =
  | { readonly kind: 'images'; readonly images: ReadonlyMap<string, string> }
  /** In words that stay the same while it is so. */
  | { readonly kind: 'unreadable'; readonly why: string }

export interface ReleaseAsked {
  /** The release image. */
  readonly release: string
  /** A Docker config, as a pull secret has it; empty without. */
  readonly pullSecret: string
  /** Mirrors, as the control plane has them. */
  readonly mirrors?: readonly ImageContentSource[]
}

const readMsMax = 60_000
/** After a failure, whoever else asks meanwhile. */
export const readAgainMs = 60_000
const tagHeldMs = 600_000
const heldMax = 64
const layersMax = 8
const unpackedBytesMax = 64 << 20

interface Reading {
  readonly pullSecret: string
  readonly timeoutMs: number
}

interface Held {
  readonly seen: ReleaseSeen
  readonly until: Instant
}

export class ReleaseImages {
  readonly #seams: { readonly net: Pick<Net, 'dial'>; readonly clock: Clock }
  readonly #held = new Map<string, Held>()

  constructor(seams: { readonly net: Pick<Net, 'dial'>; readonly clock: Clock }) {
    this.#seams = seams
  }

  async imagesOf({ release, pullSecret, mirrors = [] }: ReleaseAsked, signal: AbortSignal): Promise<ReleaseSeen> {
    // Another pull secret or mirror may open what these do not; a release that was read is the same for all.
    const keys = [release, JSON.stringify([release, pullSecret, mirrors])] as const
    const { clock } = this.#seams
    const held = keys.map(key => this.#held.get(key)).find(one => one !== undefined && one.until > clock.now())
    if (held !== undefined) return held.seen
    const seen = await this.#read({ release, pullSecret, mirrors }, signal)
    if (this.#held.size >= heldMax) this.#held.clear()
    this.#held.set(keys[seen.kind === 'images' ? 0 : 1], { seen, until: clock.now() + heldMs(release, seen) })
    return seen
  }

  async #read({ release, pullSecret, mirrors }: Required<ReleaseAsked>, signal: AbortSignal): Promise<ReleaseSeen> {
    const image = parseImageReference(release)
    if (image === undefined) return { kind: 'unreadable', why: 'it is no image of a registry' }
    const places = placesOf(image, mirrors)
    const troubles: string[] = []
    for (const place of places) {
      const seen = await this.#readFrom(place, { pullSecret, timeoutMs: readMsMax / places.length }, signal)
      if (seen.kind === 'images') return seen
      troubles.push(places.length === 1 ? seen.why : `${place.host}: ${seen.why}`)
    }
    return { kind: 'unreadable', why: troubles.join('; ') }
  }

  async #readFrom(place: ImageReference, { pullSecret, timeoutMs }: Reading, signal: AbortSignal): Promise<ReleaseSeen> {
    const { net, clock } = this.#seams
    try {
      const images = await withDeadline(clock, { timeoutMs, signal }, until =>
        imagesIn(new ImageRegistry(net, place, pullSecret, until)),
      )
      return { kind: 'images', images }
    } catch (error) {
      signal.throwIfAborted()
      return { kind: 'unreadable', why: whyOf(error) }
    }
  }
}

function heldMs(release: string, { kind }: ReleaseSeen): number {
  if (kind === 'unreadable') return readAgainMs
  return isDigest(parseImageReference(release)?.version ?? '') ? Number.POSITIVE_INFINITY : tagHeldMs
}

/** What a release adds to its base comes last. */
async function imagesIn(registry: ImageRegistry): Promise<ReadonlyMap<string, string>> {
  const layers = (await registry.layers()).toReversed().slice(0, layersMax)
  for (const layer of layers) {
    if (layer.size > layerBytesMax) continue
    const archive = await unpack(await registry.layer(layer), { maxOutputLength: unpackedBytesMax })
    const file = fileInTar(archive, payloadPath)
    if (file !== undefined) return readPayload(Buffer.from(file).toString())
  }
  throw new Error(`it has no ${payloadPath}`)
}

const unpack = promisify(gunzip)

/** Without addresses and times, which would make each failure another text. */
function whyOf(error: unknown): string {
  if (error instanceof HttpFailure)
    return error.code === 'untrusted' ? 'the certificate of its registry is not trusted' : 'its registry does not answer'
  if (error instanceof DeadlineExceeded) return 'its registry does not answer in time'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof BodyTooLarge || code === 'ERR_BUFFER_TOO_LARGE') return 'a part of it is too large'
  if (error instanceof SyntaxError) return 'what it says is no JSON'
  if (code.startsWith('Z_')) return 'a layer is not packed by gzip'
  return error instanceof Error ? error.message : 'it cannot be read'
}
