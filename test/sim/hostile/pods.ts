// The pod webhook beside a hostile tenant: in his namespace he makes ServiceAccounts that are called like another's, a ConfigMap that maps
// another's names, and pods that say they are another's. Nobody else's pod gets a role of his choosing, and no pod of his a role of another's.
import type { KubeObject } from '#kube'
import { configMapName } from '#operators/pods'
import type { Deed, Subject, World } from '#simulator'
import { deed, puts } from '../deeds.ts'
import {
  arn,
  askFor,
  cluster,
  evilRole,
  isAlive,
  namespace,
  podWebhookSubject,
  prefix,
  readyReplica,
  timeOut,
} from '../pod-webhook.ts'
import { coreIn, lair } from './lair.ts'

const names: readonly string[] = ['both', 'bound', 'plain', 'born', 'slow', 'mapped', 'nobody']

function account(name: string): Deed {
  const annotations = { [`${prefix}/role-arn`]: arn(evilRole), [`${prefix}/require-role`]: 'true' }
  const object: KubeObject = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: lair, name, annotations } }
  return puts(
    `${lair} has a ServiceAccount ${name} too`,
    { server: cluster, path: coreIn(lair, 'serviceaccounts') },
    object,
    undefined,
  )
}

function mapping(): Deed {
  const entries = Object.fromEntries(
    names.flatMap(name => [
      [`${namespace}/${name}`, { RoleARN: arn(evilRole) }],
      [`*/${name}`, { RoleARN: arn(evilRole) }],
    ]),
  )
  const data = { config: JSON.stringify(entries) }
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: lair, name: configMapName }, data } as KubeObject
  return puts(`${lair} has a ConfigMap of roles`, { server: cluster, path: coreIn(lair, 'configmaps') }, object, undefined)
}

/** In his namespace, whatever it says of itself. */
function pod(name: string, metadata: object, what: string): Deed {
  return deed(`${lair} makes a pod of ${name} ${what}`, undefined, undefined, async world => {
    const replica = readyReplica(world)
    if (replica === undefined) return
    const answer = await Promise.race([askFor(replica.webhook, lair, { metadata, account: name }), timeOut(world)])
    world.counts.checked('S25')
    if (answer?.kind !== 'let-in' || !isAlive(world, replica) || answer.role === undefined || answer.role === arn(evilRole))
      return
    if (!isForEverybody(world, name, answer.role))
      world.fail('S25', `a pod of ${lair} is given ${answer.role}, which is for ${namespace}/${name} alone`)
  })
}

/** An entry for any namespace is for his as well. It may have been taken back in the meantime. */
function isForEverybody(world: World, name: string, role: string): boolean {
  return world.effects.some(({ after }) => {
    const text = (after as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data?.['config']
    if (after?.kind !== 'ConfigMap' || after.metadata.namespace !== namespace || text === undefined) return false
    return (JSON.parse(text) as Readonly<Record<string, { readonly RoleARN: string }>>)[`*/${name}`]?.RoleARN === role
  })
}

const pods: readonly Deed[] = names.flatMap(name => [
  pod(name, { name: 'p' }, 'as it is'),
  pod(name, { name: 'p', namespace }, `that says it is in ${namespace}`),
  pod(
    name,
    { name: 'p', annotations: { [`${prefix}/role-arn`]: arn('first'), [`${prefix}/require-role`]: 'true' } },
    'with a role on it',
  ),
])

export const tenantPodsSubject: Subject = {
  ...podWebhookSubject,
  name: 'tenant-pods',
  objects: server => [
    ...podWebhookSubject.objects(server),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: lair }, spec: { finalizers: ['kubernetes'] } } as KubeObject,
  ],
  disturbances: [
    ...podWebhookSubject.disturbances,
    ...[...names.map(account), mapping(), ...pods].map(each => ({ ...each, fault: 'F27' as const })),
  ],
}
