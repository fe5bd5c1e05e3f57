// What kind of cluster is found, by what it serves and what it says of itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '#base'
import type { KubeClient } from '#kube/client'
import { plainKubernetes } from './operand/request.ts'
import { type Detected, detectPlatform } from './platform.ts'

const apiServer = ['operator.openshift.io', 'OpenShiftAPIServer']
const route = ['route.openshift.io', 'Route']

function detect(served: readonly (readonly string[])[], platformStatus?: object): Promise<Detected> {
  const client = {
    discover: async () => served.map(([group, kind]) => ({ group, kind })),
    get: async (_type: unknown, { name }: { readonly name: string }) =>
      name === 'cluster' ? { status: platformStatus === undefined ? undefined : { platformStatus } } : undefined,
  }
  return detectPlatform(client as unknown as KubeClient, silentLog)
}

const openShift = (more: object = {}) => ({ isOpenShift: true, type: '', awsRegion: '', gcpProject: '', ...more })

for (const [what, served, platformStatus, platform, hasRoutes] of [
  ['that serves neither Routes nor the API server of OpenShift', [['apps', 'Deployment']], undefined, plainKubernetes, false],
  ['that serves Routes alone', [route], undefined, plainKubernetes, true],
  ['with a kind of that name in another group', [['example.com', 'OpenShiftAPIServer']], undefined, plainKubernetes, false],
  ['with another kind of that group', [['operator.openshift.io', 'Console']], undefined, plainKubernetes, false],
  [
    'with both, on AWS',
    [apiServer, route],
    { type: 'AWS', aws: { region: 'eu-west-1' } },
    { type: 'AWS', awsRegion: 'eu-west-1' },
    true,
  ],
  [
    'without Routes, on GCP',
    [apiServer],
    { type: 'GCP', gcp: { projectID: 'mine' } },
    { type: 'GCP', gcpProject: 'mine' },
    false,
  ],
  ['that does not say on what it runs', [apiServer, route], undefined, {}, true],
  ['that says only the kind of what it runs on', [apiServer], { type: 'BareMetal' }, { type: 'BareMetal' }, false],
] as const)
  test(`a cluster ${what} is ${platform === plainKubernetes ? 'plain Kubernetes' : 'OpenShift'}, with${hasRoutes ? '' : 'out'} Routes`, async () => {
    const expected = platform === plainKubernetes ? plainKubernetes : openShift(platform)
    assert.deepEqual(await detect(served, platformStatus), { platform: expected, hasRoutes })
  })
