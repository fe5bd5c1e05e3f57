// What the resources operator says of itself to whoever assembles programs and manifests.
import { netTransport } from '#aws/client'
import { type CustomResourceDefinition, customResourceDefinitions } from '#kube'
import type { KubeClient } from '#kube/client'
import type { Operator, OperatorContext, OperatorNeeds, RequiredFlag, RunningOperator, ShapingFlag } from '#runtime'
import { flagGroups, type ResourceSettings, readResourceFlags } from './flags.ts'
import type { InferServices } from './process-options.ts'

/** `infer` is what `--models` asks for: it takes a compiler, which is no part of this room. */
export function resourcesOperator(infer: InferServices): Operator<ResourceSettings> {
  return {
    name: 'resources',
    summary: 'AWS resources as Kubernetes objects: roles, buckets, certificates and whatever else has an API model',
    flags: flagGroups,
    examples: [
      {
        what: 'roles, policies and buckets of one account, as ACK would look after them',
        line: 'vouch operator --controllers=resources --services=iam,s3 --aws-region=eu-west-1',
      },
      {
        what: 'beside identities, so that what they need is made by the same process',
        line: 'vouch operator --controllers=identity,resources --cluster-profile-namespaces=* --aws-region=eu-west-1',
      },
    ],
    lease: 'vouch-resources',
    installed: { flags: { services: 'iam,s3,eks' }, files: {} },
    shaping,
    required: [region],
    readSettings: readResourceFlags,
    describe: settings => describe(settings, infer),
    start: (settings, context) => start(settings, context, infer),
  }
}

const region: RequiredFlag = {
  flag: 'aws-region',
  sample: 'eu-west-1',
  missing: 'the operator resources needs --aws-region: the region in which it makes what is asked for',
}

const shaping: readonly ShapingFlag[] = [
  { kind: 'list', flag: 'services', items: ['acm', 'eks', 'iam', 'route53', 's3'] },
  { kind: 'namespaces', flag: 'watch-namespace', everywhere: '' },
  { kind: 'objects', flag: 'allow-secrets' },
  { kind: 'choice', flag: 'enable-field-export-reconciler', values: ['true', 'false'] },
  { kind: 'choice', flag: 'extended-field-exports', values: ['false', 'true'] },
  { kind: 'choice', flag: 'migrate-stored-versions', values: ['false', 'true'] },
  {
    kind: 'choice',
    flag: 'enable-adopted-resource-reconciler',
    values: ['false', 'true'],
    addsBy: ['services', 'watch-namespace', 'migrate-stored-versions'],
  },
  { kind: 'choice', flag: 'watch-secrets', values: ['true', 'false'] },
  { kind: 'choice', flag: 'manifest-checks', values: ['off', 'warn', 'deny'], addsBy: ['services'] },
  ...['aws-services', 'enable-carm', 'events', 'feature-gates', 'install-crds', 'models', 'reconcile-resources'].map(
    flag => ({ kind: 'any', flag }) as const,
  ),
]

async function describe(settings: ResourceSettings, infer: InferServices): Promise<OperatorNeeds> {
  if (settings.aws.region === '') throw new Error(region.missing)
  const { resourceCrds } = await import('./create-operator.ts')
  const { resourceRights } = await import('./rights.ts')
  const { cloudRights } = await import('./cloud-rights.ts')
  const { resourceValidatingConfiguration } = await import('./admission/webhook.ts')
  const { chooseServices } = await import('./process-options.ts')
  const inferred = await chooseServices(settings, infer, () => {})
  const chosen = { ...settings.options, services: inferred.services }
  const { installsCrds, migrates, checks } = settings
  return {
    crds: installsCrds ? [] : [...resourceCrds(chosen), ...inferred.crds],
    rights: { cluster: resourceRights({ ...chosen, installsCrds, migrates }), cloud: cloudRights(chosen) },
    webhooks:
      checks === 'off' ? [] : [{ suffix: 'resources', configuration: place => resourceValidatingConfiguration(chosen, place) }],
    objects: [],
    mounts: [],
  }
}

async function start(
  settings: ResourceSettings,
  { seams, client, metrics, version, build }: OperatorContext,
  infer: InferServices,
): Promise<RunningOperator> {
  const { createResourcesOperator } = await import('./create-operator.ts')
  const { definitionsOf } = await import('./rights.ts')
  const { storageMigration } = await import('#runtime')
  const { resourceWebhooks } = await import('./admission/webhook.ts')
  const { processOptions } = await import('./process-options.ts')
  const transport = netTransport(seams.net)
  const made = await processOptions(settings, { seams, transport, infer, version, build, metrics }).catch(
    async (error: unknown) => {
      await transport.close()
      throw error
    },
  )
  const { options, crds } = made
  const operator = createResourcesOperator({ ...options, metrics })
  if (settings.installsCrds) await installCrds(client, [...operator.crds, ...crds])
  const migration = { client, clock: seams.clock, log: seams.log, definitions: definitionsOf(options) }
  const { controllers } = operator
  const companions = [...operator.companions, ...(settings.migrates ? [storageMigration(migration)] : [])]
  return {
    controllers,
    companions,
    webhooks: settings.checks === 'off' ? {} : resourceWebhooks(options, settings.checks),
    close: () => transport.close(),
  }
}

/** Server-side apply: what is there already is left as it is where we say nothing, and large ones fit. */
async function installCrds(client: KubeClient, crds: readonly CustomResourceDefinition[]): Promise<void> {
  for (const crd of crds) {
    const key = { namespace: '', name: crd.metadata.name ?? '' }
    await client.patch(customResourceDefinitions, key, 'apply', crd, { fieldManager: 'vouch-install', force: true })
  }
}
