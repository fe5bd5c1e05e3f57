// Every refusal in its exact words, on OpenShift and on plain Kubernetes, by the older version and by the newest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiVersionName } from '../api/names.ts'
import { answerOf, type DnsWorld, dnsWorld, openShift } from '../testing/dns-world.ts'

const route = { type: 'OpenShiftRoute' }
const credentials = { name: 'x' }
const good = { provider: { type: 'AWS', aws: { credentials } }, source: route }
const infoblox = { credentials, gridHost: 'h', wapiPort: 443, wapiVersion: '2' }
const domain = (more: object): object => ({ ...good, domains: [{ filterType: 'Include', ...more }] })
const ofInfoblox = (more: object): object => ({ ...good, provider: { type: 'Infoblox', infoblox: { ...infoblox, ...more } } })
const incomplete = '"WAPIVersion", "WAPIPort", "GridHost" and credentials file must be specified when provider is Infoblox'
const pattern = 'invalid pattern for "Pattern" match type: error parsing regexp:'

interface Refusal {
  readonly spec: object
  readonly message: string
  /** On OpenShift the platform has it. */
  readonly plainOnly?: true
  /** In the newest version its schema says it first, or it is no fault there. */
  readonly olderOnly?: true
}

const refusals: Readonly<Record<string, Refusal>> = {
  'a name that is absent': {
    spec: domain({ matchType: 'Exact' }),
    message: '"Name" cannot be empty when match type is "Exact"',
  },
  'a name that is empty': {
    spec: domain({ matchType: 'Exact', name: '' }),
    message: '"Name" cannot be empty when match type is "Exact"',
  },
  'a pattern that is absent': {
    spec: domain({ matchType: 'Pattern' }),
    message: '"Pattern" cannot be empty when match type is "Pattern"',
  },
  'a pattern that looks behind': {
    spec: domain({ matchType: 'Pattern', pattern: '(?<=a)b' }),
    message: `${pattern} invalid named capture: \`(?<=a)b\``,
  },
  'a pattern that refers back': {
    spec: domain({ matchType: 'Pattern', pattern: '(a)\\1' }),
    message: `${pattern} invalid escape sequence: \`\\1\``,
  },
  'a pattern that would grow beyond all bounds': {
    spec: domain({ matchType: 'Pattern', pattern: '(a{1000}){1000}' }),
    message: `${pattern} invalid repeat count: \`{1000}\``,
  },
  'a source that was never built': {
    spec: { ...good, source: { type: 'CRD', hostnameAnnotation: 'Allow' } },
    message: 'CRD source is not implemented',
    olderOnly: true,
  },
  'no template where the annotation is ignored': {
    spec: { ...good, source: { type: 'Service' } },
    message: '"fqdnTemplate" must be specified when "hostnameAnnotation" is "Ignore"',
  },
  'AWS without a Secret': {
    spec: { ...good, provider: { type: 'AWS' } },
    message: 'credentials secret must be specified when provider type is AWS',
    plainOnly: true,
  },
  'Azure without a Secret': {
    spec: { ...good, provider: { type: 'Azure' } },
    message: 'config file name must be specified when provider type is Azure',
    plainOnly: true,
  },
  'GCP without a Secret': {
    spec: { ...good, provider: { type: 'GCP' } },
    message: 'credentials secret must be specified when provider type is GCP',
    plainOnly: true,
  },
  'BlueCat without a Secret': {
    spec: { ...good, provider: { type: 'BlueCat' } },
    message: 'config file name must be specified when provider type is BlueCat',
  },
  'Infoblox without anything': { spec: { ...good, provider: { type: 'Infoblox' } }, message: incomplete },
  'Infoblox without a port': { spec: ofInfoblox({ wapiPort: 0 }), message: incomplete },
  'Infoblox without a version': { spec: ofInfoblox({ wapiVersion: '' }), message: incomplete },
  'Infoblox without a host': { spec: ofInfoblox({ gridHost: '' }), message: incomplete },
  'Infoblox without a Secret': { spec: ofInfoblox({ credentials: { name: '' } }), message: incomplete },
  'a role that is no ARN': {
    spec: { ...good, provider: { type: 'AWS', aws: { credentials, assumeRole: { arn: ' arn:aws:iam::1:role/x' } } } },
    message: 'arn " arn:aws:iam::1:role/x" is not a valid AWS ARN',
    olderOnly: true,
  },
}

const platforms: Readonly<Record<string, () => DnsWorld>> = {
  'on plain Kubernetes': () => dnsWorld(),
  'on OpenShift': () => dnsWorld({ platform: openShift }),
}

for (const [where, start] of Object.entries(platforms))
  test(`what cannot be is refused in the words of the existing operator ${where}`, async () => {
    await using world = start()
    for (const [what, { spec, message, plainOnly, olderOnly }] of Object.entries(refusals)) {
      const isFine = plainOnly === true && where === 'on OpenShift'
      const wanted = isFine ? 'allowed' : `admission webhook "vexternaldns.kb.io" denied the request: ${message}`
      const versions: readonly ApiVersionName[] = olderOnly === true ? ['v1beta1'] : ['v1beta1', 'v1beta2']
      for (const version of versions) {
        const name = `${what.toLowerCase().replaceAll(/[^a-z]+/g, '-')}-${version}`
        const answer = await answerOf(world.create(spec, name, version))
        // The newest version cannot say an empty name at all.
        assert.ok(
          answer === wanted || (version === 'v1beta2' && /should be at least 1 chars long/.test(answer)),
          `${what} ${version}: ${answer}`,
        )
      }
    }
    assert.equal(await answerOf(world.create(good, 'good')), 'allowed')
  })

test('domains at their limits are taken, and a pattern that explodes elsewhere is judged in no time', async () => {
  await using world = dnsWorld()
  const name = `${`${'a'.repeat(63)}.`.repeat(3)}${'b'.repeat(61)}`
  const domains = [
    { filterType: 'Include', matchType: 'Exact', name },
    { filterType: 'Include', matchType: 'Exact', name: '*.example.com' },
    { filterType: 'Exclude', matchType: 'Exact', name: '.' },
  ]
  assert.equal(await answerOf(world.create({ ...good, domains }, 'limits')), 'allowed')
  const explosive = domain({ matchType: 'Pattern', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' })
  assert.equal(await answerOf(world.create(explosive, 'explosive')), 'allowed')
  const nested = domain({ matchType: 'Pattern', pattern: `${'('.repeat(1_001)}a${')'.repeat(1_001)}` })
  assert.match(await answerOf(world.create(nested, 'nested')), /error parsing regexp: expression nests too deeply/)
})

test('what only the newest version refuses is refused there and warned of before, line by line', async () => {
  await using world = dnsWorld({ hasRoutes: false })
  const ofAws = (more: object): object => ({ ...good, provider: { type: 'AWS', aws: { credentials, ...more } } })
  const service = { type: 'Service', hostnameAnnotation: 'Allow' }
  const cases: Readonly<Record<string, object>> = {
    'a zone is empty': { ...good, source: service, zones: [''] },
    'zone "ZAAAAAAAAAAAA1" is there more than once': { ...good, source: service, zones: ['ZAAAAAAAAAAAA1', 'ZAAAAAAAAAAAA1'] },
    '"nozone" is no zone id of AWS': { ...good, source: service, zones: ['nozone'] },
    'source OpenShiftRoute needs the Route API, which this cluster has not': good,
    'labelFilter is no label selector: "Like" is no operator of label selectors': {
      ...good,
      source: { ...service, labelFilter: { matchExpressions: [{ key: 'a', operator: 'Like' }] } },
    },
    'fqdnTemplate is no Go template: ': { ...good, source: { ...service, fqdnTemplate: ['{{.Name'] } },
    'assumeRole is for the provider AWS alone': {
      source: service,
      provider: { type: 'GCP', gcp: { credentials }, aws: { assumeRole: { arn: 'arn:aws:iam::111122223333:role/x' } } },
    },
    'credentials and workloadIdentity exclude each other': {
      ...ofAws({ workloadIdentity: { mode: 'PodIdentity' } }),
      source: service,
    },
  }
  for (const [message, spec] of Object.entries(cases)) {
    const answer = await answerOf(world.create(spec, 'new', 'v1beta2'))
    assert.ok(answer.startsWith(`admission webhook "vexternaldns.kb.io" denied the request: ${message}`), `${message}: ${answer}`)
  }
})
