// What the hub lets through at most: as many requests at once as the bench creates with, of the kind that a binding takes, half creates
// and half status patches, while nobody watches.
import type { KubeClient } from '#kube/client'
import { roleKind } from '../../src/operators/identity/api.ts'
import { roleOf } from './contents.ts'

/** Writes a second. */
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
  await inTurns(names.slice(0, 300), write)
  const began = performance.now()
  await inTurns(names.slice(300), write)
  const perSecond = (2 * (names.length - 300) * 1_000) / (performance.now() - began)
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
