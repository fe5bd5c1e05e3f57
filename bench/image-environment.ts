// What the image sets for its processes, read where it is said, so that a process that is measured has it too.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function imageEnvironment(): Readonly<Record<string, string>> {
  const lines = readFileSync(join(import.meta.dirname, '../Dockerfile'), 'utf8').split('\n')
  const pairs = lines.filter(line => line.startsWith('ENV ')).map(line => line.slice('ENV '.length).split('='))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]))
}
