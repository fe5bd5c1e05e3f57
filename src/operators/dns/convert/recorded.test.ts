// Conversions against the API server's own libraries with the existing CRD: the same view of every object, and nothing lost behind it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaOf } from '#kube'
import { compileSchema, renderFieldError } from '#schema'
import { kinds } from '../api/kinds.ts'
import { type ApiVersionName, annotations } from '../api/names.ts'
import { noVectors, readVectors } from '../testing/vectors.fixture.ts'
import { convert } from './convert.ts'

const vectors = readVectors()
const skip = vectors === undefined ? noVectors : false

test('every recorded object is pruned, filled in, refused and shown as it was, and comes back whole [21.10]', { skip }, () => {
  for (const { id, from, to, input, asRead, converted, refusedBySchema, droppedUnknown } of vectors?.conversions ?? []) {
    const schema = compileSchema(schemaOf(kinds[from as ApiVersionName]) as never)
    const { object: kept, unknown } = schema.decode(structuredClone(input) as never)
    assert.deepEqual(unknown, droppedUnknown ?? [], id)
    const read = schema.applyDefaults(kept)
    const refused = schema.validate(read).errors.map(error => renderFieldError(error))
    assert.deepEqual(refused, refusedBySchema ?? [], id)
    if (asRead !== undefined) assert.deepEqual(read, asRead, id)
    if (converted === undefined) continue
    const shown = convert(read as never, from as ApiVersionName, to as ApiVersionName)
    const { [annotations.conversionData]: saved, ...others } = shown.metadata.annotations ?? {}
    const { annotations: _held, ...metadata } = shown.metadata
    const plain = { ...shown, metadata: Object.keys(others).length === 0 ? metadata : { ...metadata, annotations: others } }
    assert.deepEqual(plain, converted, id)
    assert.deepEqual(convert(shown, to as ApiVersionName, from as ApiVersionName), read, `${id}, saved ${saved}`)
  }
})
