// Manifests as they were written for the existing operator, with what people put into them beside what there is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiVersionName } from '../api/names.ts'
import { answerOf, dnsWorld, openShift } from '../testing/dns-world.ts'

const fqdnTemplate = ['{{.Name}}.example.com', '{{.Name}}.example.org']
const exact = (name: string): object => ({ filterType: 'Include', matchType: 'Exact', name })
const route = { type: 'OpenShiftRoute', openshiftRouteOptions: { routerName: 'default' } }
const service = { type: 'Service', service: { serviceType: ['LoadBalancer', 'ClusterIP', 'NodePort'] }, fqdnTemplate }
const aws = { type: 'AWS', aws: { credentials: { name: 'aws-access-key' } } }
const privateZone = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/privateDnsZones/a.example.com'
const bluecat = { type: 'BlueCat', blueCat: { configFile: { name: 'bluecat-config' } } }
const infoblox = {
  type: 'Infoblox',
  infoblox: { credentials: { name: 'infoblox-credentials' }, gridHost: '192.0.2.1', wapiPort: 443, wapiVersion: '2.12.2' },
}
const gcp = { type: 'GCP', gcp: { credentials: { name: 'gcp-access-key' }, project: 'p' } }

const taken: readonly (readonly [what: string, version: ApiVersionName, spec: object])[] = [
  [
    'two zones, names and a pattern side by side',
    'v1alpha1',
    {
      provider: aws,
      zones: ['zone1', 'zone2'],
      domains: [
        exact('example.com'),
        exact('example.org'),
        { filterType: 'Include', matchType: 'Pattern', pattern: '.*\\.example\\.net' },
      ],
      source: { ...service, hostnameAnnotation: 'Allow' },
    },
  ],
  [
    'a filter by annotations, which neither version has: it is left out',
    'v1alpha1',
    {
      provider: gcp,
      zones: ['zone'],
      source: { ...service, annotationFilter: { 'dns.example.com/publish': 'yes' } },
    },
  ],
  [
    'a label to choose by',
    'v1alpha1',
    {
      provider: aws,
      zones: ['zone'],
      source: { ...service, labelFilter: { matchLabels: { 'dns.example.com/publish': 'yes' } } },
    },
  ],
  [
    'Routes, and nothing said of AWS',
    'v1beta1',
    {
      provider: { type: 'AWS' },
      domains: [exact('apps.example.com')],
      source: route,
      zones: ['Z04015592QJX3EK1YYYYY'],
    },
  ],
  [
    'Routes in a private zone of Azure',
    'v1beta1',
    {
      provider: { type: 'Azure' },
      domains: [exact('a.example.com')],
      source: route,
      zones: [privateZone],
    },
  ],
  ['Routes by Infoblox', 'v1beta1', { provider: infoblox, domains: [exact('example.com')], source: route }],
  ['Routes by BlueCat', 'v1beta1', { provider: bluecat, domains: [exact('example.com')], source: route }],
]

for (const [what, version, spec] of taken)
  test(`a manifest of the existing operator is taken, and read alike in every version: ${what}`, async () => {
    await using world = dnsWorld({ platform: openShift })
    assert.equal(await answerOf(world.create(spec, 'sample', version)), 'allowed')
    const { source, ...rest } = spec as { readonly source: object }
    const { annotationFilter: _none, ...plain } = source as { readonly annotationFilter?: unknown }
    for (const each of ['v1alpha1', 'v1beta1'] as const) {
      const held = (await world.dns('sample', each)).spec as unknown as Readonly<Record<string, unknown>>
      assert.deepEqual({ ...rest, source: plain }, pick(held, { ...rest, source: plain }), each)
    }
  })

test('a manifest of before its first release, with one template and a namespace of the Secret, is refused by the schema', async () => {
  await using world = dnsWorld({ platform: openShift })
  const source = { type: 'Service', fqdnTemplate: '{{.Name}}.example.com' }
  assert.match(await answerOf(world.create({ provider: aws, source }, 'sample', 'v1alpha1')), /spec\.source\.fqdnTemplate/)
})

/** What of the value has a counterpart in the pattern: an API server fills in the rest. */
function pick(value: unknown, pattern: unknown): unknown {
  if (Array.isArray(pattern)) return Array.isArray(value) ? value.map((item: unknown, at) => pick(item, pattern[at])) : value
  if (typeof pattern !== 'object' || pattern === null) return value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(pattern).map(([name, inner]) => [name, pick(Reflect.get(value, name), inner)]))
}
