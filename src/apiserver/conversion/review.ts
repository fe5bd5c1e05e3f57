// The ConversionReview that goes out, and what is taken from the one that comes back.

import { isRecord } from '#base'
import type { FieldError, JsonObject } from '#schema'
import { type Draft } from '../draft.ts'
import { checkAnnotations, checkLabels } from '../metadata/validate.ts'

export function renderReview(
  version: string,
  uid: string,
  desiredAPIVersion: string,
  objects: readonly JsonObject[],
): Record<string, unknown> {
  return {
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion, objects },
  }
}

/** The converted objects; every breach of the contract is an Error that says which. */
export function readReview(version: string, uid: string, reply: unknown): readonly unknown[] {
  const apiVersion = `apiextensions.k8s.io/${version}`
  if (!isRecord(reply) || reply.kind !== 'ConversionReview' || reply.apiVersion !== apiVersion) {
    const got = isRecord(reply) ? `${textOf(reply.apiVersion)}, Kind=${textOf(reply.kind)}` : typeof reply
    throw new Error(`invalid response: expected webhook response of ${apiVersion}, Kind=ConversionReview, got ${got}`)
  }
  const { response } = reply
  if (!isRecord(response)) throw new Error('invalid response: no response provided')
  if (response.uid !== uid) {
    throw new Error(`invalid response: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(textOf(response.uid))}`)
  }
  const result = isRecord(response.result) ? response.result : {}
  if (result.status !== 'Success') {
    const message = textOf(result.message)
    throw new Error(message === '' ? `response.result.status was '${textOf(result.status)}', not 'Success'` : message)
  }
  return Array.isArray(response.convertedObjects) ? (response.convertedObjects as unknown[]) : []
}

/** The object with the metadata that it had, but for labels and annotations; or what is wrong with it. */
export function checkConverted(original: Readonly<Draft>, converted: unknown, apiVersion: string): Draft | string {
  if (!isRecord(converted)) return 'it is no object'
  if (converted.apiVersion !== apiVersion) {
    return `invalid groupVersion (expected ${apiVersion}, received ${textOf(converted.apiVersion)})`
  }
  if (converted.kind !== original.kind) return `invalid kind (expected ${original.kind}, received ${textOf(converted.kind)})`
  const { metadata } = converted
  if (metadata === undefined) return 'missing metadata in converted object'
  if (!isRecord(metadata)) return 'invalid metadata in converted object'
  const was = original.metadata
  if ((metadata.name ?? '') !== (was.name ?? '')) return differs('name', was.name, metadata.name)
  if ((metadata.namespace ?? '') !== (was.namespace ?? '')) return differs('namespace', was.namespace, metadata.namespace)
  if ((metadata.uid ?? '') !== (was.uid ?? '')) return differs('UID', was.uid, metadata.uid)
  const { labels: _labels, annotations: _annotations, ...kept } = was
  const problem = mapProblem('labels', metadata.labels) ?? mapProblem('annotations', metadata.annotations)
  if (problem !== undefined) return problem
  return {
    ...converted,
    apiVersion,
    kind: original.kind,
    metadata: {
      ...kept,
      ...(isRecord(metadata.labels) ? { labels: metadata.labels as Record<string, string> } : {}),
      ...(isRecord(metadata.annotations) ? { annotations: metadata.annotations as Record<string, string> } : {}),
    },
  }
}

function mapProblem(field: 'labels' | 'annotations', value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (!isRecord(value) || Object.values(value).some(each => typeof each !== 'string')) {
    return `invalid metadata.${field}: it has to be a map of texts`
  }
  const errors: FieldError[] = []
  const check = field === 'labels' ? checkLabels : checkAnnotations
  check(value as Record<string, string>, errors)
  return errors[0] === undefined ? undefined : `invalid metadata.${field}: ${errors[0].detail}`
}

function differs(what: string, expected: unknown, received: unknown): string {
  return `must have the same ${what}: ${textOf(expected)} != ${textOf(received)}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}
