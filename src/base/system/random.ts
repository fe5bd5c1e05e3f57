import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Random } from '../seams/random.ts'

/** The machine's own randomness, fit for secrets. Forks are the stream itself: there is no seed to derive from. */
export const systemRandom: Random = {
  float: () => randomInt(0x1_0000_0000_0000 - 1) / (0x1_0000_0000_0000 - 1),
  integer: below => randomInt(below),
  bytes: length => randomBytes(length),
  uuid: () => randomUUID(),
  fork: () => systemRandom,
}
