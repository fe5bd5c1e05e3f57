// Notes what is asked of an API server as its authoriser sees it, and keeps one request of each kind to be asked again.
import type { HttpExchange, HttpRequest } from '#base'
import type { Right, Verb } from '#kube'

export interface Asked {
  readonly verb: Verb
  readonly group: string
  /** With its subresource. */
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly request: HttpRequest
}

export interface Recorder {
  readonly asked: ReadonlyMap<string, Asked>
  readonly forbidden: readonly string[]
  readonly through: (exchange: HttpExchange) => HttpExchange
}

export function recorder(): Recorder {
  const asked = new Map<string, Asked>()
  const forbidden: string[] = []
  return {
    asked,
    forbidden,
    through: exchange => async request => {
      const one = attributesOf(request)
      if (one !== undefined) asked.set(idOf(one), one)
      const response = await exchange(request)
      if (response.status === 403) forbidden.push(one === undefined ? request.target : idOf(one))
      return response
    },
  }
}

export function idOf(asked: Asked): string {
  const { verb, group, resource, namespace } = asked
  return `${verb} ${group}/${resource} ${namespace}/${nameOf(asked)}`
}

/** `undefined` for what is no resource, such as discovery. */
export function attributesOf(request: HttpRequest): Asked | undefined {
  const [path = '', query = ''] = request.target.split('?')
  const match = /^\/(?:api\/v1|apis\/([^/]+)\/[^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(path)
  if (match === null) return undefined
  const [, group = '', namespace = '', plural = '', name = '', subresource] = match.map(part => part ?? undefined)
  // `/api/v1/namespaces/x` is the namespace x, and not all of it.
  const own = /^\/api\/v1\/namespaces\/([^/]+)$/.exec(path)
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`
  const isWatch = new URLSearchParams(query).get('watch') !== null
  if (own !== null)
    return {
      verb: verbOf(request.method, true, false),
      group: '',
      resource: 'namespaces',
      namespace: '',
      name: own[1] ?? '',
      request,
    }
  return { verb: verbOf(request.method, name !== '', isWatch), group, resource, namespace, name, request }
}

function verbOf(method: string, isNamed: boolean, isWatch: boolean): Verb {
  switch (method) {
    case 'GET':
      return isWatch ? 'watch' : isNamed ? 'get' : 'list'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    default:
      return 'delete'
  }
}

/** Whether the right lets this through, as RBAC sees it. */
export function covers(right: Right, asked: Asked): boolean {
  if (right.group !== asked.group || right.resource !== asked.resource || !right.verbs.includes(asked.verb)) return false
  if (right.within !== undefined && !right.within.includes(asked.namespace)) return false
  return right.names === undefined || right.names.includes(nameOf(asked))
}

/** A list or a watch of one object by field selector counts as of that name. */
function nameOf({ name, request }: Asked): string {
  return name === '' ? selectedName(request.target) : name
}

function selectedName(target: string): string {
  const selector = new URLSearchParams(target.split('?')[1] ?? '').get('fieldSelector') ?? ''
  return /^metadata\.name=([^,]+)$/.exec(selector)?.[1] ?? ''
}
