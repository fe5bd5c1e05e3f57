// Whether a certificate and a key belong together, in the words of Go's TLS library. A Secret that holds a pair that does not is taken,
// with a warning.
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { isObject, type JsonObject } from '../../../json.ts'

export function secretWarnings(object: JsonObject): readonly string[] {
  if (object.type !== 'kubernetes.io/tls' || !isObject(object.data)) return []
  const bytes = (key: string): string => {
    const value = (object.data as JsonObject)[key]
    return typeof value === 'string' ? Buffer.from(value, 'base64').toString('latin1') : ''
  }
  const problem = pairProblem(bytes('tls.crt'), bytes('tls.key'))
  return problem === undefined ? [] : [problem]
}

interface Block {
  readonly type: string
  readonly pem: string
}

function pairProblem(certificate: string, key: string): string | undefined {
  const blocks = blocksOf(certificate)
  const leaf = blocks.find(block => block.type === 'CERTIFICATE')
  if (leaf === undefined) return certificateMissing(blocks.map(block => block.type))
  const keys = blocksOf(key)
  const secret = keys.find(block => block.type === 'PRIVATE KEY' || block.type.endsWith(' PRIVATE KEY'))
  if (secret === undefined) return keyMissing(keys.map(block => block.type))
  const publicKey = attempt(() => new X509Certificate(leaf.pem).publicKey)
  if (publicKey === undefined) return 'x509: malformed certificate'
  const privateKey = attempt(() => createPrivateKey(secret.pem))
  if (privateKey === undefined) return 'tls: failed to parse private key'
  if (publicKey.asymmetricKeyType !== privateKey.asymmetricKeyType) return 'tls: private key type does not match public key type'
  const same = createPublicKey(privateKey).equals(publicKey)
  return same ? undefined : 'tls: private key does not match public key'
}

function certificateMissing(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in certificate input'
  if (types.length === 1 && (types[0] as string).endsWith('PRIVATE KEY'))
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`
}

function keyMissing(types: readonly string[]): string {
  if (types.length === 0) return 'tls: failed to find any PEM data in key input'
  if (types.length === 1 && types[0] === 'CERTIFICATE')
    return 'tls: found a certificate rather than a key in the PEM for the private key'
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g)].map(match => ({
    type: match[1] as string,
    pem: match[0],
  }))
}

function attempt(make: () => KeyObject): KeyObject | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
