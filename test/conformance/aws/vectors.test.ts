// Recorded replies, asked again of the emulator. Recorded with scripts/vectors/aws-vectors-record.ts from moto where moto agrees with AWS.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAws, sdkRequestHandler } from '#emulator'
import { disagreements } from './vectors/compare.ts'
import { differences } from './vectors/differences.ts'
import { performer } from './vectors/perform.ts'
import { vectorFiles } from './vectors/vectors.ts'

const files = vectorFiles()

test('there are at least 300 vectors, and every row of the table of differences has a reason and is used', () => {
  const vectors = files.flatMap(file => file.vectors)
  assert.ok(vectors.length >= 300, `${vectors.length} vectors`)
  for (const row of differences) {
    assert.ok(row.reason.length > 5, JSON.stringify(row))
    const operations = row.operation === '*' ? undefined : row.operation.split(' ')
    const used = vectors.some(one => one.service === row.service && operations?.includes(one.operation) !== false)
    assert.ok(used, `no vector for ${row.service} ${row.operation}`)
  }
})

for (const { name, vectors } of files) {
  test(`${name}: the emulator answers ${vectors.length} requests as recorded`, async () => {
    const aws = createAws({ seed: 'vectors', signatures: 'parse' })
    const { perform, close } = performer({ requestHandler: sdkRequestHandler(aws.handle) })
    try {
      for (const [index, { reply, ...step }] of vectors.entries()) {
        const ours = await perform(step)
        assert.deepEqual(
          disagreements(step, reply, ours),
          [],
          `line ${index + 1}: ${step.operation} ${JSON.stringify(step.input)}`,
        )
      }
    } finally {
      close()
    }
  })
}
