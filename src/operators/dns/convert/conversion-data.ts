// The annotation in which an object carries what the version it is shown in cannot hold: compact JSON, with a hash of what was shown, so
// that it is known later whether somebody changed that meanwhile.
import { createHash } from 'node:crypto'
import { type ApiVersionName, isVersion } from '../api/names.ts'
import { isFields, pointerPath, type Saved, type VisibleFields, valueAt, withDefaults } from './visible.ts'

export interface ConversionData {
  /** In which version the object was written. */
  readonly v: ApiVersionName
  /** Of the spec as the version that carries this shows it. */
  readonly h: string
  readonly f: Saved
}

export function renderConversionData({ v, h, f }: ConversionData): string {
  return JSON.stringify({ v, h, f })
}

/** Undefined when it is damaged. */
export function parseConversionData(text: string): ConversionData | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isFields(parsed) || !isFields(parsed.f)) return undefined
  const { v, h, f } = parsed
  if (typeof v !== 'string' || !isVersion(v) || typeof h !== 'string') return undefined
  // Nothing outside of the spec is ever saved, and no name that would reach beyond a plain object.
  const isOurs = Object.keys(f).every(pointer => {
    const [root, ...path] = pointerPath(pointer)
    return root === 'spec' && !path.includes('__proto__')
  })
  return isOurs ? { v, h, f } : undefined
}

/** Alike for two specs that say the same: neither the order of fields nor what the API server fills in makes a difference. */
export function hashOf(spec: VisibleFields, version: ApiVersionName): string {
  return createHash('sha256')
    .update(canonical(withDefaults(spec, version)))
    .digest('hex')
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isFields(value)) return JSON.stringify(value) ?? 'null'
  const names = Object.keys(value)
    .filter(name => value[name] !== undefined)
    .sort()
  return `{${names.map(name => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`
}

const typePointers = ['/spec/provider/type', '/spec/source/type'] as const

/** What was shown of the two types, so that a change of them is seen later. */
export function typesOf(spec: VisibleFields): Saved {
  const entries = typePointers.map(pointer => [pointer, valueAt(spec, pointerPath(pointer).slice(1))] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** The spec with what had been saved of it. */
export function restore(spec: VisibleFields, version: ApiVersionName, data: ConversionData): VisibleFields {
  const isUntouched = hashOf(spec, version) === data.h
  const isOfOldTypes = typePointers.every(
    pointer => !(pointer in data.f) || data.f[pointer] === valueAt(spec, pointerPath(pointer).slice(1)),
  )
  if (!isUntouched && !isOfOldTypes) return spec
  const pointers = Object.keys(data.f).sort((a, b) => a.length - b.length)
  return pointers.reduce((restored, pointer) => setAt(restored, pointerPath(pointer).slice(1), data.f[pointer]), spec)
}

/** Set where the object that is to hold it is still there; otherwise dropped. */
function setAt(value: VisibleFields, path: readonly string[], leaf: unknown): VisibleFields {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (rest.length === 0) return value[name] === undefined ? { ...value, [name]: leaf } : value
  const child = value[name]
  return isFields(child) ? { ...value, [name]: setAt(child, rest, leaf) } : value
}
