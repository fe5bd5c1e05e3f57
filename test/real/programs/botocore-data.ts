// Where botocore keeps its API models.
import { execFileSync } from 'node:child_process'
import type { Python } from './python.ts'

export function botocoreData({ program }: Python): string {
  const script = 'import botocore, os; print(os.path.join(os.path.dirname(botocore.__file__), "data"))'
  return execFileSync(program('python'), ['-c', script], { encoding: 'utf8' }).trim()
}
