// One play on the embedded API server and then on the real one: what is seen on the second is what was seen on the first.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { createApiServer } from '#apiserver'
import type { HttpExchange } from '#base'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const noControlPlane = await controlPlaneSkipped()

export interface Stage {
  readonly name: 'embedded' | 'real'
  /** The text of a kubeconfig of an administrator. */
  readonly kubeconfig: string
  readonly exchange: HttpExchange
}

export interface BothServers {
  /** What the two tests are called. */
  readonly onEmbedded: string
  readonly onReal: string
  readonly timeoutMs: number
}

/** Two tests; the second one compares. Within a suite whose tests run one after the other. */
export function onBothServers(
  { onEmbedded, onReal, timeoutMs: timeout }: BothServers,
  play: (stage: Stage) => Promise<unknown>,
): void {
  const told: unknown[] = []

  it(onEmbedded, { timeout }, async () => {
    const server = createApiServer({ emulate: '1.34' })
    try {
      await server.listen()
      told.push(await play({ name: 'embedded', kubeconfig: server.kubeconfig(), exchange: server.as() }))
    } finally {
      await server.close()
    }
  })

  it(onReal, { skip: noControlPlane ?? false, timeout }, async () => {
    const { kubeconfig, exchange } = await sharedControlPlane()
    const real = await play({ name: 'real', kubeconfig: readFileSync(kubeconfig, 'utf8'), exchange })
    assert.deepEqual(told, [real])
  })
}
