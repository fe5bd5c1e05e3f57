// One call to one webhook: the AdmissionReview that goes out, and what is taken from the one that comes back.

import { isRecord, type Maybe, type Random } from '#base'
import { applyJsonPatch, JsonPatchError } from '#kube'
import { convertBuiltin } from '#schema'
import type { Callouts } from '../../callouts/callouts.ts'
import type { Converter } from '../../conversion/converter.ts'
import { usesWebhook } from '../../conversion/converter.ts'
import { asDraft, asJson, copyJson, type Draft, draftFrom } from '../../draft.ts'
import { badRequest, internalError, refusal } from '../../refusals.ts'
import type { ServedKind } from '../../registry/resource.ts'
import { renderUser } from '../../users.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { Webhook } from './webhook-config.ts'

/** A webhook sees objects at the version that it asked for; each review has an id of its own. */
export interface ConvertPorts {
  readonly converter: Converter
  readonly random: Random
}

/** Calls the webhook; returns the changed object, or undefined when it changed nothing. Throws the refusal. */
export async function callWebhook(
  ports: ConvertPorts,
  callouts: Callouts,
  webhook: Webhook,
  attributes: AdmissionAttributes,
  as: ServedKind,
): Promise<Draft | undefined> {
  if (attributes.dryRun && !webhook.sideEffectFree) {
    throw badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`)
  }
  let response: WebhookResponse
  try {
    response = await ask(ports, callouts, webhook, attributes, as)
  } catch (error) {
    if (webhook.ignoresFailure) return undefined
    const cause = error instanceof Error ? error.message : String(error)
    throw internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: failed to call webhook: ${cause}`)
  }
  attributes.warnings.push(...response.warnings)
  if (!response.allowed) throw denied(webhook.name, response.status)
  if (response.patch === undefined) return undefined
  if (attributes.object === undefined) {
    if (response.patch.length === 0) return undefined
    const why = 'attempted to modify the object, which is not supported for this operation'
    throw internalError(`admission webhook ${JSON.stringify(webhook.name)} ${why}`)
  }
  return patched(ports, webhook, attributes.object, response.patch, attributes.kind, as)
}

interface WebhookResponse {
  readonly allowed: boolean
  readonly status: Readonly<Record<string, unknown>>
  readonly patch: readonly unknown[] | undefined
  readonly warnings: readonly string[]
}

async function ask(
  ports: ConvertPorts,
  callouts: Callouts,
  webhook: Webhook,
  attributes: AdmissionAttributes,
  as: ServedKind,
): Promise<WebhookResponse> {
  const uid = ports.random.uuid()
  const [object, oldObject] = await Promise.all([
    atVersion(ports, attributes.object, attributes.kind, as),
    atVersion(ports, attributes.oldObject, attributes.kind, as),
  ])
  const reply = await callouts.post({
    client: webhook.client,
    query: `?timeout=${webhook.timeoutSeconds}s`,
    body: renderReview(webhook, { ...attributes, object: object as Draft | undefined, oldObject }, as, uid),
    timeoutMs: webhook.timeoutSeconds * 1_000,
  })
  return readReview(webhook, reply, uid)
}

function renderReview(webhook: Webhook, attributes: AdmissionAttributes, as: ServedKind, uid: string): Record<string, unknown> {
  const { kind, subresource, object, oldObject } = attributes
  const typeOf = (served: ServedKind): Record<string, string> => ({
    group: served.resource.group,
    version: served.version,
    kind: served.resource.kind,
  })
  const resourceOf = (served: ServedKind): Record<string, string> => ({
    group: served.resource.group,
    version: served.version,
    resource: served.resource.plural,
  })
  const sub = subresource === '' ? {} : { subResource: subresource }
  const requestSub = subresource === '' ? {} : { requestSubResource: subresource }
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${webhook.reviewVersion}`,
    request: {
      uid,
      kind: typeOf(as),
      resource: resourceOf(as),
      ...sub,
      requestKind: typeOf(kind),
      requestResource: resourceOf(kind),
      ...requestSub,
      ...(attributes.name === '' ? {} : { name: attributes.name }),
      ...(attributes.namespace === '' ? {} : { namespace: attributes.namespace }),
      operation: attributes.operation,
      userInfo: renderUser(attributes.user),
      object: object ?? null,
      oldObject: oldObject ?? null,
      dryRun: attributes.dryRun,
      options: attributes.options.kind === undefined ? null : attributes.options,
    },
  }
}

function atVersion(
  ports: ConvertPorts,
  object: Readonly<Draft> | undefined,
  from: ServedKind,
  to: ServedKind,
): Maybe<Readonly<Draft> | undefined> {
  if (from === to || object === undefined) return object
  if (usesWebhook(to)) return ports.converter.convert([object], to).then(([converted]) => converted)
  if (to.resource.custom === undefined) return asDraft(convertBuiltin(asJson(object), to.apiVersion))
  return asDraft(to.schema.prune(asJson({ ...object, apiVersion: to.apiVersion })))
}

/** Every breach of the contract counts as a failed call. */
function readReview(webhook: Webhook, reply: unknown, uid: string): WebhookResponse {
  const expected = `admission.k8s.io/${webhook.reviewVersion}, Kind=AdmissionReview`
  if (!isRecord(reply) || reply.kind !== 'AdmissionReview' || reply.apiVersion !== `admission.k8s.io/${webhook.reviewVersion}`) {
    throw new Error(`received invalid webhook response: expected webhook response of ${expected}`)
  }
  const { response } = reply
  if (!isRecord(response)) throw new Error('webhook response is absent')
  if (response.uid !== uid)
    throw new Error(
      `received invalid webhook response: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid)}`,
    )
  const { patch, patchType } = response
  const hasPatch = patch !== undefined && patch !== null && patch !== ''
  const hasType = patchType !== undefined && patchType !== null && patchType !== ''
  if (!webhook.mutating && (hasPatch || hasType)) {
    throw new Error('received invalid webhook response: validating webhook must not send a patch')
  }
  if (hasPatch && !hasType) throw new Error('received invalid webhook response: response.patchType not set but response.patch is')
  if (hasType && (patchType !== 'JSONPatch' || !hasPatch)) {
    throw new Error(
      `received invalid webhook response: ${hasPatch ? `invalid response.patchType ${JSON.stringify(patchType)}` : 'response.patch not set but response.patchType is'}`,
    )
  }
  return {
    allowed: response.allowed === true,
    status: isRecord(response.status) ? response.status : {},
    patch: hasPatch ? readPatch(patch) : undefined,
    warnings: Array.isArray(response.warnings) ? (response.warnings as unknown[]).filter(text => typeof text === 'string') : [],
  }
}

function readPatch(patch: unknown): readonly unknown[] {
  const value: unknown = JSON.parse(Buffer.from(patch as string, 'base64').toString())
  if (!Array.isArray(value)) throw new Error('received invalid webhook response: the patch is no list of operations')
  return value as unknown[]
}

async function patched(
  ports: ConvertPorts,
  webhook: Webhook,
  object: Draft,
  patch: readonly unknown[],
  kind: ServedKind,
  as: ServedKind,
): Promise<Draft | undefined> {
  if (patch.length === 0) return undefined
  try {
    const result = applyJsonPatch(copyJson(await atVersion(ports, object, kind, as)), patch)
    if (!isRecord(result) || !isRecord(result.metadata)) throw new JsonPatchError('the patched object is no object')
    const back = (await atVersion(ports, result as Draft, as, kind)) as Draft
    return draftFrom(asDraft(kind.schema.applyDefaults(kind.schema.prune(asJson(back)))))
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error
    throw internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`)
  }
}

function denied(name: string, status: Readonly<Record<string, unknown>>): Error {
  const code = typeof status.code === 'number' && status.code >= 400 ? status.code : 400
  const said =
    typeof status.message === 'string' && status.message !== ''
      ? status.message
      : typeof status.reason === 'string'
        ? status.reason
        : ''
  const head = `admission webhook ${JSON.stringify(name)} denied the request`
  const message = said === '' ? `${head} without explanation` : `${head}: ${said}`
  const reason = typeof status.reason === 'string' ? status.reason : ''
  return refusal(code, reason, message, isRecord(status.details) ? (status.details as object) : undefined)
}
