import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsSpec } from '../api/spec.ts'
import { type CautionContext, cautions, newRefusals } from './cautions.ts'

const plain = { provider: { type: 'AWS' }, source: { type: 'Service' }, zones: ['Z1'] }
const spec = (more: object): DnsSpec => ({ ...plain, ...more }) as unknown as DnsSpec
const context: CautionContext = { name: 'blue', hasRoutes: true, isOpenShift: true }

const domain = (filterType: string, matchType: string): object => ({ filterType, matchType })
const mixed = 'Exact and Pattern domains are mixed: the operand ignores every Exact one once a Pattern is included'
const alone = 'a Pattern is excluded and none included: operands up to 0.14 ignore the exclusion'
const both = 'Patterns are included and excluded: operands up to 0.14 apply the exclusion alone'
const everything = 'neither zones nor domains are named: all zones that the credentials can see are managed'
const anyName = 'hostnameAnnotation Allow lets whoever may write such objects choose any DNS name in the zones'
const long = (max: number): string =>
  `a name of fqdnTemplate begins with a label longer than ${max}, which leaves no room for its owner's record`
const template = (text: string, type = 'AWS'): DnsSpec =>
  spec({ provider: { type }, source: { type: 'Service', fqdnTemplate: [text] } })

const rows: readonly (readonly [what: string, spec: DnsSpec, told: readonly string[]])[] = [
  ['a zone is named', spec({}), []],
  ['nothing is named', spec({ zones: [] }), [everything]],
  ['nothing is named, and zones are not looked for', spec({ zones: undefined, zoneDiscovery: { mode: 'None' } }), [everything]],
  ['zones are looked for', spec({ zones: [], zoneDiscovery: { mode: 'Tags' } }), []],
  ['a domain alone is named', spec({ zones: [], domains: [domain('Include', 'Exact')] }), []],
  [
    'Exact stands beside an included Pattern',
    spec({ domains: [domain('Include', 'Exact'), domain('Include', 'Pattern')] }),
    [mixed],
  ],
  [
    'Exact stands beside an excluded Pattern',
    spec({ domains: [domain('Include', 'Exact'), domain('Exclude', 'Pattern')] }),
    [mixed, alone],
  ],
  ['Exact ones are included and excluded', spec({ domains: [domain('Include', 'Exact'), domain('Exclude', 'Exact')] }), []],
  ['Patterns are included and excluded', spec({ domains: [domain('Include', 'Pattern'), domain('Exclude', 'Pattern')] }), [both]],
  ['Patterns are included', spec({ domains: [domain('Include', 'Pattern')] }), []],
  ['hostnames are allowed', spec({ source: { type: 'Service', hostnameAnnotation: 'Allow' } }), [anyName]],
  ['hostnames are ignored', spec({ source: { type: 'Service', hostnameAnnotation: 'Ignore' } }), []],
  ['a label has 44 characters', template(`${'x'.repeat(44)}.example.com`), []],
  ['a label has 45 characters', template(`${'x'.repeat(45)}.example.com`), [long(44)]],
  ['a wildcard has 44 characters', template(`*${'x'.repeat(43)}.example.com`), []],
  ['a wildcard of Azure has 42 characters', template(`*${'x'.repeat(41)}.example.com`, 'Azure'), []],
  ['a wildcard of Azure has 43 characters', template(`*${'x'.repeat(42)}.example.com`, 'Azure'), [long(42)]],
  ['a label of Azure has 44 characters', template(`${'x'.repeat(44)}.example.com`, 'Azure'), []],
  ['the rest of a long label is an action', template(`{{.Name}}${'x'.repeat(44)}.example.com`), []],
]

for (const [what, asked, told] of rows)
  test(`when ${what}, ${told.length} ${told.length === 1 ? 'caution is' : 'cautions are'} told`, () =>
    assert.deepEqual(cautions(asked), told))

const aws = (more: object): DnsSpec => spec({ provider: { type: 'AWS', aws: more } })
const arn = 'arn:aws:iam::111122223333:role/dns'
const refusals: readonly (readonly [
  what: string,
  spec: DnsSpec,
  refused: readonly string[],
  context?: Partial<CautionContext>,
])[] = [
  ['all is well', spec({}), []],
  ['a zone stands twice', spec({ zones: ['Z1', 'Z2', 'Z1'] }), ['zone "Z1" is there more than once']],
  ['a zone is empty', spec({ zones: ['Z1', ''] }), ['a zone is empty']],
  ['a zone is no zone', spec({ zones: ['Z1', 'example.com'] }), ['"example.com" is no zone id of AWS']],
  ['a zone has its kind before it', spec({ zones: ['/hostedzone/Z1'] }), []],
  ['a zone is that of another provider', spec({ provider: { type: 'GCP' }, zones: ['anything'] }), []],
  ['a zone of Azure is none', spec({ provider: { type: 'Azure' }, zones: ['Z1'] }), ['"Z1" is no zone id of Azure']],
  ['a role is none', aws({ assumeRole: { arn: 'x' } }), ['"x" is not the ARN of an IAM role']],
  ['a role is empty', aws({ assumeRole: { arn: '' } }), []],
  ['an external id has no role', aws({ assumeRole: { externalID: 'x' } }), ['externalID needs the arn of a role']],
  ['an external id has a role', aws({ assumeRole: { arn, externalID: 'x' } }), []],
  [
    'there are two identities',
    aws({ workloadIdentity: {}, credentials: { name: 'x' } }),
    ['credentials and workloadIdentity exclude each other'],
  ],
  [
    'a role is of another provider',
    spec({ provider: { type: 'GCP', aws: { assumeRole: { arn } } }, zones: [] }),
    ['assumeRole is for the provider AWS alone'],
  ],
  ['zones are looked for with the role', spec({ zones: [], zoneDiscovery: { mode: 'AssumedRole' } }), []],
  ['Routes are there', spec({ source: { type: 'OpenShiftRoute' } }), []],
  [
    'there are no Routes',
    spec({ source: { type: 'OpenShiftRoute' } }),
    ['source OpenShiftRoute needs the Route API, which this cluster has not'],
    { hasRoutes: false },
  ],
  ['there are no Routes, and none are needed', spec({}), [], { hasRoutes: false }],
]

for (const [what, asked, refused, more] of refusals)
  test(`when ${what}, the newest version refuses ${refused.length === 0 ? 'nothing' : refused.join()}`, () =>
    assert.deepEqual(newRefusals(asked, { ...context, ...more }), refused))

test('of several templates that are none one is told, and a name that is no label once', () => {
  const two = spec({ source: { type: 'Service', fqdnTemplate: ['{{.Name}}', '{{ if }}', '{{ nothing }}'] } })
  assert.deepEqual(newRefusals(two, context), ['fqdnTemplate is no Go template: an action is not ended'])
  for (const [name, why] of [
    ['x'.repeat(64), /^the name cannot be the value of a label: .*63/],
    ['.x', /^the name cannot be the value of a label: (?!undefined)/],
  ] as const) {
    const [refused = '', ...more] = newRefusals(spec({}), { ...context, name })
    assert.match(refused, why)
    assert.deepEqual(more, [])
  }
  assert.deepEqual(newRefusals(spec({}), { ...context, name: '' }), [])
})
