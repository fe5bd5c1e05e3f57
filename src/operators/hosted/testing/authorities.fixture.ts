// Authorities and keys for tests: drawn once, because RSA takes its time.
import { generateKeyPairSync } from 'node:crypto'
import { type CertificatePair, type Instant, issueAuthority, type Keys, seededRandom } from '#base'
import type { KubeObject } from '#kube'

const drawn: string[] = []

function rsaKey(place: number): string {
  while (drawn.length <= place) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    drawn.push(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  }
  return drawn[place] ?? ''
}

const authorities = 4
const forSidecars = 3

/** A few keys in turn. */
export function testKeys(): Keys & { readonly count: () => number } {
  let calls = 0
  return {
    generateRsa: async () => rsaKey(authorities + (calls++ % forSidecars)),
    generateEc: () => Promise.reject(new Error('sidecars have RSA keys')),
    count: () => calls,
  }
}

const yearMs = 365 * 86_400_000

/** `which`: two of the same name and different number are two authorities after a rotation. */
export function testAuthority(commonName: string, which: number, from: Instant = Date.UTC(2026, 0, 1)): CertificatePair {
  const random = seededRandom(which)
  return issueAuthority(
    { commonName },
    { key: rsaKey(which % authorities), serial: random.bytes(16) },
    { from, until: from + 10 * yearMs },
  )
}

export function authoritySecret(namespace: string, name: string, { certificate, key }: CertificatePair): KubeObject {
  const encode = (text: string): string => Buffer.from(text).toString('base64')
  const object = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name },
    type: 'Opaque',
    data: { 'ca.crt': encode(certificate), 'ca.key': encode(key) },
  }
  return object
}
