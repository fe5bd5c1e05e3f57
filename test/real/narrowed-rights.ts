// An account that has the rights which are printed for it, and the same without one of them: what was asked with all of them is asked again.
import type { HttpExchange, HttpResponse } from '#base'
import { clusterRoles, type RbacObject, type ResourceType, type Right, renderRbac } from '#kube'
import type { KubeClient } from '#kube/client'
import { type Asked, covers, type Recorder } from '../../src/operators/identity/testing/recorder.ts'

export interface Granted {
  readonly name: string
  readonly who: { readonly namespace: string; readonly name: string }
  readonly rights: readonly Right[]
}

interface Piece {
  readonly right: Right
  readonly verb: Right['verbs'][number]
  readonly one: string | undefined
}

export function piecesOf(right: Right): readonly (readonly [Right['verbs'][number], string | undefined])[] {
  return right.verbs.flatMap(verb => (right.names ?? [undefined]).map(name => [verb, name] as const))
}

/** What is tried again without the right: requests that it let through, or for which it is needed besides. */
export function requestsFor({ asked }: Recorder, right: Right): readonly Asked[] {
  const all = [...asked.values()]
  if (right.resource.endsWith('/finalizers')) {
    // Children that block the deletion of their owner.
    return all.filter(
      ({ verb, group, resource }) => verb === 'create' && (group.endsWith('services.k8s.aws') || resource === 'secrets'),
    )
  }
  const direct = all
    .map(one => (right.verbs[0] === 'list' && one.verb === 'watch' ? { ...one, verb: 'list' as const } : one))
    .filter(one => covers(right, one))
  if (right.resource !== 'serviceaccounts') return direct
  // Nobody gives away a right that he does not have.
  return [
    ...direct,
    ...all.filter(({ verb, resource }) => verb === 'create' && ['clusterroles', 'clusterrolebindings'].includes(resource)),
  ]
}

async function textOf({ body }: HttpResponse): Promise<string> {
  const parts: Uint8Array[] = []
  if (body instanceof Uint8Array) parts.push(body)
  else if (typeof body === 'object' && body !== null) for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** Asked again, without effect. */
export async function statusOf(exchange: HttpExchange, { verb, request }: Asked): Promise<number> {
  const [path = '', query = ''] = request.target.split('?')
  const parameters = new URLSearchParams(query)
  if (!['get', 'list', 'watch'].includes(verb)) parameters.set('dryRun', 'All')
  const stop = new AbortController()
  try {
    const { signal: _signal, ...rest } = request
    // A watch that is tried as a list is one of the same objects.
    const selector = new URLSearchParams([...parameters].filter(([name]) => name === 'fieldSelector'))
    const target = `${path}?${(verb === 'list' ? selector : parameters).toString()}`
    const response = await exchange({ ...rest, target, signal: stop.signal })
    if (response.status !== 403 || verb === 'watch') return response.status
    // What admission denies was let through by the rights: webhooks are asked afterwards.
    return (await textOf(response)).includes('admission webhook') ? 200 : 403
  } finally {
    stop.abort()
  }
}

/** The rights without one of them; all of them without `gone`. */
export async function restrict(admin: KubeClient, { name, who, rights }: Granted, gone?: Piece): Promise<void> {
  const left = rights.flatMap(right => {
    if (gone === undefined || right !== gone.right) return [right]
    const others = { ...right, verbs: right.verbs.filter(other => other !== gone.verb) }
    const names = right.names?.filter(other => other !== gone.one) ?? []
    const sameVerb = gone.one === undefined || names.length === 0 ? [] : [{ ...right, verbs: [gone.verb], names }]
    return [...(others.verbs.length === 0 ? [] : [others]), ...sameVerb]
  })
  const rendered = renderRbac({ name, rights: left, account: who, labels: {} })
  for (const object of renderRbac({ name, rights, account: who, labels: {} })) {
    if (object.kind.endsWith('Binding')) continue
    const isWide = object.kind === 'ClusterRole'
    const type: ResourceType = isWide ? clusterRoles : { ...clusterRoles, kind: 'Role', plural: 'roles', namespaced: true }
    const key = { namespace: object.metadata.namespace ?? '', name }
    const isSame = (other: RbacObject): boolean =>
      other.kind === object.kind && other.metadata.namespace === object.metadata.namespace
    await admin.patch(type, key, 'merge', { rules: rendered.find(isSame)?.rules ?? [] })
  }
}
