// The last run of an operand whose records are to go with its object: once, over sources that give no name at all, so that every record
// under its owner id is one too many.
import { given } from '#base'
import type { KubeObject, ResourceType } from '#kube'
import { operandName } from '../api/names.ts'
import { type Container, type Deployment, ownerOf } from '../operand/deployment.ts'

export const jobs: ResourceType = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }

export const cleanupFinalizer = 'externaldns.olm.openshift.io/cleanup'

export type CleanupJob = KubeObject & {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[]
  }
}

export const cleanupJobName = (name: string): string => `${operandName(name)}-cleanup`

/** A label that is there and is not there: no object of the cluster fits. */
export const impossibleLabels = 'externaldns.olm.openshift.io/cleanup,!externaldns.olm.openshift.io/cleanup'

/** How long one try may take, and how many there are before somebody has to look. */
const secondsMax = 1_800
const triesMax = 4

export function cleanupJob(deployment: Deployment, { name, uid }: { readonly name: string; readonly uid: string }): KubeObject {
  const { template } = deployment.spec
  const labels = { 'app.kubernetes.io/name': 'external-dns-cleanup', 'app.kubernetes.io/instance': name }
  const { namespace } = deployment.metadata
  const containers = template.spec.containers.map(onceOnly)
  const metadata = {
    name: cleanupJobName(name),
    ...given({ namespace }),
    labels,
    ownerReferences: [ownerOf({ name, uid })],
  }
  const spec = {
    backoffLimit: triesMax,
    activeDeadlineSeconds: secondsMax,
    template: {
      metadata: { labels, annotations: template.metadata?.annotations ?? {} },
      spec: { ...template.spec, containers, restartPolicy: 'Never' },
    },
  }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec } as KubeObject
}

/** Whatever the object lets happen to records otherwise: their end was asked for. */
function onceOnly(container: Container): Container {
  const kept = (container.args ?? []).filter(argument => !/^--(label-filter|policy|interval)=/.test(argument))
  return { ...container, args: [...kept, '--policy=sync', `--label-filter=${impossibleLabels}`, '--once'] }
}

export type CleanupState = 'under-way' | 'done' | { readonly failed: string }

export function stateOf({ status }: CleanupJob): CleanupState {
  const holds = (type: string) => status?.conditions?.find(condition => condition.type === type && condition.status === 'True')
  if (holds('Complete') !== undefined) return 'done'
  const failed = holds('Failed')
  return failed === undefined ? 'under-way' : { failed: failed.message ?? 'the last run failed' }
}
