import type { Aws, Explanation } from '../aws.ts'
import type { Emulator } from './emulator.ts'

export function canPod(_core: Emulator, _question: Parameters<Aws['canPod']>[0]): Promise<Explanation> {
  return Promise.reject(new Error('not yet'))
}
