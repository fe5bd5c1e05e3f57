import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
