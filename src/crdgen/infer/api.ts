// The API model as inference works on it: names exported, a payload of its own for every operation, members that config can take away
// or add. It is a copy; the ServiceModel that it was made of stays as it is.

import type { ServiceModel } from '#aws'
import { compareText } from '#base'

export interface ApiMember {
  target: string
  /** The model's own spelling: the name on the wire. Absent for members that a config added. */
  readonly wire?: string
  readonly idempotencyToken?: true
  readonly documentation?: string
}

export interface ApiStructure {
  readonly type: 'structure'
  /** By exported name (first letter upper-case). */
  readonly members: Map<string, ApiMember>
  /** Exported names. */
  readonly required: Set<string>
  readonly union?: true
  readonly error?: true
  readonly eventStream?: true
  readonly documentation?: string
}

export interface ApiList {
  readonly type: 'list'
  readonly element: string
  readonly documentation?: string
}

export interface ApiMap {
  readonly type: 'map'
  readonly key: string
  readonly value: string
  readonly documentation?: string
}

export interface ApiScalar {
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'timestamp' | 'blob' | 'document'
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly documentation?: string
}

export type ApiShape = ApiStructure | ApiList | ApiMap | ApiScalar

export interface ApiOperation {
  /** Exported name. */
  readonly name: string
  readonly wire: string
  /** Names of the operation's own payload structures. */
  readonly input: string
  readonly output: string
  /** Names of the structures that the model has for them. */
  readonly modelInput?: string
  readonly modelOutput?: string
}

export interface Api {
  readonly service: ServiceModel
  readonly operations: Map<string, ApiOperation>
  readonly shapes: Map<string, ApiShape>
}

export function structureOf(api: Api, name: string): ApiStructure | undefined {
  const shape = api.shapes.get(name)
  return shape?.type === 'structure' ? shape : undefined
}

/** Through lists and maps to what is in them. */
export function elementOf(api: Api, name: string): string {
  let current = name
  const seen = new Set<string>()
  while (!seen.has(current)) {
    seen.add(current)
    const shape = api.shapes.get(current)
    if (shape?.type === 'list') current = shape.element
    else if (shape?.type === 'map') current = shape.value
    else break
  }
  return current
}

/** First letter upper-case. */
export function exported(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The member by its exported name, in any case. */
export function memberIgnoringCase(structure: ApiStructure, name: string): readonly [string, ApiMember] | undefined {
  const exact = structure.members.get(name)
  if (exact !== undefined) return [name, exact]
  const wanted = name.toLowerCase()
  for (const entry of structure.members) if (entry[0].toLowerCase() === wanted) return entry
  return undefined
}

export function sorted<T>(entries: Iterable<readonly [string, T]>): readonly (readonly [string, T])[] {
  return [...entries].sort(([a], [b]) => compareText(a, b))
}
