// How well a pod is served where resources are short, by what its containers ask for: all limits equal to requests, some, or nothing at all.
import { isList, isObject, type Json } from '../json.ts'

type PodQuality = 'Guaranteed' | 'Burstable' | 'BestEffort'

export function qualityOf(spec: Json | undefined): PodQuality {
  const containers = isObject(spec) && isList(spec.containers) ? spec.containers : []
  let any = false
  let all = containers.length > 0
  for (const container of containers) {
    const resources = isObject(container) && isObject(container.resources) ? container.resources : {}
    const limits = isObject(resources.limits) ? resources.limits : {}
    const requests = isObject(resources.requests) ? resources.requests : {}
    for (const name of ['cpu', 'memory']) {
      if (limits[name] !== undefined || requests[name] !== undefined) any = true
      if (limits[name] === undefined || (requests[name] !== undefined && requests[name] !== limits[name])) all = false
    }
  }
  return all ? 'Guaranteed' : any ? 'Burstable' : 'BestEffort'
}
