// A user of MemoryDB: how it proves itself is asked for by the CRD and told by no read. One that is taken over keeps what it has.
import type { Deviation } from '../deviation.ts'

export const memorydbUser: Deviation = {
  adoptedSpec: spec => ({ authenticationMode: {}, ...spec }),
}
