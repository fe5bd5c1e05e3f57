// What the servers hold, kept beside them from the effects alone, so that invariants can be checked after every step without asking.
import type { HttpRequest, HttpResponse } from '#base'
import type { KubeObject } from '#kube'

/** Objects by path, e.g. `/api/v1/namespaces/a/configmaps/b`. */
export class Shadow {
  readonly objects: Map<string, KubeObject> = new Map()

  /** Applies a successful mutating exchange; returns what stood there before and after. */
  apply(
    request: HttpRequest,
    response: HttpResponse,
  ): { key: string; subresource: string | undefined; before: KubeObject | undefined; after: KubeObject | undefined } {
    const path = request.target.split('?')[0] ?? ''
    const answer = answeredObject(response)
    const { key, subresource } = keyFrom(path, request.method, () => answer)
    const before = this.objects.get(key)
    if (response.status >= 300 || answer === undefined || /[?&]dryRun=/.test(request.target))
      return { key, subresource, before, after: before }
    const after = afterOf(request.method, answer)
    // A subresource that is no part of the object (a token, an eviction) leaves it as it is.
    if (subresource !== undefined && subresource !== 'status' && subresource !== 'scale')
      return { key, subresource, before, after: before }
    if (after === undefined) this.objects.delete(key)
    else this.objects.set(key, after)
    return { key, subresource, before, after }
  }
}

/** What the answer is: the object, a list or a Status. */
export function answeredObject({ body }: HttpResponse): KubeObject | undefined {
  return parseBody(body) as KubeObject | undefined
}

/** What bodies say, for as long as they are there: the witness, the shadow and the counts each read the same one. */
const parsed = new WeakMap<Uint8Array, { readonly value: unknown }>()

/** The JSON of a body that came whole, which nobody may change; undefined for streams and for what is no JSON. */
export function parseBody(body: HttpRequest['body']): unknown {
  if (!(body instanceof Uint8Array) || body.length === 0) return undefined
  const known = parsed.get(body)
  if (known !== undefined) return known.value
  const value = parseText(new TextDecoder().decode(body))
  parsed.set(body, { value })
  return value
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function afterOf(method: string, answer: KubeObject): KubeObject | undefined {
  if (answer.kind === 'Status') return undefined
  const terminating = answer.metadata.deletionTimestamp !== undefined
  const held = (answer.metadata.finalizers?.length ?? 0) > 0
  // The last finalizer of a terminating object takes the object with it; a DELETE answers with what it removed.
  if (terminating && !held) return undefined
  if (method === 'DELETE' && !terminating) return undefined
  return answer
}

/** The path of the object that a request is about; of a creation, the one that it will have. */
export function keyOfRequest({ target, method, body }: HttpRequest): string {
  return keyFrom(target.split('?')[0] ?? '', method, () => parseBody(body) as KubeObject | undefined).key
}

/** `about` is the object, asked for only where the path does not name it. */
function keyFrom(
  path: string,
  method: string,
  about: () => KubeObject | undefined,
): { key: string; subresource: string | undefined } {
  const parts = path.split('/').filter(part => part !== '')
  const root = parts[0] === 'api' ? 2 : 3
  const namespaced = parts[root] === 'namespaces' && parts.length > root + 2
  const plural = namespaced ? root + 2 : root
  const name = parts[plural + 1] ?? (method === 'POST' ? about()?.metadata?.name : undefined)
  const subresource = parts[plural + 2]
  const base = `/${parts.slice(0, plural + 1).join('/')}`
  return { key: name === undefined ? base : `${base}/${name}`, subresource }
}
