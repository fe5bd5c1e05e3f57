// Keys that follow from the seed: the CA, the issuer keys of emulated clusters and issued certificates are the same in every run of
// one seed. They protect nothing: never use them for anything but the emulator.
import { createECDH, createPrivateKey } from 'node:crypto'
import type { Random } from '#base'

export type Curve = 'P-256' | 'P-384' | 'P-521'

const curves: Readonly<Record<Curve, { readonly name: string; readonly bytes: number }>> = {
  'P-256': { name: 'prime256v1', bytes: 32 },
  'P-384': { name: 'secp384r1', bytes: 48 },
  'P-521': { name: 'secp521r1', bytes: 66 },
}

/** A private key as PKCS#8 PEM, made of as many bytes of the stream as the curve has. */
export function seededEcKey(random: Random, crv: Curve = 'P-256'): string {
  const { name, bytes } = curves[crv]
  const curve = createECDH(name)
  const scalar = Buffer.from(random.bytes(bytes))
  // Below the order of the group for certain, and not zero. That of P-521 has one bit in its first byte.
  scalar[0] = (crv === 'P-521' ? 0 : 0x7f) & (scalar[0] ?? 0)
  scalar[bytes - 1] = 1 | (scalar[bytes - 1] ?? 0)
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const jwk = {
    kty: 'EC',
    crv,
    d: scalar.toString('base64url'),
    x: point.subarray(1, 1 + bytes).toString('base64url'),
    y: point.subarray(1 + bytes).toString('base64url'),
  }
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString()
}
