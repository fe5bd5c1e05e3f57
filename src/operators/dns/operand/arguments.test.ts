// The cases about single arguments, environment and names: what is built of an object, without a cluster.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cautions, newRefusals } from '../admission/cautions.ts'
import { kinds } from '../api/kinds.ts'
import type { ApiVersionName } from '../api/names.ts'
import { modelOf } from '../convert/convert.ts'
import { wantedCredentialsRequest } from '../credentials/request.ts'
import { buildDeployment, type Container, type Deployment } from './deployment.ts'
import { repaired } from './drift.ts'
import { type OperandRequest, plainKubernetes } from './request.ts'

interface Asked extends Partial<OperandRequest> {
  readonly version?: ApiVersionName
}

const route = { type: 'OpenShiftRoute' }

function requestOf(spec: object, { version = 'v1beta1', ...more }: Asked = {}): OperandRequest {
  const object = { apiVersion: kinds[version].apiVersion, kind: 'ExternalDNS', metadata: { name: 'blue', uid: 'u' }, spec }
  const model = modelOf(object as never)
  return {
    name: 'blue',
    uid: 'u',
    namespace: 'external-dns',
    model,
    zones: model.spec.zones ?? [],
    zoneRoles: {},
    ownerId: 'external-dns-blue',
    platform: plainKubernetes,
    image: 'x:1',
    operandVersion: '0.14.2',
    secret: { name: 'external-dns-credentials-blue', hash: 'h' },
    trustedCaHash: undefined,
    proxy: {},
    metricsHost: '127.0.0.1',
    ...more,
  }
}

function built(spec: object, more: Asked = {}): Deployment {
  const result = buildDeployment(requestOf(spec, more))
  assert.ok('deployment' in result, JSON.stringify(result))
  return result.deployment
}

const containersOf = (spec: object, more: Asked = {}): readonly Container[] => built(spec, more).spec.template.spec.containers

function argsOf(spec: object, prefix: string, more: Asked = {}): readonly string[] {
  return containersOf(spec, more).flatMap(({ args = [] }) => args.filter(argument => argument.startsWith(prefix)))
}

const withSource = (source: object, more: object = {}): object => ({
  provider: { type: 'AWS', aws: { credentials: { name: 'x' } } },
  source: { type: 'Service', hostnameAnnotation: 'Allow', ...source },
  ...more,
})

test('an empty selector is no argument, and requirements are those of a selector [#19, #20, 19.2]', () => {
  const filterOf = (labelFilter: unknown): readonly string[] => argsOf(withSource({ labelFilter }), '--label-filter')
  for (const empty of [{}, null, { matchLabels: {} }, { matchExpressions: [] }]) assert.deepEqual(filterOf(empty), [])
  assert.deepEqual(filterOf({ matchExpressions: [{ key: 'k', operator: 'In', values: ['v'] }] }), ['--label-filter=k in (v)'])
  const matchExpressions = [
    { key: 'z', operator: 'DoesNotExist' },
    { key: 'a', operator: 'NotIn', values: ['2', '1'] },
    { key: 'm', operator: 'Exists' },
  ]
  assert.deepEqual(filterOf({ matchLabels: { b: 'c' }, matchExpressions }), ['--label-filter=a notin (1,2),b=c,m,!z'])
})

const azure = (zones: readonly string[]): object => ({
  provider: { type: 'Azure', azure: { configFile: { name: 'x' } } },
  source: route,
  ...(zones.length === 0 ? {} : { zones }),
})
const azureZone = (kind: string, name: string): string =>
  `/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/${kind}/${name}`

test('Azure without zones has a container for public zones and one for private ones, by names of their own [#53, 19.1]', () => {
  const containers = containersOf(azure([]))
  assert.deepEqual(
    containers.map(({ name }) => name),
    ['external-dns-n56fh6dh59ch5fcq', 'external-dns-n54fh5b6h8fh5b8q'],
  )
  assert.deepEqual(argsOf(azure([]), '--provider'), ['--provider=azure', '--provider=azure-private-dns'])
})

test('of Azure the kind of a zone decides who serves it, in any letter case [#54, #55]', () => {
  const zones = [azureZone('privateDnsZones', 'x.org'), azureZone('dnszones', 'x.org'), azureZone('PRIVATEDNSZONES', 'y.org')]
  assert.deepEqual(argsOf(azure(zones), '--provider'), [
    '--provider=azure-private-dns',
    '--provider=azure',
    '--provider=azure-private-dns',
  ])
  assert.deepEqual(
    argsOf(azure(zones), '--zone-id-filter'),
    zones.map(zone => `--zone-id-filter=${zone}`),
  )
})

const include = (pattern: string): object => ({ filterType: 'Include', matchType: 'Pattern', pattern })
const exact = (name: string, filterType = 'Include'): object => ({ filterType, matchType: 'Exact', name })

test('one pattern is passed as it is, several are joined with parentheses [#56]', () => {
  const one = withSource({}, { domains: [include('^a$')] })
  assert.deepEqual(argsOf(one, '--regex-domain-filter'), ['--regex-domain-filter=^a$'])
  const two = withSource({}, { domains: [include('^a$'), include('^b$')] })
  assert.deepEqual(argsOf(two, '--regex-domain-filter'), ['--regex-domain-filter=(^a$)|(^b$)'])
})

test('names and patterns side by side are all passed, in their order, and warned of [#57]', () => {
  const spec = withSource({}, { domains: [exact('b.org'), include('^a$'), exact('c.org', 'Exclude'), exact('a.org')] })
  const domainArgs = containersOf(spec)[0]?.args?.filter(argument => /domain/.test(argument))
  assert.deepEqual(domainArgs, [
    '--domain-filter=b.org',
    '--exclude-domains=c.org',
    '--domain-filter=a.org',
    '--regex-domain-filter=^a$',
  ])
  assert.match(cautions(requestOf(spec).model.spec).join(), /Exact and Pattern domains are mixed/)
})

test('templates are one argument, and ClusterIP publishes internal Services once [#58, #59]', () => {
  const fqdnTemplate = ['{{.Name}}.a.org', '{{.Name}}.b.org']
  assert.deepEqual(argsOf(withSource({ fqdnTemplate }), '--fqdn-template'), ['--fqdn-template={{.Name}}.a.org,{{.Name}}.b.org'])
  const service = { serviceType: ['ClusterIP', 'LoadBalancer', 'ClusterIP'] }
  assert.deepEqual(argsOf(withSource({ service }), '--publish-internal-services'), ['--publish-internal-services'])
  assert.deepEqual(argsOf(withSource({ service }), '--service-type-filter'), [
    '--service-type-filter=ClusterIP',
    '--service-type-filter=LoadBalancer',
    '--service-type-filter=ClusterIP',
  ])
})

test('the proxy of the operator is its operands’ until it has none, and never BlueCat’s [#66, #69]', () => {
  const proxy = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '.svc' }
  const spec = withSource({})
  const behind = built(spec, { proxy })
  const names = (deployment: Deployment | undefined): readonly string[] =>
    (deployment?.spec.template.spec.containers[0]?.env ?? []).map(({ name }) => name)
  assert.deepEqual(names(behind), ['HTTPS_PROXY', 'NO_PROXY', 'AWS_SHARED_CREDENTIALS_FILE'])
  const mended = repaired(behind.spec, built(spec).spec, new Set())
  assert.deepEqual(names(mended === undefined ? undefined : { ...behind, spec: mended }), ['AWS_SHARED_CREDENTIALS_FILE'])
  const blueCat = { provider: { type: 'BlueCat', blueCat: { configFile: { name: 'x' } } }, source: route }
  assert.equal(containersOf(blueCat, { proxy })[0]?.env, undefined)
})

test('on OpenShift the project of the platform is the one, and without one there is no argument [#70]', () => {
  const spec = { provider: { type: 'GCP', gcp: { project: 'mine', credentials: { name: 'x' } } }, source: route }
  const openShift = (gcpProject: string): Asked => ({ platform: { isOpenShift: true, type: 'GCP', awsRegion: '', gcpProject } })
  assert.deepEqual(argsOf(spec, '--google-project', openShift('theirs')), ['--google-project=theirs'])
  assert.deepEqual(argsOf(spec, '--google-project', openShift('')), [])
  assert.deepEqual(argsOf(spec, '--google-project'), ['--google-project=mine'])
})

test('a number of results and an interval are arguments where they say something [#71, #72]', () => {
  const infoblox = (maxResults: number): object => ({
    provider: {
      type: 'Infoblox',
      infoblox: { credentials: { name: 'x' }, gridHost: 'h', wapiPort: 443, wapiVersion: '2', maxResults },
    },
    source: route,
  })
  assert.deepEqual(argsOf(infoblox(0), '--infoblox-max-results'), [])
  assert.deepEqual(argsOf(infoblox(2000), '--infoblox-max-results'), ['--infoblox-max-results=2000'])
  assert.deepEqual(argsOf(withSource({}, { intervalSeconds: 120 }), '--interval'), ['--interval=120s'])
})

test('in GovCloud the partition, the region and the kind of record are those of GovCloud [#49]', () => {
  const platform = { isOpenShift: true, type: 'AWS', awsRegion: 'us-gov-west-1', gcpProject: '' }
  const spec = { provider: { type: 'AWS' }, source: route }
  const asked = wantedCredentialsRequest({ name: 'blue', spec: requestOf(spec).model.spec, platform, operatorNamespace: 'o' })
  assert.match(JSON.stringify(asked?.spec.providerSpec), /arn:aws-us-gov:route53:::hostedzone\/\*/)
  assert.deepEqual(argsOf(spec, '--aws-prefer-cname', { platform }), ['--aws-prefer-cname'])
  assert.deepEqual(containersOf(spec, { platform })[0]?.env?.[0], { name: 'AWS_REGION', value: 'us-gov-west-1' })
})

test('a part of a zone id is passed on, warned of in older versions and refused in the newest [#93]', () => {
  const spec = withSource({}, { zones: ['ABC'] })
  assert.deepEqual(argsOf(spec, '--zone-id-filter'), ['--zone-id-filter=ABC'])
  const context = { name: 'blue', hasRoutes: true, isOpenShift: false }
  assert.deepEqual(newRefusals(requestOf(spec).model.spec, context), ['"ABC" is no zone id of AWS'])
})

test('what stands in a field stays what it is: no name of a variable in it becomes the value of one', () => {
  const infoblox = {
    credentials: { name: 'x' },
    gridHost: '$(EXTERNAL_DNS_INFOBLOX_WAPI_PASSWORD).evil.org',
    wapiPort: 443,
    wapiVersion: '2',
  }
  const fqdnTemplate = ['$(EXTERNAL_DNS_INFOBLOX_WAPI_PASSWORD).evil.org', '$(OTHER)', '$$(EXTERNAL_DNS_INFOBLOX_WAPI_USERNAME)']
  const spec = { provider: { type: 'Infoblox', infoblox }, source: { ...route, fqdnTemplate } }
  assert.deepEqual(argsOf(spec, '--infoblox-grid-host'), [
    '--infoblox-grid-host=$$(EXTERNAL_DNS_INFOBLOX_WAPI_PASSWORD).evil.org',
  ])
  assert.deepEqual(argsOf(spec, '--fqdn-template'), [
    '--fqdn-template=$$(EXTERNAL_DNS_INFOBLOX_WAPI_PASSWORD).evil.org,$(OTHER),$$$$(EXTERNAL_DNS_INFOBLOX_WAPI_USERNAME)',
  ])
})

const infoblox = (more: object): object => ({
  provider: { type: 'Infoblox', infoblox: { credentials: { name: 'x' }, gridHost: 'h', wapiVersion: '2', ...more } },
  source: route,
})
const irsa = (more: object = {}): object => ({
  provider: { type: 'AWS', aws: { workloadIdentity: { mode: 'IRSA', roleARN: 'r', projectToken: true, ...more } } },
  source: route,
})
const newest: Asked = { version: 'v1beta2' }
const crd = { type: 'CRD', crd: { kind: 'Mine', version: 'example.com/v1' } }

for (const [what, spec, prefix, more, expected] of [
  ['Routes of a Gateway', withSource({ type: 'GatewayHTTPRoute' }), '--source', newest, ['--source=gateway-httproute']],
  [
    'endpoints',
    withSource({ type: 'CRD' }),
    '--crd-source',
    newest,
    ['--crd-source-apiversion=externaldns.k8s.io/v1alpha1', '--crd-source-kind=DNSEndpoint'],
  ],
  [
    'endpoints of a kind of its own',
    withSource(crd),
    '--crd-source',
    newest,
    ['--crd-source-apiversion=example.com/v1', '--crd-source-kind=Mine'],
  ],
  ['Services, beside the kind of an endpoint', withSource({ ...crd, type: 'Service' }), '--crd-source', newest, []],
  ['Services of no type that is named', withSource({}), '--service-type', newest, ['--service-type-filter=LoadBalancer']],
  ['Services of no type that is named, as older versions mean it', withSource({}), '--service-type', {}, []],
  ['Ingresses', withSource({ type: 'Ingress' }), '--service-type', newest, []],
  [
    'records that are never taken away',
    withSource({}, { ownership: { policy: 'CreateOnly' } }),
    '--policy',
    newest,
    ['--policy=create-only'],
  ],
  [
    'records that are only put',
    withSource({}, { ownership: { policy: 'UpsertOnly' } }),
    '--policy',
    newest,
    ['--policy=upsert-only'],
  ],
  ['records in a way that nobody knows', withSource({}, { ownership: { policy: 'Odd' } }), '--policy', newest, ['--policy=sync']],
  ['records as ever', withSource({}), '--policy', newest, ['--policy=sync']],
  ['nothing, but says what it would do', withSource({}, { dryRun: true }), '--dry-run', newest, ['--dry-run']],
  ['all that it says', withSource({}, { dryRun: false }), '--dry-run', newest, []],
  ['each second', withSource({}, { intervalSeconds: 1 }), '--interval', {}, ['--interval=1s']],
  ['at no interval', withSource({}, { intervalSeconds: 0 }), '--interval', {}, []],
  ['a grid without a port', infoblox({}), '--infoblox-wapi-port', {}, ['--infoblox-wapi-port=0']],
  ['a view of a grid', infoblox({ view: 'internal' }), '--infoblox-view', newest, ['--infoblox-view=internal']],
  ['no view of a grid', infoblox({ view: '' }), '--infoblox-view', newest, []],
  ['one result at a time', infoblox({ maxResults: 1 }), '--infoblox-max', newest, ['--infoblox-max-results=1']],
  [
    'CNAME where ALIAS would do',
    { provider: { type: 'AWS', aws: { preferCNAME: true } }, source: route },
    '--aws-prefer',
    newest,
    ['--aws-prefer-cname'],
  ],
  ['ALIAS where it can', { provider: { type: 'AWS', aws: { preferCNAME: false } }, source: route }, '--aws-prefer', newest, []],
] as const)
  test(`an operand that writes ${what} is told ${expected.join(' ') || `nothing of ${prefix}`}`, () =>
    assert.deepEqual(argsOf(spec, prefix, more), expected))

test('the token of a role is put into the pod where the object asks for it, for a day and for STS in the region unless it says otherwise', () => {
  const partsOf = (more: object): unknown => {
    const { containers, volumes = [] } = built(irsa(more), { ...newest, secret: { name: '', hash: '' } }).spec.template.spec
    const [{ env = [], volumeMounts = [] } = {}] = containers
    return { env: Object.fromEntries(env.map(({ name, value }) => [name, value])), volumes, volumeMounts }
  }
  const folder = '/var/run/secrets/eks.amazonaws.com/serviceaccount'
  const parts = (audience: string, expirationSeconds: number, sts: string): object => ({
    env: { AWS_ROLE_ARN: 'r', AWS_WEB_IDENTITY_TOKEN_FILE: `${folder}/token`, AWS_STS_REGIONAL_ENDPOINTS: sts },
    volumes: [
      {
        name: 'aws-iam-token',
        projected: { sources: [{ serviceAccountToken: { audience, expirationSeconds, path: 'token' } }] },
      },
    ],
    volumeMounts: [{ name: 'aws-iam-token', mountPath: folder, readOnly: true }],
  })
  assert.deepEqual(partsOf({}), parts('sts.amazonaws.com', 86_400, 'regional'))
  const wishes = { audience: 'mine', tokenExpirationSeconds: 600, regionalEndpoints: false }
  assert.deepEqual(partsOf(wishes), parts('mine', 600, 'legacy'))
  assert.deepEqual(partsOf({ regionalEndpoints: true }), parts('sts.amazonaws.com', 86_400, 'regional'))
  for (const none of [{ projectToken: false }, { projectToken: undefined }, { mode: 'PodIdentity' }])
    assert.deepEqual(partsOf(none), { env: {}, volumes: [], volumeMounts: [] })
})
