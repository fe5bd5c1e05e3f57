// What a version shows of a spec, and what it cannot show: fields that its schema does not have, by JSON pointer.
import { escapePointer } from '#base'
import type { StructuralSchema } from '#kube'
import { kinds } from '../api/kinds.ts'
import type { ApiVersionName } from '../api/names.ts'

export type VisibleFields = Readonly<Record<string, unknown>>

/** By JSON pointer into the object. */
export type Saved = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is VisibleFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The part that the version can show, and the rest. Lists are shown whole: no version differs within one. */
export function split(spec: VisibleFields, version: ApiVersionName): { readonly visible: VisibleFields; readonly saved: Saved } {
  const saved: Record<string, unknown> = {}
  const visible = splitObject(spec, schemaOf(version), { pointer: '/spec', saved })
  return { visible, saved }
}

interface Place {
  readonly pointer: string
  readonly saved: Record<string, unknown>
}

function splitObject(value: VisibleFields, schema: StructuralSchema, { pointer, saved }: Place): VisibleFields {
  const shown: [string, unknown][] = []
  for (const [name, child] of Object.entries(value)) {
    const known = schema.properties?.[name]
    const at = `${pointer}/${escapePointer(name)}`
    if (known === undefined) saved[at] = child
    else if (isFields(child) && known.properties !== undefined)
      shown.push([name, splitObject(child, known, { pointer: at, saved })])
    else shown.push([name, child])
  }
  return Object.fromEntries(shown)
}

/** With the defaults of the version in the objects that are there, as an API server fills them in. */
export function withDefaults(spec: VisibleFields, version: ApiVersionName): VisibleFields {
  return fill(spec, schemaOf(version))
}

function fill(value: VisibleFields, schema: StructuralSchema): VisibleFields {
  const filled: Record<string, unknown> = { ...value }
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    if (filled[name] === undefined && child.default !== undefined) filled[name] = child.default
    const held = filled[name]
    if (isFields(held)) filled[name] = fill(held, child)
  }
  return filled
}

function schemaOf(version: ApiVersionName): StructuralSchema {
  return kinds[version].definition.spec.openApi
}

export function pointerPath(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((held, name) => (isFields(held) ? held[name] : undefined), value)
}
