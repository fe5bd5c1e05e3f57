// A megabyte chosen to be dear: it is answered, one way or another, in a time that grows with the body and not with its square. Counted is
// the processor's time of this process, since a busy machine makes everything slow; the bound is far above what a row takes, and far below
// what it took where a comparison of all with all stood.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiServer } from '../api-server.ts'
import { ask } from '../ask.fixture.ts'

const bodyLength = 1_000_000
const processorMsMax = 3_000

export interface CostlyRow {
  readonly method?: string
  readonly target?: string
  readonly type?: string
  readonly body: string
}

export const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(',')

export const filled = (part: string): string => part.repeat(Math.ceil(bodyLength / part.length))

/** A test for each row; where no target is told, the object is posted to `usual`. */
export function answersInTime(server: Promise<ApiServer>, rows: Readonly<Record<string, CostlyRow>>, usual: string): void {
  for (const [what, { method = 'POST', target = usual, type = 'application/json', body }] of Object.entries(rows))
    test(`${what}: answered in a time that grows with the body`, async () => {
      const world = await server
      const before = process.cpuUsage()
      const { status } = await ask(world, method, target, Buffer.from(body), { type })
      const { user, system } = process.cpuUsage(before)
      // Not turned away before anybody looked at it.
      assert.ok(status < 500 && status !== 403 && status !== 404, `${status}`)
      assert.ok((user + system) / 1_000 < processorMsMax, `${(user + system) / 1_000} ms`)
    })
}
