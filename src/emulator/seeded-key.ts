// Keys that follow from the seed: the CA, the issuer keys of emulated clusters and issued certificates are the same in every run of
// one seed. They protect nothing: never use them for anything but the emulator.
import { type Curve, curveBytes, ecPrivateKey, type Random } from '#base'

/** A private key as PKCS#8 PEM, made of as many bytes of the stream as the curve has. */
export function seededEcKey(random: Random, crv: Curve = 'P-256'): string {
  const bytes = curveBytes[crv]
  const scalar = Buffer.from(random.bytes(bytes))
  // Below the order of the group for certain, and not zero. That of P-521 has one bit in its first byte.
  scalar[0] = (crv === 'P-521' ? 0 : 0x7f) & (scalar[0] ?? 0)
  scalar[bytes - 1] = 1 | (scalar[bytes - 1] ?? 0)
  return ecPrivateKey(scalar, crv).export({ type: 'pkcs8', format: 'pem' }).toString()
}
