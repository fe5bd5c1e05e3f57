// Two CRDs side by side, field by field. Descriptions do not count.
import { given } from '#base'
import { type FlatCrd, type FlatField, flattenCrd } from './flatten.ts'

export type DifferenceClass = 'missing' | 'extra' | 'type' | 'required' | 'immutable' | 'column' | 'name' | 'common'

export interface Difference {
  readonly class: DifferenceClass
  readonly path: string
  /** What the first CRD says at the path. */
  readonly first?: string
  readonly second?: string
}

export interface KindComparison {
  readonly kind: string
  readonly differences: readonly Difference[]
  readonly pathsEqual: number
  /** Paths of either. */
  readonly paths: number
}

/** `missing`: only the first has it. `extra`: only the second has it. */
export function diffCrds(first: unknown, second: unknown): KindComparison {
  const a = flattenCrd(first)
  const b = flattenCrd(second)
  const differences = [...diffNames(a, b), ...diffColumns(a, b), ...diffFields(a, b)]
  if (a.common !== b.common) differences.push({ class: 'common', path: 'status common', first: a.common, second: b.common })
  const paths = new Set([...a.fields.keys(), ...b.fields.keys()])
  const unequal = new Set(differences.map(({ path }) => path))
  const pathsEqual = [...paths].filter(path => !unequal.has(path)).length
  return { kind: a.names['kind'] ?? '', differences, pathsEqual, paths: paths.size }
}

function diffNames(a: FlatCrd, b: FlatCrd): Difference[] {
  return Object.keys(a.names)
    .filter(key => a.names[key] !== b.names[key])
    .map(key => ({ class: 'name', path: `names.${key}`, first: a.names[key] ?? '', second: b.names[key] ?? '' }))
}

function diffColumns(a: FlatCrd, b: FlatCrd): Difference[] {
  const differences: Difference[] = []
  for (let index = 0; index < Math.max(a.columns.length, b.columns.length); index++) {
    const [first, second] = [a.columns[index], b.columns[index]]
    if (first === second) continue
    differences.push({
      class: 'column',
      path: `columns[${index}]`,
      ...given({ first, second }),
    })
  }
  return differences
}

function diffFields(a: FlatCrd, b: FlatCrd): Difference[] {
  const differences: Difference[] = []
  for (const [path, field] of a.fields) {
    const other = b.fields.get(path)
    if (other === undefined) differences.push({ class: 'missing', path, first: field.type })
    else differences.push(...diffField(path, field, other))
  }
  for (const [path, field] of b.fields) if (!a.fields.has(path)) differences.push({ class: 'extra', path, second: field.type })
  return differences
}

function diffField(path: string, a: FlatField, b: FlatField): Difference[] {
  return (['type', 'required', 'immutable'] as const)
    .filter(key => a[key] !== b[key])
    .map(key => ({ class: key, path, first: String(a[key]), second: String(b[key]) }))
}
