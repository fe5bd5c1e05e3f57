// The flags of the resources operator, by the names and defaults of AWS Controllers for Kubernetes where it has them.
import { type AwsChoices, awsFlagGroup, readAwsFlags, readEndpoint } from '#aws/client'
import { commaList, type Flag, FlagError, type FlagGroup, type FlagValues, flagOf } from '#base'
import { parseLabelSelector, parseNamedObjects } from '#kube'
import type { ProcessChoices } from '#runtime'
import type { ManifestChecks } from './admission/admit.ts'
import type { ResourcesOptions } from './options.ts'

const { text, boolean, integer } = flagOf

const resourceFlags: readonly Flag[] = [
  text('aws-services', 'iam,s3,eks', 'services whose kinds are looked after, separated by commas'),
  text('aws-endpoint-url', '', 'endpoint of AWS instead of its own'),
  text('services', '', 'services whose kinds are looked after, separated by commas; default those of --aws-services'),
  text('models', '', 'folder with API models of further services, each beside its generator.yaml where it has one'),
  boolean('install-crds', false, 'apply the CRDs of what is looked after before the start'),
  boolean(
    'migrate-stored-versions',
    false,
    'store objects anew whose definition says another storage version by now; takes rights on the definitions',
  ),
  text('reconcile-resources', '', 'only these kinds, separated by commas'),
  text('resource-tags', defaultTags(), 'tags of everything that is made, key=value with %VARIABLES%, separated by commas'),
  boolean('ownership-tags', true, 'mark what is made with the uid of its object'),
  text('deletion-policy', 'delete', 'delete or retain what was made when its object goes'),
  text('resource-deletion-policy', '', 'the same by kind: Kind=delete or Kind=retain, separated by commas'),
  text(
    'release-after-delete',
    '',
    'kinds whose objects go when AWS has taken the deletion, not only when nothing is there any more; separated by commas',
  ),
  boolean('enable-carm', true, 'work in other accounts by the role mappings of ConfigMaps'),
  boolean(
    'enable-cross-namespace',
    false,
    'let references, Secrets and exports lead into other namespaces; on by default in AWS Controllers for Kubernetes',
  ),
  boolean('enable-field-export-reconciler', true, 'look after FieldExports'),
  boolean(
    'extended-field-exports',
    false,
    'FieldExports with several keys, templates, Secrets as sources, targets that are made',
  ),
  boolean(
    'enable-adopted-resource-reconciler',
    false,
    'look after AdoptedResources, a kind that AWS Controllers for Kubernetes dropped; takes the right to create objects of all kinds',
  ),
  text('feature-gates', '', 'Name=true or Name=false, separated by commas'),
  text('watch-namespace', '', 'only these namespaces, separated by commas'),
  text('watch-selectors', '', 'only objects with these labels'),
  integer('reconcile-default-resync-seconds', 0, 'between looks at a resource that nobody changed; 0 is ten hours'),
  integer(
    'cheap-read-seconds',
    0,
    'between looks by lists that serve many resources, in the time between full ones; 0 for full ones only',
  ),
  text('reconcile-resource-resync-seconds', '', 'the same by kind: Kind=seconds, separated by commas'),
  text('reconcile-resource-max-concurrent-syncs', '', 'objects of a kind worked on at once: Kind=number, separated by commas'),
  boolean('strict-conditions', false, 'reasons of conditions are one word, the text is in the message'),
  boolean('condition-generations', false, 'status and conditions carry the generation; for CRDs made with --mode extended'),
  boolean('events', true, 'tell the life of a resource in events'),
  text(
    'allow-secrets',
    '',
    'Secrets that may be read and exported to: namespace/name or namespace/*, separated by commas; * for all, as AWS Controllers for Kubernetes have them',
  ),
  boolean('allow-any-secret-type', false, 'let fields take their values from Secrets of other types than Opaque'),
  boolean(
    'watch-secrets',
    true,
    'look at a resource at once when a Secret that it names appears or changes; takes list and watch on Secrets',
  ),
  boolean('metrics-of-objects', true, 'a series of conditions for each object'),
  text(
    'manifest-checks',
    'off',
    'webhook that refuses deletions of what is protected and marks that are ours to write; and values that AWS would refuse: warn tells of them, deny refuses them as well; off serves none',
  ),
  text(
    'drift-queue',
    '',
    'URLs of SQS queues with events of CloudTrail: what they name is looked at at once; separated by commas',
  ),
  boolean('strict-sync', false, 'a certificate is in step only once it is issued'),
]

function defaultTags(): string {
  return 'services.k8s.aws/controller-version=%CONTROLLER_SERVICE%-%CONTROLLER_VERSION%,services.k8s.aws/namespace=%K8S_NAMESPACE%'
}

export const flagGroups: readonly FlagGroup[] = [{ title: 'AWS resources', flags: resourceFlags }, awsFlagGroup]

export interface ResourceSettings {
  /** Services by name. With models only those that were named for it. */
  readonly services: readonly string[]
  readonly models: string | undefined
  readonly installsCrds: boolean
  /** Objects are moved to the version that their definition says is stored. */
  readonly migrates: boolean
  /** How AWS is called. */
  readonly aws: AwsChoices
  readonly endpoint: string | undefined
  readonly checks: ManifestChecks | 'off'
  readonly options: Omit<ResourcesOptions, 'services' | 'aws' | 'home' | 'nowMs' | 'random'> & { readonly workers: number }
}

/** Throws `FlagError`. */
export function readResourceFlags(values: FlagValues, { workers, env }: ProcessChoices): ResourceSettings {
  const policy = values.text('deletion-policy')
  if (policy !== 'delete' && policy !== 'retain') throw new FlagError('--deletion-policy takes delete or retain')
  const kinds = commaList(values.text('reconcile-resources'))
  const models = values.text('models')
  const services = commaList(values.text('services'))
  const otherwise = models === '' ? commaList(values.text('aws-services')) : []
  const resync = Number(values.integer('reconcile-default-resync-seconds'))
  const cheap = Number(values.integer('cheap-read-seconds'))
  const selector = selectorOf(values.text('watch-selectors'))
  return {
    services: services.length === 0 ? otherwise : services,
    models: models === '' ? undefined : models,
    installsCrds: values.boolean('install-crds'),
    migrates: values.boolean('migrate-stored-versions'),
    aws: readAwsFlags(values, env),
    endpoint: readEndpoint(values, 'aws-endpoint-url'),
    checks: checksOf(values.text('manifest-checks')),
    options: {
      workers,
      ...(kinds.length === 0 ? {} : { kinds }),
      resourceTags: commaList(values.text('resource-tags')),
      ownershipTags: values.boolean('ownership-tags'),
      deletionPolicy: policy,
      releaseAfterDelete: commaList(values.text('release-after-delete')),
      carm: values.boolean('enable-carm'),
      crossNamespace: values.boolean('enable-cross-namespace'),
      fieldExport: values.boolean('enable-field-export-reconciler'),
      extendedFieldExports: values.boolean('extended-field-exports'),
      adoptedResources: values.boolean('enable-adopted-resource-reconciler'),
      gates: gatesOf(values.text('feature-gates')),
      watchNamespaces: commaList(values.text('watch-namespace')),
      ...(selector === '' ? {} : { watchSelector: selector }),
      ...(resync > 0 ? { resyncSeconds: resync } : {}),
      ...(cheap > 0 ? { cheapReadSeconds: cheap } : {}),
      resyncSecondsOf: numbersOf(values, 'reconcile-resource-resync-seconds'),
      workersOf: numbersOf(values, 'reconcile-resource-max-concurrent-syncs'),
      strictConditions: values.boolean('strict-conditions'),
      strictSync: values.boolean('strict-sync'),
      conditionGenerations: values.boolean('condition-generations'),
      events: values.boolean('events'),
      secrets: secretsOf(values.text('allow-secrets')),
      anySecretType: values.boolean('allow-any-secret-type'),
      watchSecrets: values.boolean('watch-secrets'),
      metricNames: values.boolean('metrics-of-objects'),
      driftQueues: queuesOf(values),
      deletionPolicyOf: policiesOf(values.text('resource-deletion-policy')),
    },
  }
}

const gateNames = ['ResourceAdoption', 'ReadOnlyResources', 'TeamLevelCARM', 'ServiceLevelCARM', 'IAMRoleSelector'] as const

function gatesOf(value: string): NonNullable<ResourcesOptions['gates']> {
  return Object.fromEntries(
    commaList(value).map(pair => {
      const [name = '', word = ''] = pair.split('=').map(each => each.trim())
      if (!(gateNames as readonly string[]).includes(name))
        throw new FlagError(`--feature-gates: ${JSON.stringify(name)} is none of ${gateNames.join(', ')}`)
      if (word !== 'true' && word !== 'false') throw new FlagError(`--feature-gates: ${name} takes true or false`)
      return [name, word === 'true']
    }),
  )
}

function selectorOf(text: string): string {
  try {
    parseLabelSelector(text)
    return text
  } catch (error) {
    throw new FlagError(`--watch-selectors: ${(error as Error).message}`)
  }
}

function secretsOf(value: string): readonly string[] {
  const entries = commaList(value)
  try {
    parseNamedObjects(entries)
    return entries
  } catch (error) {
    throw new FlagError(`--allow-secrets: ${(error as Error).message}`)
  }
}

function policiesOf(value: string): Readonly<Record<string, 'delete' | 'retain'>> {
  return Object.fromEntries(
    commaList(value).map(pair => {
      const [kind = '', policy = ''] = pair.split('=').map(each => each.trim())
      if (kind === '' || (policy !== 'delete' && policy !== 'retain'))
        throw new FlagError(`--resource-deletion-policy: ${JSON.stringify(pair)} is no Kind=delete or Kind=retain`)
      return [kind, policy]
    }),
  )
}

function checksOf(value: string): ResourceSettings['checks'] {
  if (value === 'off' || value === 'warn' || value === 'deny') return value
  throw new FlagError(`--manifest-checks: ${JSON.stringify(value)} is none of off, warn, deny`)
}

function queuesOf(values: FlagValues): readonly string[] {
  return commaList(values.text('drift-queue')).map(url => {
    if (!/^https?:\/\/[^/]+\/.+/.test(url) || !URL.canParse(url))
      throw new FlagError(
        `--drift-queue: ${JSON.stringify(url)} is no URL of a queue, such as https://sqs.eu-west-1.amazonaws.com/111122223333/drift`,
      )
    if (url.startsWith('http:') && !values.boolean('allow-unsafe-aws-endpoint-urls'))
      throw new FlagError('--drift-queue: over http requests travel in the clear; --allow-unsafe-aws-endpoint-urls lets it')
    return url
  })
}

function numbersOf(values: FlagValues, flag: string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    commaList(values.text(flag)).map(pair => {
      const [kind = '', count = ''] = pair.split('=').map(each => each.trim())
      if (kind === '' || !/^[1-9]\d{0,8}$/.test(count))
        throw new FlagError(`--${flag}: ${JSON.stringify(pair)} is no Kind=number`)
      return [kind, Number(count)]
    }),
  )
}
