// The signing Secret as a value: the key that signs, the one that comes next, the one that goes, and what is known of their times. All of
// it stands in one object, so that each step of a rotation is one write with a precondition and no crash can fall between two halves.
import { given } from '#base'
import { apiVersionOf, type KubeObject, type StoredObject, secrets } from '#kube'
import { annotations as names } from '../api/labels.ts'
import { type KeyPair, type PublicKey, parsePublicKey } from '../documents/signing-key.ts'

export interface SecretObject extends StoredObject {
  readonly type?: string
  /** base64. */
  readonly data?: Readonly<Record<string, string>>
}

/** Names of the data. The first two are the contract; the others are there from the first rotation on. */
export const dataNames = {
  privateKey: 'sa.key',
  publicKey: 'sa.pub',
  nextPrivateKey: 'next.key',
  nextPublicKey: 'next.pub',
  previousPublicKey: 'previous.pub',
  /** Every key that a verifier has to accept, one after another: for `--service-account-key-file`. */
  acceptedKeys: 'verify.pub',
} as const

/** A key with its private half, which is carried along and never read. */
export interface SigningKey {
  readonly public: PublicKey
  /** PEM, in whatever form it came. */
  readonly privatePem: string
}

export interface KeyRing {
  readonly current: SigningKey
  /** When `current` began to be the one to sign with; unknown for keys that others brought. */
  readonly sinceMs?: number
  readonly next?: SigningKey
  /** When the key set with `next` in it was first seen published. */
  readonly nextPublishedMs?: number
  readonly previous?: PublicKey
  /** When `previous` goes; unknown until the cluster is known to sign with `current`. */
  readonly retiresMs?: number
  /** The request that was answered last. */
  readonly request?: string
}

export type RingSeen =
  | { readonly kind: 'ring'; readonly ring: KeyRing }
  /** One of the two halves is missing: there is no key. */
  | { readonly kind: 'none' }
  /** There is a public key that nobody can read. */
  | { readonly kind: 'unreadable'; readonly name: string }

export function readKeyRing(secret: SecretObject): RingSeen {
  const privatePem = textOf(secret, dataNames.privateKey)
  const publicPem = textOf(secret, dataNames.publicKey)
  if (privatePem === '' || publicPem === '') return { kind: 'none' }
  const current = parsePublicKey(publicPem)
  if (current === undefined) return { kind: 'unreadable', name: dataNames.publicKey }
  const next = parsePublicKey(textOf(secret, dataNames.nextPublicKey))
  const nextPrivatePem = textOf(secret, dataNames.nextPrivateKey)
  const previous = parsePublicKey(textOf(secret, dataNames.previousPublicKey))
  const { annotations = {} } = secret.metadata
  const request = annotations[names.rotationRequest]
  return {
    kind: 'ring',
    ring: {
      current: { public: current, privatePem },
      ...time('sinceMs', annotations[names.signingKeySince]),
      ...(next === undefined || nextPrivatePem === ''
        ? {}
        : {
            next: { public: next, privatePem: nextPrivatePem },
            ...time('nextPublishedMs', annotations[names.nextKeyPublished]),
          }),
      ...(previous === undefined ? {} : { previous, ...time('retiresMs', annotations[names.previousKeyRetires]) }),
      ...given({ request }),
    },
  }
}

/** Public halves of everything that tokens may be signed with now. */
export function acceptedKeys({ current, next, previous }: KeyRing): readonly PublicKey[] {
  const keys = [current.public, ...(next === undefined ? [] : [next.public]), ...(previous === undefined ? [] : [previous])]
  return keys.filter((key, index) => keys.findIndex(({ keyId }) => keyId === key.keyId) === index)
}

/** Ids of all keys in a Secret, for the question whether two clusters share one (X3). */
export function keyIdsOf(secret: SecretObject): readonly string[] {
  const seen = readKeyRing(secret)
  return seen.kind === 'ring' ? acceptedKeys(seen.ring).map(({ keyId }) => keyId) : []
}

export function ringOf(pair: KeyPair, more: Omit<KeyRing, 'current'> = {}): KeyRing {
  return { ...more, current: signingKeyOf(pair) }
}

export function signingKeyOf({ privatePem, publicPem }: KeyPair): SigningKey {
  const key = parsePublicKey(publicPem)
  // A pair that we made ourselves can be read, unless this program is broken.
  if (key === undefined) throw new Error('a key that was just made cannot be read')
  return { public: key, privatePem }
}

/** Data and annotations of a Secret that holds this ring; `undefined` as a value takes a name away. */
export function renderKeyRing(ring: KeyRing): {
  readonly data: Readonly<Record<string, string | undefined>>
  readonly annotations: Readonly<Record<string, string | undefined>>
} {
  const { current, next, previous } = ring
  const rotates = next !== undefined || previous !== undefined || ring.request !== undefined
  return {
    data: {
      [dataNames.privateKey]: encode(current.privatePem),
      [dataNames.publicKey]: encode(current.public.pem),
      [dataNames.nextPrivateKey]: next && encode(next.privatePem),
      [dataNames.nextPublicKey]: next && encode(next.public.pem),
      [dataNames.previousPublicKey]: previous && encode(previous.pem),
      [dataNames.acceptedKeys]: rotates
        ? encode(
            acceptedKeys(ring)
              .map(({ pem }) => pem)
              .join(''),
          )
        : undefined,
    },
    annotations: {
      [names.signingKeyId]: current.public.keyId,
      [names.signingKeySince]: instant(ring.sinceMs),
      [names.nextKeyPublished]: instant(ring.nextPublishedMs),
      [names.previousKeyRetires]: instant(ring.retiresMs),
      [names.rotationRequest]: ring.request,
    },
  }
}

export interface SecretIdentity {
  readonly namespace: string
  readonly name: string
}

/** A new Secret without labels and owner, which its user adds. */
export function newSecret({ namespace, name }: SecretIdentity, ring: KeyRing): KubeObject & Pick<SecretObject, 'data' | 'type'> {
  const { data, annotations } = renderKeyRing(ring)
  return {
    apiVersion: apiVersionOf(secrets),
    kind: secrets.kind,
    metadata: { namespace, name, annotations: defined(annotations) },
    type: 'Opaque',
    data: defined(data),
  }
}

export function defined(record: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function textOf(secret: SecretObject, name: string): string {
  return Buffer.from(secret.data?.[name] ?? '', 'base64').toString()
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64')
}

function instant(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

/** A time that somebody spoiled counts as not known, which is always the careful side: nothing signs early, nothing goes early. */
function time<N extends string>(name: N, text: string | undefined): Partial<Record<N, number>> {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(ms) ? {} : ({ [name]: ms } as Record<N, number>)
}
