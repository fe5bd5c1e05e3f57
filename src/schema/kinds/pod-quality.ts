// How well a pod is served where resources are short, by what it asks for: all limits equal to requests, some, or nothing at all.
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import { parseQuantity } from '../quantity.ts'

type PodQuality = 'Guaranteed' | 'Burstable' | 'BestEffort'

/** A pod that has amounts of its own is judged by them, another by those of its containers, the first ones included. */
export function qualityOf(spec: Json | undefined): PodQuality {
  const { resources, containers, initContainers } = isObject(spec) ? spec : {}
  if (isObject(resources)) return qualityOfAll([spec as JsonObject])
  return qualityOfAll([...(isList(containers) ? containers : []), ...(isList(initContainers) ? initContainers : [])])
}

function qualityOfAll(owners: readonly Json[]): PodQuality {
  let any = false
  let all = owners.length > 0
  for (const owner of owners) {
    const resources = isObject(owner) && isObject(owner.resources) ? owner.resources : {}
    const limits = isObject(resources.limits) ? resources.limits : {}
    const requests = isObject(resources.requests) ? resources.requests : {}
    for (const name of ['cpu', 'memory']) {
      const [limit, request] = [limits[name], requests[name]]
      if (isSome(limit) || isSome(request)) any = true
      if (!isSome(limit) || (request !== undefined && request !== limit)) all = false
    }
  }
  return all ? 'Guaranteed' : any ? 'Burstable' : 'BestEffort'
}

/** An amount of nothing is none. */
function isSome(amount: Json | undefined): boolean {
  return typeof amount === 'string' && (parseQuantity(amount)?.numerator ?? 0n) > 0n
}
