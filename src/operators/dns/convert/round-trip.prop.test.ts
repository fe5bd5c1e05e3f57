// No field of an object is lost on a way through any version, and none appears that nobody wrote.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { KubeObject } from '#kube'
import { schemaOf } from '#kube'
import { compileSchema } from '#schema'
import { kinds } from '../api/kinds.ts'
import { type ApiVersionName, annotations, versions } from '../api/names.ts'
import { type AnyDns, randomDns } from '../testing/random-spec.fixture.ts'
import { convert, modelOf } from './convert.ts'

const ways = versions.flatMap(from => versions.filter(to => to !== from).map(to => [from, to] as const))

for (const [from, to] of ways) {
  test(`there and back is the same object: ${from} by way of ${to}`, () => {
    fc.assert(
      fc.property(randomDns(from), object => {
        const there = convert(object, from, to)
        assert.deepEqual(withoutOwnLine(convert(there, to, from)), object)
        assert.deepEqual(withoutOwnLine(there).metadata, object.metadata)
        assert.deepEqual((there as AnyDns).status, object.status)
      }),
      { numRuns: 100 },
    )
  })

  test(`there and back through an API server that fills in defaults is the same object: ${from} by way of ${to}`, () => {
    fc.assert(
      fc.property(randomDns(from), sent => {
        const object = served(sent, from)
        const back = convert(served(convert(object, from, to), to), to, from)
        assert.deepEqual(served(withoutOwnLine(back), from).spec, object.spec)
      }),
      { numRuns: 50 },
    )
  })
}

test('what was stored in between in the storage version is understood as what was written', () => {
  fc.assert(
    fc.property(randomDns('v1beta2'), sent => {
      const object = served(sent, 'v1beta2')
      const stored = served(convert(object, 'v1beta2', 'v1beta1'), 'v1beta1')
      assert.deepEqual(modelOf(stored), modelOf(object))
    }),
    { numRuns: 100 },
  )
})

/** As an API server shows it: without what the version does not know, and with its defaults. */
function served(object: KubeObject, version: ApiVersionName): AnyDns {
  const schema = compileSchema(schemaOf(kinds[version]) as never)
  return schema.applyDefaults(schema.prune(structuredClone(object) as never)) as unknown as AnyDns
}

/** Only the annotation that is ours may differ, and an object of annotations that was there for nothing else. */
function withoutOwnLine(object: KubeObject): KubeObject {
  const { annotations: held, ...metadata } = object.metadata
  if (held?.[annotations.conversionData] === undefined) return object
  const { [annotations.conversionData]: _own, ...others } = held
  return { ...object, metadata: Object.keys(others).length === 0 ? metadata : { ...metadata, annotations: others } }
}
