// What the Job controller does for a Job of one pod, where there is none.
import { systemClock } from '#base'
import { type KubeObject, pods, type ResourceType, type StoredObject } from '#kube'
import { endedJob } from '../../../src/kube/ended-job.fixture.ts'
import { eventually } from '../eventually.ts'
import { operandNamespace as namespace, type OperandWorld } from './world.ts'

const jobs: ResourceType = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }

type Job = StoredObject & { readonly spec: { readonly template: { readonly metadata?: object; readonly spec: object } } }

type EndedPod = StoredObject & {
  readonly status?: {
    readonly containerStatuses?: readonly { readonly lastState?: { readonly terminated?: { readonly exitCode: number } } }[]
  }
}

/** Runs it once when it is there, and says how it ended. */
export async function runJob({ cluster: { admin } }: OperandWorld, name: string): Promise<void> {
  const withinMs = 60_000
  const job = await eventually(
    () => admin.find<Job>(jobs, { namespace, name }),
    () => `no Job ${name}`,
    withinMs,
  )
  const { metadata = {}, spec } = job.spec.template
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, namespace, name }, spec } as unknown as KubeObject
  await admin.create(pods, pod)
  let last = ''
  const exitCode = await eventually(
    async () => {
      const { status } = await admin.get<EndedPod>(pods, { namespace, name })
      last = JSON.stringify(status)
      return status?.containerStatuses?.[0]?.lastState?.terminated?.exitCode
    },
    () => `the pod of ${name} does not end: ${last}`,
    withinMs,
  )
  await admin.delete(pods, { namespace, name })
  const message = `the last container ended with ${exitCode}`
  const ended = endedJob(exitCode === 0 ? 'Complete' : 'Failed', message, systemClock.now())
  await admin.patch(jobs, { namespace, name }, 'merge', ended, { subresource: 'status' })
}
