// Vectors: one line of JSON per request and recorded reply, a file per scenario.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allowedBy } from './compare.ts'
import type { Reply, Step } from './perform.ts'

export interface Vector extends Step {
  readonly reply: Reply
}

const folder = join(import.meta.dirname, '..', '..', 'aws-vectors')

export function vectorFiles(): readonly { readonly name: string; readonly vectors: readonly Vector[] }[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .sort()
    .map(name => ({ name, vectors: linesOf(readFileSync(join(folder, name), 'utf8')) }))
}

function linesOf(text: string): readonly Vector[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Vector)
}

/** The reply without what the table of differences excepts: a vector holds only what both sides agree on. */
export function vectorOf(step: Step, reply: Reply): Vector {
  return { ...step, reply: cut(step, '', reply) as Reply }
}

function cut(step: Step, path: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(item => cut(step, path === '' ? '*' : `${path}.*`, item))
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([key]) => allowedBy(step, path === '' ? key : `${path}.${key}`) === undefined)
  return Object.fromEntries(kept.map(([key, member]) => [key, cut(step, path === '' ? key : `${path}.${key}`, member)]))
}
