// Which zones an operand writes, from what its object says, what was found and what the platform says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsSpec } from '../api/spec.ts'
import type { DnsSeen } from '../external-dns/seen.ts'
import { discoveryMode, effectiveZones, lacksZones, zoneRoles, zoneWish } from './effective.ts'
import { type PlatformDns, platformRoles, platformZones } from './platform-dns.ts'
import { discoveryRefusal } from './refusals.ts'

type ZonesSeen = Pick<DnsSeen, 'dns' | 'model' | 'preflight' | 'platformDns'>

const role = 'arn:aws:iam::111111111111:role/private'
const platformDns = (spec: object = { publicZone: { id: 'PUBLIC' }, privateZone: { id: 'PRIVATE' } }): PlatformDns =>
  ({ spec }) as PlatformDns

function seen(
  spec: object,
  more: { readonly status?: object; readonly found?: readonly string[]; readonly platformDns?: PlatformDns } = {},
) {
  const { status, found, platformDns: platform } = more
  return {
    dns: { status },
    model: { spec: { provider: { type: 'AWS' }, source: { type: 'Service' }, ...spec } },
    preflight: found === undefined ? undefined : { found: { zones: found, doubted: [] } },
    platformDns: platform,
  } as unknown as ZonesSeen
}

const looking = { zoneDiscovery: { mode: 'AssumedRole' } }
const ofPlatform = { zoneDiscovery: { mode: 'PlatformDNS' } }

for (const [what, of, mode, zones, lacks] of [
  ['names no zones and looks for none', seen({}), 'None', [], false],
  ['names a zone', seen({ zones: ['A'] }), 'None', ['A'], false],
  ['names a zone and looks for others', seen({ zones: ['A'], ...looking }, { found: ['B'] }), 'None', ['A'], false],
  [
    'has an empty list of zones and looks for some',
    seen({ zones: [], ...looking }, { found: ['B'] }),
    'AssumedRole',
    ['B'],
    false,
  ],
  ['looks for zones in a way that nobody knows', seen({ zoneDiscovery: { mode: 'Sky' } }), 'None', [], false],
  ['looks for zones and has found none', seen(looking, { found: [] }), 'AssumedRole', [], true],
  ['has not looked again since the start', seen(looking, { status: { zones: ['C'] } }), 'AssumedRole', ['C'], false],
  [
    'has found others than its status says',
    seen(looking, { status: { zones: ['C'] }, found: ['D'] }),
    'AssumedRole',
    ['D'],
    false,
  ],
  ['has never looked', seen(looking), 'AssumedRole', [], true],
  [
    'asks a platform that names two',
    seen(ofPlatform, { platformDns: platformDns() }),
    'PlatformDNS',
    ['PUBLIC', 'PRIVATE'],
    false,
  ],
  ['asks a platform that says nothing', seen(ofPlatform, { status: { zones: ['C'] } }), 'PlatformDNS', [], true],
] as const)
  test(`an object that ${what} writes ${zones.length === 0 ? (lacks ? 'nothing' : 'all zones') : zones.join(', ')}`, () =>
    assert.deepEqual([discoveryMode(of), effectiveZones(of), lacksZones(of)], [mode, zones, lacks]))

const withRole = platformDns({ privateZone: { id: 'PRIVATE' }, platform: { aws: { privateZoneIAMRole: role } } })

test('the role of the private zone is used where the object asks the platform and names no role itself', () => {
  const assumeRole = { provider: { type: 'AWS', aws: { assumeRole: { arn: 'x' } } } }
  assert.deepEqual(zoneRoles(seen(ofPlatform, { platformDns: withRole })), { PRIVATE: role })
  assert.deepEqual(zoneRoles(seen({ ...ofPlatform, ...assumeRole }, { platformDns: withRole })), {})
  assert.deepEqual(zoneRoles(seen(looking, { platformDns: withRole })), {})
})

test('what is looked for is what the object says of its domains and of AWS, and nothing where nobody has to look', () => {
  const domains = [{ filterType: 'Include', matchType: 'Exact', name: 'a.org' }]
  const provider = { type: 'AWS', aws: { zoneType: 'Private', zoneTags: { a: 'b' } } }
  assert.deepEqual(zoneWish(seen({ ...looking, domains, provider })), {
    domains: ['a.org'],
    zoneType: 'Private',
    zoneTags: { a: 'b' },
  })
  assert.deepEqual(zoneWish(seen(looking)), { domains: [], zoneType: undefined, zoneTags: {} })
  for (const spec of [{}, ofPlatform, { ...looking, zones: ['A'] }]) assert.equal(zoneWish(seen(spec)), undefined)
})

for (const [what, dns, zones, roles] of [
  ['that is not there', undefined, [], {}],
  ['that says nothing', platformDns({}), [], {}],
  ['with a public zone alone', platformDns({ publicZone: { id: 'A' } }), ['A'], {}],
  ['with a private zone alone', platformDns({ privateZone: { id: 'B' } }), ['B'], {}],
  ['with one zone for both', platformDns({ publicZone: { id: 'A' }, privateZone: { id: 'A' } }), ['A'], {}],
  ['with zones that are known by their tags', platformDns({ publicZone: { tags: {} }, privateZone: { id: '' } }), [], {}],
  ['with a role of its private zone', withRole, ['PRIVATE'], { PRIVATE: role }],
  [
    'with a role and no private zone',
    platformDns({ publicZone: { id: 'A' }, platform: { aws: { privateZoneIAMRole: role } } }),
    ['A'],
    {},
  ],
] as const)
  test(`of a platform ${what} the zones are ${zones.length === 0 ? 'none' : zones.join(', ')}`, () =>
    assert.deepEqual([platformZones(dns), platformRoles(dns)], [zones, roles]))

const plain = { isOpenShift: false, triesCredentials: true }

for (const [what, spec, context, why] of [
  ['by the platform, on OpenShift', ofPlatform, { ...plain, isOpenShift: true }, undefined],
  ['by the platform, elsewhere', ofPlatform, plain, 'needs OpenShift, which says which zones are its own'],
  ['by the platform, elsewhere, beside a zone that is named', { ...ofPlatform, zones: ['A'] }, plain, undefined],
  [
    'by the platform, elsewhere, beside an empty list',
    { ...ofPlatform, zones: [] },
    plain,
    'needs OpenShift, which says which zones are its own',
  ],
  ['with the role', looking, plain, undefined],
  ['with the role, at another provider', { ...looking, provider: { type: 'GCP' } }, plain, 'is for the provider AWS'],
  [
    'with an identity that only the pod has',
    { ...looking, provider: { type: 'AWS', aws: { workloadIdentity: { mode: 'PodIdentity' } } } },
    plain,
    'cannot be used with PodIdentity, whose credentials only the pod has',
  ],
  [
    'with a token of the operand',
    { ...looking, provider: { type: 'AWS', aws: { workloadIdentity: { mode: 'IRSA' } } } },
    plain,
    undefined,
  ],
  ['where nobody tries credentials', looking, { ...plain, triesCredentials: false }, 'needs the preflight, which is off'],
  [
    'where the object has them not tried',
    { ...looking, preflight: { enabled: false } },
    plain,
    'needs the preflight, which is off',
  ],
  ['where the object has them tried', { ...looking, preflight: { enabled: true } }, plain, undefined],
  ['not at all, where nobody could', { preflight: { enabled: false } }, { ...plain, triesCredentials: false }, undefined],
] as const)
  test(`looking for zones ${what} is ${why === undefined ? 'no fault' : 'refused'}`, () => {
    const whole = { provider: { type: 'AWS' }, source: { type: 'Service' }, ...spec } as unknown as DnsSpec
    const mode = whole.zoneDiscovery?.mode
    const expected = why === undefined ? undefined : `zoneDiscovery.mode ${mode} ${why}; name the zones in spec.zones`
    assert.equal(discoveryRefusal(whole, context), expected)
  })
