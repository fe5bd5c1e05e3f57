// The annotation by which a pod is restarted when a Secret or a ConfigMap that it has mounted changes.
import { createHash } from 'node:crypto'

/** Of decoded values: for each key in byte order, the key and then its value, with nothing between. */
export function contentHash(data: Readonly<Record<string, Uint8Array>>): string {
  const hash = createHash('sha256')
  const keys = Object.keys(data).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  for (const key of keys) hash.update(key).update(data[key] ?? new Uint8Array())
  return hash.digest('hex')
}

export function decodeSecret(data: Readonly<Record<string, string>> = {}): Readonly<Record<string, Uint8Array>> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64')]))
}

export function encodeSecret(data: Readonly<Record<string, Uint8Array>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
}

/** Of a ConfigMap. */
export function textHash(data: Readonly<Record<string, string>> = {}): string {
  return contentHash(Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value)])))
}
