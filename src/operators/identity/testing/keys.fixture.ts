// Keys for tests: real ones, made once, handed out in turn and at once, since a test's time stands still while a key is being made.
import { generateKeyPairSync } from 'node:crypto'
import type { Keys } from '#base'

const made = new Map<string, string[]>()

/** Enough that two clusters, a rotation each and a race that is lost get another one: the same key twice would be one that was withdrawn. */
const poolSize = 9

export function pooledKeys(size: number = poolSize): Keys {
  let turn = 0
  return {
    generateRsa: async bits => {
      const pool = made.get(`rsa${bits}`) ?? []
      made.set(`rsa${bits}`, pool)
      const index = turn++ % size
      pool[index] ??= render(generateKeyPairSync('rsa', { modulusLength: bits }).privateKey)
      return pool[index]
    },
    generateEc: async () => render(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
  }
}

function render(
  key: ReturnType<typeof generateKeyPairSync>['privateKey'] | { export(options: object): string | Buffer },
): string {
  return (key as { export(options: object): string | Buffer }).export({ type: 'pkcs8', format: 'pem' }).toString()
}
