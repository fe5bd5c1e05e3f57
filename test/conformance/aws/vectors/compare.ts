// Two replies, path by path. What may differ is in differences.ts and nowhere else.
import { type Difference, differences } from './differences.ts'
import type { Reply, Step } from './perform.ts'

export interface Disagreement {
  readonly path: string
  readonly recorded: unknown
  readonly ours: unknown
}

/** Paths at which the replies disagree and the table does not allow it. */
export function disagreements(step: Step, recorded: Reply, ours: Reply): readonly Disagreement[] {
  const found: Disagreement[] = []
  walk('', recorded, ours, found)
  return found.filter(one => allowedBy(step, one.path) === undefined)
}

export function allowedBy(step: Step, path: string): Difference | undefined {
  return differences.find(
    one =>
      one.service === step.service &&
      (one.operation === '*' || one.operation.split(' ').includes(step.operation)) &&
      one.paths.some(allowed => path === allowed || path.startsWith(`${allowed}.`)) &&
      (one.when === undefined || JSON.stringify(step.input).includes(one.when)),
  )
}

function walk(path: string, a: unknown, b: unknown, found: Disagreement[]): void {
  if (isFields(a) && isFields(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) walk(join(path, key), a[key], b[key], found)
    return
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    for (const [index, item] of a.entries()) walk(join(path, '*'), item, b[index], found)
    return
  }
  // An empty list and an absent one are the same to the caller of an SDK.
  if (isNothing(a) && isNothing(b)) return
  if (JSON.stringify(a) !== JSON.stringify(b)) found.push({ path, recorded: a, ours: b })
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function isNothing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
