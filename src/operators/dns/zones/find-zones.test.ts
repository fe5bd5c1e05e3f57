// Which zones are found among those of an account, page by page, without an account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AwsClient } from '#aws/client'
import type { Domain } from '../api/spec.ts'
import { agree, boundingDomains, findZones, type ZoneWish } from './find-zones.ts'

interface Account {
  /** In pages, as the account gives them. */
  readonly pages?: readonly (readonly object[])[]
  readonly tags?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const zone = (id: string, name: string, isPrivate = false): object => ({
  Id: `/hostedzone/${id}`,
  Name: `${name}.`,
  Config: { PrivateZone: isPrivate },
})

/** Finds, and tells what was asked for it. */
async function find(wish: Partial<ZoneWish>, { pages = [[]], tags = {} }: Account) {
  const asked: object[] = []
  const call = async (operation: string, input: { readonly Marker?: string; readonly ResourceIds?: readonly string[] }) => {
    asked.push({ operation, ...input })
    if (operation === 'ListTagsForResources') {
      const entries = (id: string) => Object.entries(tags[id] ?? {}).map(([Key, Value]) => ({ Key, Value }))
      // A zone without tags may have no list of them.
      const set = (ResourceId: string) => ({
        ResourceId,
        ...(tags[ResourceId] === undefined ? {} : { Tags: entries(ResourceId) }),
      })
      return { ResourceTagSets: (input.ResourceIds ?? []).map(set) }
    }
    const page = Number(input.Marker ?? 0)
    const isLast = page === pages.length - 1
    return {
      HostedZones: pages[page],
      IsTruncated: !isLast,
      ...(isLast ? { NextMarker: 'none' } : { NextMarker: String(page + 1) }),
    }
  }
  const whole: ZoneWish = { domains: [], zoneType: undefined, zoneTags: {}, ...wish }
  const found = await findZones({ call } as unknown as AwsClient, whole, new AbortController().signal)
  return { found, asked }
}

test('all pages of the zones are read, a hundred at a time, and their ids are told in the order of their bytes', async () => {
  const { found, asked } = await find({}, { pages: [[zone('ZB', 'b.org')], [zone('ZC', 'c.org'), zone('ZA', 'a.org')]] })
  assert.deepEqual(found, ['ZA', 'ZB', 'ZC'])
  assert.deepEqual(asked, [
    { operation: 'ListHostedZones', MaxItems: 100 },
    { operation: 'ListHostedZones', MaxItems: 100, Marker: '1' },
  ])
})

test('an account that goes in circles is left after two hundred pages', async () => {
  const { asked } = await find({}, { pages: Array.from({ length: 300 }, () => []) })
  assert.equal(asked.length, 200)
})

const ofNames = [
  ['ZONE', 'example.com'],
  ['BELOW', 'apps.example.com'],
  ['ABOVE', 'com'],
  ['ALIKE', 'notexample.com'],
  ['OTHER', 'example.org'],
] as const

for (const [domains, expected] of [
  [[], ['ABOVE', 'ALIKE', 'BELOW', 'OTHER', 'ZONE']],
  [['example.com'], ['ABOVE', 'BELOW', 'ZONE']],
  [['.EXAMPLE.com.'], ['ABOVE', 'BELOW', 'ZONE']],
  [['deep.apps.example.com'], ['ABOVE', 'BELOW', 'ZONE']],
  [
    ['example.org', 'apps.example.com'],
    ['ABOVE', 'BELOW', 'OTHER', 'ZONE'],
  ],
  [['nowhere.net'], []],
] as const)
  test(`for ${domains.length === 0 ? 'no domain' : domains.join(' and ')} the zones ${expected.join(', ') || 'of nobody'} are found`, async () => {
    const { found } = await find({ domains }, { pages: [ofNames.map(([id, name]) => zone(id, name))] })
    assert.deepEqual(found, expected)
  })

for (const [zoneType, expected] of [
  [undefined, ['PRIVATE', 'PUBLIC', 'UNSAID']],
  ['Public', ['PUBLIC', 'UNSAID']],
  ['Private', ['PRIVATE']],
] as const)
  test(`of the type ${zoneType ?? 'that nobody names'} are the zones ${expected.join(', ')}`, async () => {
    const unsaid = { Id: '/hostedzone/UNSAID', Name: 'c.org.' }
    const { found } = await find({ zoneType }, { pages: [[zone('PUBLIC', 'a.org'), zone('PRIVATE', 'b.org', true), unsaid]] })
    assert.deepEqual(found, expected)
  })

test('of zones with tags those are found that have all that are named, with these values', async () => {
  const pages = [['ZA', 'ZB', 'ZC', 'ZD'].map(id => zone(id, 'a.org'))]
  const tags = { ZA: { team: 'dns', stage: 'live', more: 'x' }, ZB: { team: 'dns' }, ZC: { team: 'dns', stage: 'test' } }
  const { found, asked } = await find({ zoneTags: { team: 'dns', stage: 'live' } }, { pages, tags })
  assert.deepEqual(found, ['ZA'])
  assert.deepEqual(asked.slice(1), [
    { operation: 'ListTagsForResources', ResourceType: 'hostedzone', ResourceIds: ['ZA', 'ZB', 'ZC', 'ZD'] },
  ])
})

test('tags are asked for ten zones at a time, and for none where no zone is left', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `Z${10 + index}`)
  const tags = Object.fromEntries(ids.map(id => [id, { team: 'dns' }]))
  const { found, asked } = await find({ zoneTags: { team: 'dns' } }, { pages: [ids.map(id => zone(id, 'a.org'))], tags })
  assert.deepEqual(found, ids)
  assert.deepEqual(
    asked.slice(1).map(call => Reflect.get(call, 'ResourceIds')),
    [ids.slice(0, 10), ids.slice(10)],
  )
  assert.equal((await find({ zoneTags: { team: 'dns' } }, {})).asked.length, 1)
})

test('names that are included bound the zones; patterns, names that are excluded and empty ones do not', () => {
  const domain = (filterType: string, matchType: string, name?: string): Domain => ({
    filterType,
    matchType,
    ...(name !== undefined && { name }),
  })
  const domains = [
    domain('Include', 'Exact', 'a.org'),
    domain('Exclude', 'Exact', 'b.org'),
    domain('Include', 'Pattern', 'c.org'),
    domain('Include', 'Exact', ''),
    domain('Include', 'Exact'),
    domain('Include', 'Exact', 'd.org'),
  ]
  assert.deepEqual(boundingDomains(domains), ['a.org', 'd.org'])
  assert.deepEqual(boundingDomains(), [])
})

for (const [what, known, found, expected] of [
  [
    'a zone that is missed once stays, in doubt',
    { zones: ['a', 'b'], doubted: [] },
    ['b'],
    { zones: ['a', 'b'], doubted: ['a'] },
  ],
  ['a zone that is missed twice goes', { zones: ['a', 'b'], doubted: ['a'] }, ['b'], { zones: ['b'], doubted: [] }],
  [
    'a zone that comes back is in doubt no more',
    { zones: ['a', 'b'], doubted: ['a'] },
    ['b', 'a'],
    { zones: ['a', 'b'], doubted: [] },
  ],
  ['a zone that is new comes last', { zones: ['b'], doubted: [] }, ['a', 'b'], { zones: ['b', 'a'], doubted: [] }],
] as const)
  test(what, () => assert.deepEqual(agree(known, found), expected))
