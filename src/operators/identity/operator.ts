// What the identity operator says of itself to whoever assembles programs and manifests.
import { ambientClients, netTransport } from '#aws/client'
import { given } from '#base'
import type { ClusterProvider } from '#fleet'
import type { KubeObject, ObjectKey, ResourceType } from '#kube'
import type { InstallPlace, Manager, Mount, Operator, OperatorContext, OperatorNeeds, RunningOperator } from '#runtime'
import { ownWebhookImage } from '../pods/api.ts'
import type { WorkloadIdentityConfig } from './api.ts'
import { flagGroups, type IdentitySettings, readIdentityFlags } from './flags.ts'

/** Where its Deployment has the provider file. */
const providerFolder = '/etc/cluster-inventory'
const providerKey = 'config.json'

export type { IdentitySettings } from './flags.ts'

export const identityOperator: Operator<IdentitySettings> = {
  name: 'identity',
  summary: 'AWS roles for the ServiceAccounts of a fleet: issuers, trust policies and annotations',
  flags: flagGroups,
  examples: [
    {
      what: 'identities for the clusters whose ClusterProfiles are in the namespace fleet',
      line: 'vouch operator --cluster-profile-namespaces=fleet --clusterprofile-provider-file=providers.json',
    },
    {
      what: 'without ACK: roles and buckets are made by calls of our own',
      line: 'vouch operator --cluster-profile-namespaces=* --aws-writer=direct --aws-region=eu-west-1',
    },
  ],
  // The reference has the same lease, so that it and we never lead at once.
  lease: 'aws-workload-identity-operator',
  sharesWork: true,
  deployedArgs: [`--clusterprofile-provider-file=${providerFolder}/${providerKey}`],
  installed: { flags: { 'cluster-profile-namespaces': '*' }, files: { 'clusterprofile-provider-file': '{"providers":[]}' } },
  shaping: [
    { kind: 'choice', flag: 'aws-writer', values: ['children', 'direct'] },
    { kind: 'namespaces', flag: 'cluster-profile-namespaces', everywhere: '*' },
  ],
  readSettings: readIdentityFlags,
  describe,
  start,
}

async function describe(settings: IdentitySettings, place: InstallPlace): Promise<OperatorNeeds> {
  const { renderIdentityCrds } = await import('./api.ts')
  const { hubRights } = await import('./manifests/rights.ts')
  const { cloudRights } = await import('./manifests/cloud-rights.ts')
  const { validatingConfiguration } = await import('./admission/configuration.ts')
  const { parseProviderFile } = await import('#fleet')
  const providers = place.files['clusterprofile-provider-file'] ?? '{"providers":[]}'
  parseProviderFile(providers, '--provider-file')
  return {
    crds: renderIdentityCrds(),
    rights: { cluster: hubRights(settings), cloud: cloudRights(settings) },
    webhooks: [{ suffix: 'validating', configuration: validatingConfiguration }],
    objects: [providerConfigMap(place, providers)],
    mounts: [providerMount(place)],
  }
}

/** One namespace that only the inventory writes needs no rule; where there are several, each of their writers may claim any cluster. */
function warnOfOpenNames({ mayName, profileNamespaces }: IdentitySettings, log: OperatorContext['seams']['log']): void {
  if (mayName !== undefined || profileNamespaces?.length === 1) return
  log.warn(
    'any ClusterProfile may claim any cluster: whoever may write one, with its status, can take the name of another cluster',
    {
      namespaces: profileNamespaces?.join(',') ?? '*',
      next: 'bind names to namespaces by --cluster-name-bindings, or watch the one namespace of the inventory',
    },
  )
}

function providerConfigMap({ name, namespace, labels }: InstallPlace, providers: string): KubeObject {
  const metadata = { namespace, name: `${name}-clusterprofile-provider-file`, labels }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [providerKey]: providers } } as KubeObject
}

function providerMount({ name }: InstallPlace): Mount {
  return { name: 'providers', mountPath: providerFolder, configMap: `${name}-clusterprofile-provider-file` }
}

async function start(settings: IdentitySettings, { seams, client, metrics, version }: OperatorContext): Promise<RunningOperator> {
  const { admissionHandlers } = await import('./admission/handlers.ts')
  const { configKind } = await import('./api.ts')
  const { S3IssuerStore } = await import('./config/issuer-store.ts')
  const { createIdentityOperator } = await import('./create-operator.ts')
  const { createTelemetry } = await import('./telemetry/telemetry.ts')
  const providers = await readProviders(settings, seams)
  warnOfOpenNames(settings, seams.log)
  const transport = netTransport(seams.net)
  const { region, rates } = settings.aws
  const endpointOf = (serviceId: string): string | undefined => (serviceId === 'S3' ? settings.s3Endpoint : undefined)
  const clients = ambientClients({ seams, transport, region, endpointOf, rates })
  const { bucketSalt, workers, rotation, foreignAnnotation, rolloutRules, mayName, profileNamespaces } = settings
  const operator = createIdentityOperator({
    seams,
    store: new S3IssuerStore({ clients, clock: seams.clock }),
    providers,
    webhookImage: settings.webhookImage || ownWebhookImage(version),
    bucketSalt,
    workers,
    rotation,
    foreignAnnotation,
    rolloutRules,
    // IAM is everywhere, and asked where the account's work is done.
    ...(settings.awsWriter === 'direct' ? { direct: { clients, region: region || 'us-east-1' } } : {}),
    ...given({ mayName, profileNamespaces }),
  })
  const delivery = new DeliveryTypes(configKind.type)
  return {
    controllers: operator.controllers,
    ready: operator.ready,
    webhooks: admissionHandlers(client),
    telemetry: createTelemetry({ metrics, log: seams.log, deliveryTypeOf: (_controller, key) => delivery.of(key) }),
    attach: manager => {
      delivery.world = manager.world
      operator.attach(manager)
    },
    close: async () => {
      await operator.close()
      await transport.close()
    },
  }
}

async function readProviders(
  { providerFile, isProviderFileNamed }: IdentitySettings,
  { files, log }: OperatorContext['seams'],
): Promise<readonly ClusterProvider[]> {
  const { parseProviderFile } = await import('#fleet')
  const file = await files.read(providerFile)
  if (file !== undefined) return parseProviderFile(new TextDecoder().decode(file), providerFile)
  if (isProviderFileNamed)
    throw new Error(`provider file ${providerFile}: there is no such file; name it by --clusterprofile-provider-file`)
  log.info('no program gives credentials for clusters: --clusterprofile-provider-file names them', { file: providerFile })
  return []
}

/** How the Config of a namespace delivers identities, as far as the cache knows. */
class DeliveryTypes {
  world: Manager['world'] | undefined
  readonly #configs: ResourceType

  constructor(configs: ResourceType) {
    this.#configs = configs
  }

  of({ namespace }: ObjectKey): string {
    if (this.world?.isSynced(this.#configs) !== true) return ''
    return this.world.find<WorkloadIdentityConfig>(this.#configs, { namespace, name: 'default' })?.spec.type ?? ''
  }
}
