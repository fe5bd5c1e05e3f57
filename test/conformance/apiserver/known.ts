// The steps that the embedded server still answers otherwise than the real one, and is going to be mended for: a list that only
// shrinks. What we mean to keep different stands in differences.ts, with its reason.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const path = join(import.meta.dirname, '..', 'vectors', 'known-differences.json')

/** `file sequence step` → what is wrong. */
export type Known = Readonly<Record<string, string>>

export function readKnown(): Known {
  return JSON.parse(readFileSync(path, 'utf8')) as Known
}

export function writeKnown(known: Known): void {
  const lines = Object.keys(known)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map(key => `${JSON.stringify(key)}: ${JSON.stringify(known[key])}`)
  writeFileSync(path, lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`)
}

export function keyOf(file: string, sequence: string, step: number): string {
  return `${file.replace('.jsonl', '')} ${sequence} ${step}`
}
