import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Keys } from '../seams/seams.ts'

const generate = promisify(generateKeyPair)

/** Keys from the machine's randomness, made off the main thread. */
export const systemKeys: Keys = {
  generateRsa: async modulusLength => renderKey((await generate('rsa', { modulusLength })).privateKey),
  generateEc: async () => renderKey((await generate('ec', { namedCurve: 'P-256' })).privateKey),
}

function renderKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
