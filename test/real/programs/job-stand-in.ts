// Stands in for the controller of jobs, which runs beside neither server: every job of the namespace ends at once, as its label says.

import { systemClock } from '#base'
import type { ResourceType, StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { endedJob } from '../../../src/kube/ended-job.fixture.ts'

const jobs: ResourceType = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }

export interface JobStandIn {
  /** Names of the jobs that were ended so far, in order of name. */
  finished(): readonly string[]
  stop(): Promise<void>
}

/** A job labelled `outcome: fails` fails, every other one is complete. */
export function finishJobs(client: KubeClient, namespace: string): JobStandIn {
  const ended: string[] = []
  const stopping = new AbortController()
  const follow = async (): Promise<void> => {
    for await (const event of client.watch(jobs, { namespace, signal: stopping.signal })) {
      if (event.type === 'ADDED') await end(client, event.object)
      if (event.type === 'ADDED') ended.push(event.object.metadata.name)
    }
  }
  const running = follow().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  // Whoever stops the stand-in hears of it.
  running.catch(() => {})
  return {
    finished: () => ended.toSorted(),
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function end(client: KubeClient, { metadata }: StoredObject): Promise<void> {
  const key = { namespace: metadata.namespace as string, name: metadata.name }
  const end = metadata.labels?.['outcome'] === 'fails' ? 'Failed' : 'Complete'
  await client.patch(jobs, key, 'merge', endedJob(end, '', systemClock.now()), { subresource: 'status' })
}
