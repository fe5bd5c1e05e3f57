// The Deployment: made, or put right where it is not what is wanted any more.
import { commaList, given } from '#base'
import { deployments } from '#kube'
import type { Action } from '#runtime'
import { annotations } from '../api/names.ts'
import { type Deployment, podLabels } from '../operand/deployment.ts'
import { repaired } from '../operand/drift.ts'
import { holdOn } from '../ownership/hold.ts'
import type { DnsSeen } from './seen.ts'

/** Why the Deployment that is there is not ours to change. */
export function findHold({ dns, deployment }: DnsSeen): string | undefined {
  if (deployment === undefined) return undefined
  const hold = holdOn(deployment, dns)
  if (hold === 'foreign') return 'deployment is owned by another controller'
  if (hold === 'former') return 'the deployment of a former object of this name is being collected'
  return hold === 'free' && !carriesOurLabels(deployment, dns.metadata.name)
    ? 'deployment exists and is nobody’s of ours'
    : undefined
}

/** Without an owner, but as this operator makes them: one whose owner reference was taken away. */
function carriesOurLabels({ spec }: Deployment, name: string): boolean {
  return Object.entries(podLabels(name)).every(([key, value]) => spec.selector.matchLabels[key] === value)
}

export function deploymentActions({ dns, deployment }: DnsSeen, wanted: Deployment): readonly Action[] {
  if (deployment === undefined) return [{ kind: 'create', type: deployments, object: wanted }]
  const kept = new Set(
    commaList(
      deployment.metadata.annotations?.[annotations.keepContainers] ??
        dns.metadata.annotations?.[annotations.keepContainers] ??
        '',
    ),
  )
  const spec = repaired(deployment.spec, wanted.spec, kept)
  const isFree = holdOn(deployment, dns) === 'free'
  if (spec === undefined && !isFree) return []
  const ownerReferences = isFree
    ? [...(deployment.metadata.ownerReferences ?? []), ...(wanted.metadata.ownerReferences ?? [])]
    : deployment.metadata.ownerReferences
  const metadata = { ...deployment.metadata, ...given({ ownerReferences }) }
  const object = { ...deployment, metadata, spec: spec ?? deployment.spec }
  return [{ kind: 'update', type: deployments, object }]
}
