// Every provider and source with the arguments that we render for it, taken or refused by ExternalDNS itself.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildDeployment, missingCapability, type OperandRequest, plainKubernetes } from '#operators/dns'
import { ownLoopback } from '../../src/cli/dev/node/index.ts'
import { verdictOn } from './dns-operand/flags.ts'
import { externalDnsPrograms } from './programs/external-dns.ts'

const name = { name: 'creds' }
const providers: Readonly<Record<string, object>> = {
  AWS: { type: 'AWS', aws: { credentials: name } },
  'AWS with all there is': {
    type: 'AWS',
    aws: {
      credentials: name,
      assumeRole: { arn: 'arn:aws:iam::111111111111:role/dns', externalID: 'x=1' },
      region: 'us-east-1',
      preferCNAME: true,
      zoneType: 'Private',
      zoneTags: { team: 'a', tier: 'web' },
    },
  },
  GCP: { type: 'GCP', gcp: { project: 'p', credentials: name } },
  Azure: { type: 'Azure', azure: { configFile: name } },
  BlueCat: { type: 'BlueCat', blueCat: { configFile: name } },
  Infoblox: {
    type: 'Infoblox',
    infoblox: { credentials: name, gridHost: 'g', wapiPort: 443, wapiVersion: '2.3.1', maxResults: 5, view: 'v' },
  },
}
const template = ['{{.Name}}.example.com', '{{.Name}}.example.org']
const sources: Readonly<Record<string, object>> = {
  Service: { type: 'Service', service: { serviceType: ['LoadBalancer', 'ClusterIP'] }, fqdnTemplate: template },
  'Service by annotation': {
    type: 'Service',
    hostnameAnnotation: 'Allow',
    labelFilter: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c'] }] },
  },
  OpenShiftRoute: { type: 'OpenShiftRoute', hostnameAnnotation: 'Ignore', openshiftRouteOptions: { routerName: 'default' } },
  Ingress: {
    type: 'Ingress',
    hostnameAnnotation: 'Allow',
    namespace: 'shop',
    annotationFilter: 'a=b',
    ingressClassNames: ['nginx', 'alb'],
  },
  CRD: { type: 'CRD', hostnameAnnotation: 'Allow' },
  GatewayHTTPRoute: { type: 'GatewayHTTPRoute', hostnameAnnotation: 'Allow' },
}
const domains = [
  { filterType: 'Include', matchType: 'Exact', name: 'example.com' },
  { filterType: 'Exclude', matchType: 'Exact', name: 'no.example.com' },
  { filterType: 'Include', matchType: 'Pattern', pattern: '(.*)\\.a\\.com' },
  { filterType: 'Include', matchType: 'Pattern', pattern: '(?i)b' },
  { filterType: 'Exclude', matchType: 'Pattern', pattern: 'c|d' },
]

function argumentsOf(provider: object, source: object, operandVersion: string): readonly (readonly string[])[] {
  const spec = { provider, source, domains, intervalSeconds: 90, dryRun: true } as OperandRequest['model']['spec']
  const built = buildDeployment({
    name: 'blue',
    uid: 'u',
    namespace: 'external-dns',
    model: { origin: 'v1beta2', spec },
    zoneRoles: {},
    zones: ['Z1', '/subscriptions/s/resourceGroups/r/providers/Microsoft.Network/privateDnsZones/x'],
    ownerId: 'external-dns-blue',
    platform: plainKubernetes,
    image: 'x',
    operandVersion,
    secret: { name: 'external-dns-credentials-blue', hash: '' },
    trustedCaHash: undefined,
    proxy: {},
    metricsHost: ownLoopback(),
  })
  assert.ok('deployment' in built)
  return built.deployment.spec.template.spec.containers.map(({ args = [] }) => args)
}

for (const [version, program] of externalDnsPrograms()) {
  const env = { EXTERNAL_DNS_INFOBLOX_WAPI_USERNAME: 'u', EXTERNAL_DNS_INFOBLOX_WAPI_PASSWORD: 'p' }
  describe(`arguments of ExternalDNS ${version}`, { skip: 'skipped' in program ? program.skipped : false }, () => {
    const path = 'path' in program ? program.path : ''
    for (const [who, provider] of Object.entries(providers))
      it(`${who}: each source is taken, or refused beforehand by what is known of this version [20.8]`, async () => {
        for (const [what, source] of Object.entries(sources))
          for (const args of argumentsOf(provider, source, version)) {
            const missing = missingCapability(version, args)
            const verdict = await verdictOn(path, args, env)
            if (missing === undefined) assert.equal(verdict, 'taken', `${what}: ${args.join(' ')}`)
            else assert.match(verdict, /^refused: flag parsing error/, `${missing}, and yet: ${args.join(' ')}`)
          }
      })

    it('a flag that it does not know is refused in the words that are read for it [#88]', async () => {
      assert.match(await verdictOn(path, ['--no-such-flag'], {}), /^refused: flag parsing error: unknown long flag/)
      const nameless = ['--source=service', '--provider=aws', '--policy=sync', '--ignore-hostname-annotation']
      assert.match(await verdictOn(path, nameless, {}), /^refused: config validation failed/)
    })
  })
}
