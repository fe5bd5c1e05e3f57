// Tags, in whichever form and place a kind has them: read, written, and compared without those of AWS itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, ownerTag, type Resource } from '../api.ts'
import { list, madeUpKind, map, structure } from '../testing/made-up-kind.ts'
import {
  defaultTags,
  hasTags,
  isReserved,
  ownMark,
  sameTags,
  tagChanges,
  tagField,
  tagsFromMap,
  tagsIn,
  wantedTags,
  withTags,
} from './tags.ts'

const settings = { tags: { path: 'Tags', key: 'Key', value: 'Value' } }
const asMap = madeUpKind({ spec: { Name: 'string', Tags: map('string') }, settings })
const asList = madeUpKind({
  spec: { Name: 'string', Tags: list(structure('Tag')) },
  structures: { Tag: { Value: 'string', Key: 'string' } },
  settings,
})
const bySecondNames = madeUpKind({
  spec: { Tags: list(structure('Tag')) },
  structures: { Tag: { TagValue: 'string', TagKey: 'string' } },
  settings,
})
const within = madeUpKind({
  spec: { Settings: structure('Settings') },
  structures: { Settings: { Mode: 'string', Tags: map('string') } },
  settings: { tags: { ...settings.tags, path: 'Settings.Tags' } },
})
const without = [
  madeUpKind({ spec: { Tags: map('string') } }),
  madeUpKind({ spec: { Name: 'string' }, settings }),
  madeUpKind({ spec: { Tags: 'string' }, settings }),
  madeUpKind({ spec: { Tags: list('string') }, settings }),
  madeUpKind({ spec: { Tags: list(structure('Tag')) }, structures: { Tag: { Key: 'string' } }, settings }),
  madeUpKind({ spec: { Tags: list(structure('Tag')) }, structures: { Tag: { Value: 'string' } }, settings }),
]

test('tags are read and written in the form that the kind has', () => {
  const tags = { a: '1', b: '2' }
  for (const [model, spec] of [
    [asMap, { name: 'n', tags }],
    [
      asList,
      {
        name: 'n',
        tags: [
          { key: 'a', value: '1' },
          { key: 'b', value: '2' },
        ],
      },
    ],
    [
      bySecondNames,
      {
        tags: [
          { tagKey: 'a', tagValue: '1' },
          { tagKey: 'b', tagValue: '2' },
        ],
      },
    ],
    [within, { settings: { mode: 'fast', tags } }],
  ] as const) {
    assert.deepEqual(tagsIn(model, spec), tags)
    const { tags: _, ...rest } = spec as { readonly tags?: unknown; readonly settings?: object }
    const bare = model === within ? { settings: { mode: 'fast' } } : rest
    assert.deepEqual(withTags(model, bare, tags), spec)
    assert.deepEqual(tagsIn(model, withTags(model, spec, {})), {})
    assert.equal(withTags(model, bare, {}), bare)
  }
  assert.deepEqual(withTags(within, {}, tags), { settings: { tags } })
  assert.deepEqual([asMap, asList, within].map(tagField), ['Tags', 'Tags', 'Settings'])
})

test('what is no tag in a manifest is none, and what a tag lacks is empty', () => {
  assert.deepEqual(tagsIn(asMap, { tags: ['a'] }), {})
  assert.deepEqual(tagsIn(asList, { tags: { a: '1' } }), {})
  assert.deepEqual(tagsIn(asList, { tags: ['a', { key: 'k' }, { value: 'v' }, { key: 'n', value: 7 }] }), {
    k: '',
    '': 'v',
    n: '7',
  })
  assert.deepEqual(tagsIn(within, { settings: 'x' }), {})
  assert.deepEqual(tagsFromMap({ a: '1', b: 7, c: null }), { a: '1', b: '7', c: '' })
  assert.deepEqual(tagsFromMap(['a']), {})
})

test('a kind whose tags have no place or no such form has none', () => {
  for (const model of without) {
    assert.equal(hasTags(model), false)
    assert.equal(tagField(model), undefined)
    assert.deepEqual(tagsIn(model, { tags: { a: '1' } }), {})
    const spec = { name: 'n' }
    assert.equal(withTags(model, spec, { a: '1' }), spec)
  }
  assert.equal(hasTags(asMap), true)
})

test('default tags are made of templates, without those that come out empty', () => {
  const of = (templates: readonly string[], metadata: object = {}, version = 'v1'): object =>
    defaultTags(asMap, { metadata: { name: 'n', namespace: 'ns', ...metadata } } as Resource, { templates, version })
  assert.deepEqual(
    of([
      'a=%CONTROLLER_SERVICE%-%CONTROLLER_VERSION%',
      ' b = %K8S_NAMESPACE%/%K8S_RESOURCE_NAME% ',
      'c=%K8S_RESOURCE_KIND%',
      'd=x%UNKNOWN%',
    ]),
    { a: 'madeup-v1', b: 'ns/n', c: 'Thing', d: 'x' },
  )
  assert.deepEqual(of(['a=%CONTROLLER_VERSION%'], {}, ''), { a: 'unknown' })
  assert.deepEqual(of(['a=%MANAGED_BY%', 'b=%KRO_VERSION%', 'c', 'd=e=f', '=g', 'h=%toString%']), {})
  assert.deepEqual(of(['a=%K8S_NAMESPACE%'], { namespace: undefined }), {})
  const labels = { 'app.kubernetes.io/managed-by': 'kro', 'kro.run/kro-version': 'v2' }
  assert.deepEqual(of(['a=%MANAGED_BY%', 'b=%KRO_VERSION%'], { labels }), { a: 'kro', b: 'v2' })
  assert.deepEqual(of(['a=b'], { annotations: { [annotations.skipDefaultTags]: 'true' } }), {})
  assert.deepEqual(of(['a=b'], { annotations: { [annotations.skipDefaultTags]: 'false' } }), { a: 'b' })
})

test('our mark is ours alone to write', () => {
  const of = (ownershipTags: boolean): object =>
    ownMark({ metadata: { uid: 'u' } } as Resource, { ownershipTags }, { a: '1', [ownerTag]: 'x' })
  assert.deepEqual([of(true), of(false)], [{ a: '1', [ownerTag]: 'u' }, { a: '1' }])
})

test('tags of AWS itself are neither set nor removed, and no difference', () => {
  assert.deepEqual([isReserved('aws:x'), isReserved('awsx'), isReserved('x-aws:')], [true, false, false])
  const [wanted, latest] = [
    { a: '1', b: '2', 'aws:mine': 'x' },
    { b: '3', c: '4', 'aws:theirs': 'y' },
  ]
  assert.deepEqual(wantedTags(wanted, latest), { a: '1', b: '2', 'aws:theirs': 'y' })
  assert.deepEqual(tagChanges(wanted, latest), { set: { a: '1', b: '2' }, removed: ['c'] })
  assert.deepEqual(tagChanges({ toString: 'x' }, {}), { set: { toString: 'x' }, removed: [] })
  for (const [one, other, isSame] of [
    [{ a: '1' }, { a: '1', 'aws:x': 'y' }, true],
    [{ a: '1' }, { a: '2' }, false],
    [{ a: '1' }, {}, false],
    [{}, { a: '1' }, false],
    [{}, {}, true],
  ] as const)
    assert.equal(sameTags(one as never, other as never), isSame)
})
