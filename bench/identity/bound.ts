// What the hub lets through at most, and what else of the bench is no figure by itself.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { KubeObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { roleKind } from '../../src/operators/identity/api.ts'

/** As many requests at once as a client of ours has under way, of the kind that a binding takes: half creates, half status patches. */
export async function measureBound(client: KubeClient): Promise<number> {
  const names = Array.from({ length: 1_000 }, (_, index) => `bound-${index}`)
  const status = {
    conditions: [
      { type: 'Ready', status: 'False', reason: 'Bench', message: 'of the bench', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ],
  }
  const write = async (name: string): Promise<void> => {
    await client.create(roleKind.type, roleOf('bound', name))
    await client.patch(roleKind.type, { namespace: 'bound', name }, 'merge', { status }, { subresource: 'status' })
  }
  await inTurns(names.slice(0, 100), write)
  const began = performance.now()
  await inTurns(names.slice(100), write)
  const perSecond = (2 * (names.length - 100) * 1_000) / (performance.now() - began)
  await inTurns(names, name => client.delete(roleKind.type, { namespace: 'bound', name }).then(() => undefined))
  return perSecond
}

/** Fifty at a time. */
export async function inTurns(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  const left = [...names].reverse()
  const worker = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) await work(name)
  }
  await Promise.all(Array.from({ length: 50 }, worker))
}

export function roleOf(at: string, name: string): KubeObject {
  const serviceAccount = { namespace: 'default', name }
  return roleKind.make({ namespace: at, name }, { serviceAccount, policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] })
}

export function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
