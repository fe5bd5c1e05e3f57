// Random objects of every version: what its schema lets through, and what was stored before a schema became strict.
import * as fc from 'fast-check'
import type { KubeObject } from '#kube'
import { type ApiVersionName, group } from '../api/names.ts'

export type AnyDns = KubeObject & { readonly spec: Readonly<Record<string, unknown>>; readonly status?: unknown }

const word = fc.constantFrom('a', 'b', 'dns-creds', 'x.example.com', 'ü', 'Z1', '~/')
const name = fc.record({ name: word })
const emptyOrName = fc.record({ name: fc.constantFrom('', 'dns-creds', 'x') })
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined })

const domains = fc.array(
  fc.record(
    {
      filterType: fc.constantFrom('Include', 'Exclude'),
      matchType: fc.constantFrom('Exact', 'Pattern'),
      name: word,
      pattern: fc.constantFrom('(.*)\\.test\\.com', 'a|b', '(?i)foo'),
    },
    { requiredKeys: ['filterType', 'matchType'] },
  ),
  { maxLength: 3 },
)

const arn = fc.constantFrom('arn:aws:iam::111122223333:role/dns', 'arn:::::', '')

function secretOf(version: ApiVersionName): fc.Arbitrary<unknown> {
  return version === 'v1beta2' ? maybe(name) : emptyOrName
}

function aws(version: ApiVersionName): fc.Arbitrary<unknown> {
  const externalID = version === 'v1beta2' ? { externalID: maybe(word) } : {}
  const isNewest = version === 'v1beta2'
  return fc.record({
    credentials: secretOf(version),
    ...(version === 'v1alpha1' ? {} : { assumeRole: maybe(fc.record({ arn, ...externalID })) }),
    ...(isNewest
      ? {
          region: maybe(word),
          preferCNAME: maybe(fc.boolean()),
          zoneTags: maybe(fc.dictionary(word, word, { maxKeys: 2 })),
          workloadIdentity: maybe(fc.record({ mode: fc.constantFrom('IRSA', 'PodIdentity'), roleARN: maybe(arn) })),
        }
      : {}),
  })
}

function provider(version: ApiVersionName): fc.Arbitrary<unknown> {
  const maxResults = version === 'v1alpha1' ? {} : { maxResults: maybe(fc.nat(10_000)) }
  const view = version === 'v1beta2' ? { view: maybe(word) } : {}
  return fc.record({
    type: fc.constantFrom('AWS', 'GCP', 'Azure', 'BlueCat', 'Infoblox'),
    aws: maybe(aws(version)),
    gcp: maybe(fc.record({ project: maybe(word), credentials: secretOf(version) })),
    azure: maybe(fc.record({ configFile: secretOf(version) })),
    blueCat: maybe(fc.record({ configFile: emptyOrName })),
    infoblox: maybe(
      fc.record({ credentials: emptyOrName, gridHost: word, wapiPort: fc.nat(), wapiVersion: word, ...maxResults, ...view }),
    ),
  })
}

function source(version: ApiVersionName): fc.Arbitrary<unknown> {
  const isNewest = version === 'v1beta2'
  return fc.record({
    type: fc.constantFrom('OpenShiftRoute', 'Service', 'CRD', ...(isNewest ? ['Ingress', 'GatewayHTTPRoute'] : [])),
    hostnameAnnotation: maybe(fc.constantFrom('Ignore', 'Allow')),
    labelFilter: maybe(fc.record({ matchLabels: maybe(fc.dictionary(word, word, { maxKeys: 2 })) })),
    service: maybe(fc.record({ serviceType: maybe(fc.array(fc.constantFrom('ClusterIP', 'LoadBalancer'), { minLength: 1 })) })),
    fqdnTemplate: maybe(fc.array(fc.constantFrom('{{.Name}}.example.com', '{{""}}'), { maxLength: 2 })),
    ...(isNewest
      ? {
          crd: maybe(fc.record({ kind: word, version: word })),
          namespace: maybe(word),
          ingressClassNames: maybe(fc.array(word, { maxLength: 2 })),
        }
      : {}),
  })
}

function spec(version: ApiVersionName): fc.Arbitrary<Record<string, unknown>> {
  const newest: Record<string, fc.Arbitrary<unknown>> = {
    ownership: maybe(fc.record({ ownerID: maybe(word), txtPrefix: maybe(word), policy: fc.constant('Sync') })),
    operand: maybe(fc.record({ logLevel: fc.constant('Info'), nodeSelector: maybe(fc.dictionary(word, word, { maxKeys: 1 })) })),
    preflight: maybe(fc.record({ enabled: fc.boolean(), intervalSeconds: fc.constant(600) })),
    zoneDiscovery: maybe(fc.record({ mode: fc.constantFrom('None', 'AssumedRole') })),
    dryRun: maybe(fc.boolean()),
  }
  return fc.record({
    domains: maybe(domains),
    provider: provider(version),
    source: source(version),
    zones: maybe(fc.array(word, { maxLength: 3 })),
    ...(version === 'v1alpha1' ? {} : { intervalSeconds: maybe(fc.integer({ min: 60, max: 3600 })) }),
    ...(version === 'v1beta2' ? newest : {}),
  })
}

/** As JSON carries it: what is undefined is not there. */
export function randomDns(version: ApiVersionName): fc.Arbitrary<AnyDns> {
  const metadata = fc.record({
    name: fc.constant('blue'),
    uid: fc.constant('u-1'),
    labels: maybe(fc.dictionary(word, word, { maxKeys: 1 })),
    annotations: maybe(fc.dictionary(word, word, { minKeys: 1, maxKeys: 1 })),
  })
  const status = maybe(fc.record({ zones: fc.array(word, { maxLength: 2 }), observedGeneration: fc.nat() }))
  return fc
    .record({
      apiVersion: fc.constant(`${group}/${version}`),
      kind: fc.constant('ExternalDNS'),
      metadata,
      spec: spec(version),
      status,
    })
    .map(object => JSON.parse(JSON.stringify(object)) as AnyDns)
}
