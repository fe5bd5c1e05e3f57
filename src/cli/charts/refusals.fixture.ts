// What people write into values and nobody can hold, by what is wrong with it, and the words of the refusal: those of Helm and of this
// program alike (test/real/charts.real.test.ts, charts.test.ts).
import type { ChartId } from './charts.ts'
import { both, certificates, only, providers } from './settings.fixture.ts'

type Refusals = Readonly<Record<string, readonly [values: object, why: RegExp]>>

const pairNeeded = /source=secret needs webhookCertificate\.secretName and webhookCertificate\.caBundle/

/** Flags that the manifests decide, as somebody would write them. */
const decided = [
  '--controllers=resources',
  '--leader-elect=false',
  '-enable-leader-election=true',
  '--leader-election-namespace=elsewhere',
  '--operator-accounts=',
  '--webhook-bind-address=0',
  '--webhook-server-addr=:1',
  '--webhook-cert-dir=/tmp',
  '--health-probe-bind-address=0',
  '--healthz-addr=:1',
  '--metrics-bind-address=0',
  '--metrics-addr=:1',
  '--kubeconfig=/elsewhere',
  '--help=true',
  '--clusterprofile-provider-file=/elsewhere',
]

const externalDns = (flags: object): object => ({
  operators: { identity: { enabled: false }, dns: { enabled: true, flags: { 'operand-namespace': 'external-dns', ...flags } } },
})

const umbrella: Refusals = {
  'a name that nobody knows': [{ replicas: 3 }, /replicas/],
  'a map that is taken away': [{ image: null }, /image/],
  'a number that is taken away': [{ replicaCount: null }, /replicaCount/],
  'a word that is taken away, further down': [{ image: { tag: null } }, /tag/],
  'a name that nobody knows, further down': [{ image: { name: 'x' } }, /name/],
  'a word where a number is wanted': [{ replicaCount: 'three' }, /replicaCount/],
  'no replica': [{ replicaCount: 0 }, /replicaCount/],
  'two replicas without an election': [
    { replicaCount: 2, operator: { leaderElection: { enabled: false } } },
    /only one replica may work/,
  ],
  'a Service that cannot be scraped': [{ metrics: { service: { enabled: true, type: 'ExternalName' } } }, /type/],
  'a ServiceMonitor of nothing': [{ serviceMonitor: { enabled: true } }, /needs metrics\.service\.enabled/],
  'both webhooks in one process beside one of them': [
    { bothWebhooks: { enabled: true, tenantId: 't' }, webhooks: { enabled: true } },
    /bothWebhooks is both in one process/,
  ],
  'the webhook of Azure without a tenant': [{ azureWebhooks: { enabled: true } }, /tenantId is needed/],
  'no operator': [{ operators: { identity: { enabled: false } } }, /no operator is enabled/],
  'resources of no region': [
    { operators: { identity: { enabled: false }, resources: { enabled: true } } },
    /the operator resources needs --aws-region: the region/,
  ],
  'ExternalDNS in no namespace': [
    { operators: { identity: { enabled: false }, dns: { enabled: true } } },
    /the operator dns needs --operand-namespace: where ExternalDNS runs/,
  ],
  'alerts of ExternalDNS of a kind that nobody knows': [externalDns({ 'dns-monitoring': 'zabbix' }), /--dns-monitoring.*zabbix/],
  'ExternalDNS with its own rights or not, in another word': [
    externalDns({ 'per-instance-rbac': 'perhaps' }),
    /--per-instance-rbac.*(?:takes false or true|it is neither)/,
  ],
  'certificates of no zone': [certificates({}), /the operator certificates needs --dns-zones or a zone file/],
  'certificates of no region': [
    { operators: { identity: { enabled: false }, certificates: { enabled: true, flags: { 'dns-zones': 'a.dev:Z1' } } } },
    /the operator certificates needs --aws-region/,
  ],
  'a Secret without its name': [{ webhookCertificate: { source: 'secret', caBundle: 'PEM' } }, pairNeeded],
  'a Secret without whom to trust': [{ webhookCertificate: { source: 'secret', secretName: 'pair' } }, pairNeeded],
  'a flag that nobody knows': [{ flags: { 'no-such-flag': 1 } }, /unknown option '--no-such-flag'/],
  'a flag of an operator that nobody knows': [only({ 'no-such-flag': 1 }), /--no-such-flag is no flag of resources/],
  'an argument that nobody knows': [{ operator: { extraArgs: ['--no-such-flag'] } }, /unknown option '--no-such-flag'/],
  'an argument that is no flag': [{ operator: { extraArgs: ['log-level=debug'] } }, /"log-level=debug" is no flag/],
  'an argument without its value': [{ operator: { extraArgs: ['--log-level'] } }, /option '--log-level' argument missing/],
  'a flag of the wrong type': [
    { flags: { 'max-concurrent-reconciles': 1.5 } },
    /'--max-concurrent-reconciles' argument '1\.5' is invalid: it is no whole number/,
  ],
  'an argument of the wrong type': [
    { operator: { extraArgs: ['--ownership-tags=perhaps'] } },
    /'--ownership-tags' argument 'perhaps' is invalid: it is neither/,
  ],
  'a list where a word is wanted': [{ flags: { 'log-level': ['debug'] } }, /log-level/],
  'Secrets among the flags of another operator': [
    { ...both(), operators: { identity: { flags: { 'allow-secrets': '*' } }, resources: { enabled: true } } },
    /operators\.identity\.flags: --allow-secrets is no flag of identity/,
  ],
  'a flag of two operators among those of one': [
    { operators: { resources: { enabled: true, flags: { 'aws-region': 'eu-west-1' } } } },
    /--aws-region is a flag of identity as well, and stands under flags/,
  ],
  'a flag that another operator takes': [both({ 'aws-endpoint-url': 'https://x' }), /is what identity takes it for/],
  'a flag on which rights rest, where nobody looks': [
    { ...both(), operator: { extraArgs: ['--allow-secrets=*'] } },
    /operator\.extraArgs: --allow-secrets is not taken here: operators\.resources\.flags\.allow-secrets decides it/,
  ],
  ...Object.fromEntries(
    decided.flatMap(flag => [
      [
        `--${flag} among the arguments`,
        [{ operator: { extraArgs: [flag] } }, /operator\.extraArgs: --[a-z-]+ is not taken here/],
      ],
      [
        `--${flag} among the flags`,
        [{ flags: Object.fromEntries([flag.replace(/^-+/, '').split('=')]) }, /flags: --[a-z-]+ is not taken here/],
      ],
    ]),
  ),
}

const identity: Refusals = {
  'a map that is taken away': [{ clusterInventory: null }, /clusterInventory/],
  'a plugin that is nowhere': [{ clusterInventory: { plugins: [{ name: 'p', image: 'a' }] } }, /mountPath/],
  'two providers of one name': [
    { clusterInventory: { accessProviders: [...providers, ...providers] } },
    /duplicate Cluster Inventory access-provider name "own"/,
  ],
  'a provider whose program is nowhere': [
    { clusterInventory: { accessProviders: [{ name: 'x', execConfig: { command: '/elsewhere/x' } }] } },
    /does not live under/,
  ],
  'a provider without a name': [
    { clusterInventory: { accessProviders: [{ name: '', execConfig: { command: '/plugins/x' } }] } },
    /has no name/,
  ],
  'a provider without a program': [{ clusterInventory: { accessProviders: [{ name: 'x' }] } }, /has no execConfig\.command/],
  'all namespaces beside one': [{ clusterInventory: { clusterProfileNamespaces: ['*', 'a'] } }, /clusterProfileNamespaces/],
  'an empty namespace': [{ clusterInventory: { clusterProfileNamespaces: [''] } }, /clusterProfileNamespaces/],
  'a plugin with a name that is none': [
    { clusterInventory: { plugins: [{ name: 'Invalid_Name', image: 'a', mountPath: '/plugins', pullPolicy: 'Always' }] } },
    /Invalid_Name/,
  ],
  'a Service that is only a name': [{ metrics: { service: { enabled: true, type: 'ExternalName' } } }, /type/],
  'a Service without an address': [{ metrics: { service: { enabled: true, type: 'Headless' } } }, /type/],
  'no plugin': [{ clusterInventory: { plugins: [] } }, /plugins/],
  'accounts of no namespace': [
    { ocm: { managedServiceAccount: { create: true } } },
    /needs ocm\.managedServiceAccount\.namespaces/,
  ],
  'settings of the platform by another name': [
    { operatorConfig: { create: true, name: 'x', spec: { a: 1 } } },
    /the only one that is read is default/,
  ],
  'settings of the platform that say nothing': [{ operatorConfig: { create: true } }, /needs operatorConfig\.spec/],
  'a level of logs that is none': [{ logging: { level: 'warning' } }, /level/],
  'an endpoint in the clear': [{ aws: { endpointURL: 'http://s3.example' } }, /travel in the clear/],
  'a name that nobody knows': [{ operators: {} }, /operators/],
  'another operator': [{ operator: { extraArgs: ['--controllers=resources'] } }, /this chart runs the operator identity/],
  'ClusterProfiles elsewhere than the values say': [
    { operator: { extraArgs: ['--cluster-profile-namespaces=*'] } },
    /clusterInventory\.clusterProfileNamespaces decides it/,
  ],
  'an election that is switched off behind the values': [
    { operator: { extraArgs: ['--leader-elect=false'] } },
    /operator\.leaderElection\.enabled decides it/,
  ],
  'a Secret without its name': [{ webhookCertificate: { source: 'secret', caBundle: 'PEM' } }, pairNeeded],
}

const pods: Refusals = {
  'a map that is taken away': [{ certificate: null }, /certificate/],
  'a policy that is none': [{ failurePolicy: 'Maybe' }, /failurePolicy/],
  'a name that nobody knows': [{ replicas: 1 }, /replicas/],
  'a Secret without its name': [{ certificate: { source: 'secret', caBundle: 'PEM' } }, /needs certificate\.secretName/],
  'a Secret without whom to trust': [{ certificate: { source: 'secret', secretName: 'x' } }, /needs certificate\.caBundle/],
  'a cluster that nobody trusts': [{ certificate: { source: 'cluster' } }, /source=cluster needs certificate\.caBundle/],
  'another port behind the Service': [{ extraArgs: ['--port=8443'] }, /extraArgs: --port is not taken here/],
  'a certificate from elsewhere': [{ extraArgs: ['--in-cluster'] }, /extraArgs: --in-cluster is not taken here/],
  'an argument that nobody knows': [{ extraArgs: ['--no-such-flag=1'] }, /unknown option '--no-such-flag'/],
  'a duration that is none': [
    { extraArgs: ['--required-role-wait=5 s'] },
    /'--required-role-wait' argument '5 s' is invalid: it is no duration/,
  ],
}

const tenantId = 'tenant'

/** Of the two charts that have a tenant. */
const withTenant: Refusals = {
  'no tenant': [{}, /tenantId is needed/],
  'a map that is taken away': [{ tenantId, certificate: null }, /certificate/],
  'a certificate from where none comes': [{ tenantId, certificate: { source: 'cert-manager' } }, /source/],
  'a Secret without its name': [
    { tenantId, certificate: { source: 'secret', caBundle: 'PEM' } },
    /needs certificate\.secretName/,
  ],
  'a Secret without whom to trust': [
    { tenantId, certificate: { source: 'secret', secretName: 'x' } },
    /needs certificate\.caBundle/,
  ],
  'a cloud that is described by a file': [{ tenantId, cloud: 'AzureStackCloud' }, /cloud/],
  'a name that nobody knows': [{ tenantId, replicas: 1 }, /replicas/],
  'an argument that nobody knows': [{ tenantId, extraArgs: ['--no-such-flag=1'] }, /unknown option '--no-such-flag'/],
}

const azure: Refusals = {
  ...withTenant,
  'a policy that is none': [{ tenantId, failurePolicy: 'Maybe' }, /failurePolicy/],
  'another port behind the Service': [{ tenantId, extraArgs: ['--port=8443'] }, /extraArgs: --port is not taken here/],
  'a certificate from elsewhere': [
    { tenantId, extraArgs: ['--disable-cert-rotation'] },
    /extraArgs: --disable-cert-rotation is not taken here/,
  ],
}

const bothClouds: Refusals = {
  ...withTenant,
  'a policy that is none': [{ tenantId, failurePolicy: { azure: 'Maybe' } }, /azure/],
  'another port of Azure': [{ tenantId, extraArgs: ['--azure.port=8443'] }, /extraArgs: --azure\.port is not taken here/],
  'a certificate of AWS from elsewhere': [
    { tenantId, extraArgs: ['--aws.in-cluster'] },
    /extraArgs: --aws\.in-cluster is not taken here/,
  ],
  'a flag of one cloud without its name': [
    { tenantId, extraArgs: ['--volume-layout=reserved'] },
    /unknown option '--volume-layout'/,
  ],
}

export const chartRefusals: Readonly<Record<ChartId, Refusals>> = {
  vouch: umbrella,
  'aws-workload-identity-operator': identity,
  'pod-identity-webhooks': pods,
  'azure-workload-identity-webhook': azure,
  'cloud-identity-webhooks': bothClouds,
}

/** What a template cannot follow, and `vouch render` can. */
export const refusedByHelmAlone: Readonly<Record<ChartId, Refusals>> = {
  vouch: {
    'a flag that rights follow and charts cannot': [
      only({ 'reconcile-resources': 'Bucket' }),
      /print the manifests by vouch render/,
    ],
    'no service': [only({ services: null }), /in a chart --services takes any of/],
    'a namespace twice': [only({ 'watch-namespace': 'a,a' }), /in a chart --watch-namespace takes names of namespaces/],
    'yes in another word': [only({ 'watch-secrets': '1' }), /in a chart --watch-secrets takes true or false/],
    ...Object.fromEntries(
      Object.entries({
        'operand-namespace': 'elsewhere',
        'operator-namespace': 'elsewhere',
        'binding-namespaces': 'a',
        'trusted-ca-configmap': 'authorities',
        'dns-storage-version': 'v1beta2',
      }).map(([flag, value]) => [
        `--${flag} of ExternalDNS, which shapes rights or kinds`,
        [
          externalDns({ [flag]: value }),
          new RegExp(`dns: rights and kinds follow --${flag}, .*print the manifests by vouch render`),
        ],
      ]),
    ),
    'all Secrets beside one': [only({ 'allow-secrets': '*,a/b' }), /in a chart --allow-secrets takes/],
  },
  'aws-workload-identity-operator': {
    'an argument on which rights rest, in two words': [
      { operator: { extraArgs: ['--aws-writer', 'direct'] } },
      /write --aws-writer=VALUE as one/,
    ],
  },
  'pod-identity-webhooks': {},
  'azure-workload-identity-webhook': {},
  'cloud-identity-webhooks': {},
}
