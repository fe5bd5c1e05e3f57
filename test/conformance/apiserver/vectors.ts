// Vectors on disk: one file per theme, one line per step, a line that names the sequence before its steps. What every reply has
// (plain JSON, the usual cache control) is left out, so that the files stay small enough to read in review.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sorted } from './lossless.ts'
import type { RecordedReply, Step } from './transcript.ts'

export interface Sequence {
  readonly id: string
  readonly title: string
  /** In normal form. */
  readonly steps: readonly Step[]
}

export const vectorsFolder: string = join(import.meta.dirname, '..', 'vectors')

const usual: Readonly<Record<string, string>> = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' }

export function vectorFiles(folder: string = vectorsFolder): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.jsonl'))
    .sort((a, b) => Number(b === 'prelude.jsonl') - Number(a === 'prelude.jsonl') || (a < b ? -1 : 1))
}

export function writeVectors(file: string, sequences: readonly Sequence[], folder: string = vectorsFolder): void {
  const lines = sequences.flatMap(({ id, title, steps }) => [
    JSON.stringify({ sequence: id, title }),
    ...steps.map(step => JSON.stringify(sorted(packed(step)))),
  ])
  writeFileSync(join(folder, file), `${lines.join('\n')}\n`)
}

export function readVectors(file: string, folder: string = vectorsFolder): Sequence[] {
  const sequences: { id: string; title: string; steps: Step[] }[] = []
  for (const line of readFileSync(join(folder, file), 'utf8').split('\n')) {
    if (line === '') continue
    const value = JSON.parse(line) as { sequence?: string; title?: string } & Step
    if (value.sequence !== undefined) sequences.push({ id: value.sequence, title: value.title ?? '', steps: [] })
    else sequences.at(-1)?.steps.push(unpacked(value))
  }
  return sequences
}

function packed(step: Step): Step {
  if (!('reply' in step)) return step
  const headers = Object.fromEntries(Object.entries(step.reply.headers).filter(([name, value]) => usual[name] !== value))
  for (const name of Object.keys(usual)) if (step.reply.headers[name] === undefined) headers[name] = ''
  return { ...step, reply: { ...step.reply, headers } }
}

function unpacked(step: Step): Step {
  if (!('reply' in step)) return step
  const headers = Object.fromEntries(Object.entries({ ...usual, ...step.reply.headers }).filter(([, value]) => value !== ''))
  return { ...step, reply: { ...step.reply, headers } as RecordedReply }
}
