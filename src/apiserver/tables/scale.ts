// The table of a Scale, which is no kind of its own: how many there should be, and how many there are.
import { isRecord } from '#base'
import { ageOf } from './age.ts'
import recorded from './columns.gen.json' with { type: 'json' }
import type { TableColumn } from './types.ts'

const [name, created] = recorded['*']

export const scaleColumns: readonly TableColumn[] = [
  { ...name, format: '' },
  {
    name: 'Desired',
    type: 'integer',
    format: '',
    description: 'replicas is the desired number of instances for the scaled object.',
    priority: 0,
  },
  {
    name: 'Available',
    type: 'integer',
    format: '',
    description: 'replicas is the actual number of observed instances of the scaled object.',
    priority: 0,
  },
  { ...created, name: 'Age', type: 'string' },
].map(column => ({ name: '', type: 'string', format: '', description: '', priority: 0, ...column }))

export function scaleCells({ metadata, spec, status }: Readonly<Record<string, unknown>>, nowMs: number): readonly unknown[] {
  const about = isRecord(metadata) ? metadata : {}
  const replicasIn = (part: unknown): unknown => (isRecord(part) ? (part.replicas ?? 0) : 0)
  return [about.name, replicasIn(spec), replicasIn(status), ageOf(about.creationTimestamp, nowMs)]
}
