// Keys that follow from the seed: the CA, the issuer keys of emulated clusters and issued certificates are the same in every run of
// one seed. They protect nothing: never use them for anything but the emulator.
import { createECDH, createPrivateKey } from 'node:crypto'
import type { Random } from '#base'

/** A P-256 private key as PKCS#8 PEM, made of 32 bytes of the stream. */
export function seededEcKey(random: Random): string {
  const curve = createECDH('prime256v1')
  const scalar = Buffer.from(random.bytes(32))
  // Below the order of the group for certain, and not zero.
  scalar[0] = 0x7f & (scalar[0] ?? 0)
  scalar[31] = 1 | (scalar[31] ?? 0)
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: scalar.toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33, 65).toString('base64url'),
  }
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString()
}
