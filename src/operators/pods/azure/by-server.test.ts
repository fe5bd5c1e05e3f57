// The webhook beside an embedded API server: rows of the matrix as pods that are made for real, and pods that want both clouds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KubeObject, pods } from '#kube'
import { accountsAreFollowed, groupsByServer, matrixHolds } from '../testing/azure-by-server.ts'
import { openAzureCluster } from '../testing/azure-embedded.ts'
import { clientId, container, envOf, mountsOf, podOf } from '../testing/azure-rows.ts'
import type { PodShape } from '../testing/azure-world.ts'

const client = { 'azure.workload.identity/client-id': clientId }
const role = 'arn:aws:iam::111122223333:role/r'
const both = { ...client, 'eks.amazonaws.com/role-arn': role }

test('pods that an API server makes are what the matrix says, under each setting [E-07, §8.2, Z-08, Z-72]', async () => {
  assert.ok(groupsByServer.length > 6)
  for (const { setting, rows } of groupsByServer) {
    await using cluster = await openAzureCluster(setting, { app: client })
    await matrixHolds(cluster.client, cluster.namespace, rows)
    if (setting.flags === undefined && setting.env === undefined) await accountsAreFollowed(cluster.client, cluster.namespace)
  }
})

async function made(accounts: Parameters<typeof openAzureCluster>[1], pod: PodShape): Promise<PodShape> {
  await using cluster = await openAzureCluster({}, accounts)
  const sent = { ...pod, metadata: { ...pod.metadata, namespace: cluster.namespace } } as PodShape & KubeObject
  return (await cluster.client.create(pods, sent)) as PodShape & KubeObject
}

test('a pod that wants both clouds gets both, through two webhooks that leave each other’s work alone', async () => {
  const pod = await made({ app: both }, podOf({ spec: { containers: [container('c0'), container('c1')] } }))
  for (const name of ['c0', 'c1']) {
    const env = envOf(pod, name)
    assert.equal(env['AWS_ROLE_ARN'], role)
    assert.equal(env['AZURE_CLIENT_ID'], clientId)
    assert.deepEqual(
      mountsOf(pod, name)
        .map(([volume]) => volume)
        .sort(),
      ['aws-iam-token', 'azure-identity-token'],
    )
  }
  assert.equal(pod.spec.volumes?.filter(({ name }) => name.endsWith('-token')).length, 2)
})

test('a pod without the label gets the cloud that its ServiceAccount says, and not Azure', async () => {
  const env = envOf(await made({ app: both }, podOf({ metadata: { labels: {} } })))
  assert.deepEqual([env['AWS_ROLE_ARN'], env['AZURE_CLIENT_ID']], [role, undefined])
})

test('a labelled pod of a ServiceAccount without a role gets Azure alone', async () => {
  const env = envOf(await made({ app: client }, podOf()))
  assert.deepEqual([env['AWS_ROLE_ARN'], env['AZURE_CLIENT_ID']], [undefined, clientId])
})

test('both providers read one list of ServiceAccounts, and metrics tell them apart', async () => {
  await using cluster = await openAzureCluster({}, { app: both })
  await cluster.client.create(pods, { ...podOf(), metadata: { ...podOf().metadata, namespace: 'apps' } } as PodShape & KubeObject)
  const { aws, azure } = cluster.webhooks
  assert.equal(aws.metrics, azure.metrics)
  const text = aws.metrics.expose()
  for (const provider of ['aws', 'azure']) {
    assert.match(text, new RegExp(`identity_webhook_admission_total\\{[^}]*provider="${provider}"[^}]*\\} \\d`))
    assert.match(text, new RegExp(`identity_webhook_sa_cache_entries\\{provider="${provider}"\\} 1`))
  }
  // Once, and once more because the other webhook has changed the pod since.
  assert.match(text, /azwi_mutation_request_count\{namespace="apps"\} 2/)
  assert.deepEqual(
    [...text.matchAll(/azwi_mutation_request_bucket\{namespace="apps",le="([^"]+)"\}/g)].map(([, bound]) => Number(bound)),
    // The steps that upstream has, so that its dashboards and alerts go on.
    [
      [0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.007, 0.008, 0.009],
      [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09],
      [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
      [1, 1.5, 2, 2.5, 3, Number.NaN],
    ].flat(),
  )
})
