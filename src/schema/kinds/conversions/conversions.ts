// Built-in kinds that are served at more than one version, or in two groups: which of the forms is stored, and the way from each form
// to that one and back. Everything else has one form.
import type { JsonObject } from '../../json.ts'
import { text } from '../validate/checks.ts'
import { autoscalerFromV1, autoscalerToV1 } from './autoscalers.ts'
import { eventFromCore, eventToCore } from './events.ts'

export interface StoredForm {
  /** The API version at which objects are stored. */
  readonly apiVersion: string
  toStored(object: JsonObject): JsonObject
  fromStored(object: JsonObject): JsonObject
}

/** By `apiVersion/Kind` of the form that is not stored. */
const forms: Readonly<Record<string, StoredForm | undefined>> = {
  'events.k8s.io/v1/Event': { apiVersion: 'v1', toStored: eventToCore, fromStored: eventFromCore },
  'autoscaling/v1/HorizontalPodAutoscaler': {
    apiVersion: 'autoscaling/v2',
    toStored: autoscalerFromV1,
    fromStored: autoscalerToV1,
  },
}

/** Undefined where the form is the stored one. */
export function storedForm(apiVersion: string, kind: string): StoredForm | undefined {
  return forms[`${apiVersion}/${kind}`]
}

/** The object in another of its forms; what that form must have and the object lacks is still missing. */
export function rewritten(object: JsonObject, apiVersion: string): JsonObject {
  const kind = text(object.kind)
  const from = storedForm(text(object.apiVersion), kind)
  const to = storedForm(apiVersion, kind)
  const stored = from === undefined ? object : from.toStored(object)
  return { ...(to === undefined ? stored : to.fromStored(stored)), apiVersion }
}
