// What kind of cluster this is, found out once at the start.
import type { Log } from '#base'
import type { ResourceType, StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { type Platform, plainKubernetes } from './operand/request.ts'

export const infrastructures: ResourceType = {
  group: 'config.openshift.io',
  version: 'v1',
  kind: 'Infrastructure',
  plural: 'infrastructures',
  namespaced: false,
}

type Infrastructure = StoredObject & {
  readonly status?: {
    readonly platformStatus?: {
      readonly type?: string
      readonly aws?: { readonly region?: string }
      readonly gcp?: { readonly projectID?: string }
    }
  }
}

/** What was found out, once. */
export interface Detected {
  readonly platform: Platform
  /** Plain Kubernetes may serve Routes as well. */
  readonly hasRoutes: boolean
}

/** Throws where the cluster does not say; a group that is not there means plain Kubernetes. */
export async function detectPlatform(client: KubeClient, log: Log): Promise<Detected> {
  const served = await client.discover({ timeoutMs: answerMsMax })
  const serves = (group: string, kind: string): boolean => served.some(each => each.group === group && each.kind === kind)
  const hasRoutes = serves('route.openshift.io', 'Route')
  if (!serves('operator.openshift.io', 'OpenShiftAPIServer')) return { platform: plainKubernetes, hasRoutes }
  const { status } = await client.get<Infrastructure>(infrastructures, { namespace: '', name: 'cluster' })
  const { type = '', aws, gcp } = status?.platformStatus ?? {}
  log.info('this is OpenShift', { platform: type })
  return { platform: { isOpenShift: true, type, awsRegion: aws?.region ?? '', gcpProject: gcp?.projectID ?? '' }, hasRoutes }
}

const answerMsMax = 20_000
