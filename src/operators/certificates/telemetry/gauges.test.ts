// What is told of zones: one series each for the first fifty, and one for all others together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ZoneFacts } from '../aws/cloud.ts'
import { zoneGauges } from './gauges.ts'

/** What is told, of zones that are each as they are said. */
function told(facts: readonly (ZoneFacts | undefined)[]): readonly string[] {
  const zones = facts.map((_, index) => ({ name: `z${index}.dev`, id: `Z${index}` }))
  const lines: string[] = []
  const gauges = {
    clear: () => {},
    set: () => {},
    zone: ({ zone = '' }: Readonly<Record<string, string>>, isHealthy: boolean) => void lines.push(`${zone} ${isHealthy}`),
  }
  zoneGauges(gauges, { registry: { zones }, facts: ({ id }) => facts[zones.findIndex(zone => zone.id === id)] })
  return lines
}

const healthy = (name: string): ZoneFacts => ({ exists: true, isPrivate: false, name })

test('a zone is healthy that is there, is public and has its name [10.2]', () => {
  const facts = [
    healthy('z0.dev'),
    { exists: false },
    { ...healthy('z2.dev'), isPrivate: true },
    healthy('x.dev'),
    { exists: true },
    undefined,
  ]
  assert.deepEqual(told(facts), ['z0.dev true', 'z1.dev false', 'z2.dev false', 'z3.dev false', 'z4.dev true'])
})

test('beyond fifty zones one series says whether all others are healthy [10.2]', () => {
  const many = (count: number): readonly ZoneFacts[] => Array.from({ length: count }, (_, index) => healthy(`z${index}.dev`))
  assert.deepEqual(told(many(50)).slice(49), ['z49.dev true'])
  assert.deepEqual(told(many(52)).slice(49), ['z49.dev true', 'other true'])
  assert.deepEqual(told([...many(50), { exists: false }, healthy('z51.dev')]).slice(50), ['other false'])
  assert.deepEqual(told([...many(51), { exists: false }]).slice(50), ['other false'])
  assert.deepEqual(told([...many(50), undefined]).slice(50), [])
})
