// The rows of the Azure matrix by way of an API server: it makes the pod, and so judges the answer as well.
import assert from 'node:assert/strict'
import { given, systemClock } from '#base'
import { type KubeObject, type ObjectKey, pods, serviceAccounts } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { endpointRows, proxyRows } from './azure-proxy-rows.ts'
import { type AzureRow, clientId, cloudRows, envOf, expirationRows, identityRows, layoutRows, podOf } from './azure-rows.ts'
import type { AzureSetting, PodShape } from './azure-world.ts'

const all = [...identityRows, ...expirationRows, ...layoutRows, ...cloudRows, ...proxyRows, ...endpointRows]

export interface ServerGroup {
  readonly setting: AzureSetting
  readonly rows: readonly AzureRow[]
}

/** Rows that a server can ask, by their setting: a server has one webhook at a time. */
export const groupsByServer: readonly ServerGroup[] = groupsOf(all.filter(({ byServer }) => byServer === true))

function groupsOf(rows: readonly AzureRow[]): readonly ServerGroup[] {
  const bySetting = Map.groupBy(rows, ({ setting = {} }) => JSON.stringify(setting))
  return [...bySetting.values()].map(alike => ({ setting: alike[0]?.setting ?? {}, rows: alike }))
}

/** Each row with an account as it wants it, and what no row can say: who has no account, and an account that changes between two pods. */
export async function matrixHolds(client: KubeClient, namespace: string, rows: readonly AzureRow[]): Promise<void> {
  for (const row of rows) {
    await putAccount(client, { namespace, name: 'app' }, row.account ?? withClient)
    await holdsByServer(client, namespace, row).catch((error: unknown) => {
      throw new Error(`${row.id}: ${row.what}: ${String(error)}`, { cause: error })
    })
  }
}

const idKey = 'azure.workload.identity/client-id'
const withClient = { [idKey]: clientId }

/** Rows Z-08 and Z-72: a pod that names no ServiceAccount has `default`, and the next pod has what its account says by then. */
export async function accountsAreFollowed(client: KubeClient, namespace: string): Promise<void> {
  const first = 'aaaaaaaa-2222-4333-8444-555555555555'
  await putAccount(client, { namespace, name: 'default' }, { [idKey]: first })
  assert.equal(await clientIdOf(client, namespace), first)
  await putAccount(client, { namespace, name: 'default' }, withClient)
  // The watch brings it, some time after the write.
  const patienceEndsMs = systemClock.now() + 60_000
  while ((await clientIdOf(client, namespace)) !== clientId)
    assert.ok(systemClock.now() < patienceEndsMs, 'pods still have what the ServiceAccount said before')
}

/** Whether the server asks the webhook by now: it learns of configurations some time after they were written. */
export async function isAsked(client: KubeClient, namespace: string): Promise<boolean> {
  await putAccount(client, { namespace, name: 'default' }, withClient)
  return clientIdOf(client, namespace).then(
    id => id === clientId,
    () => false,
  )
}

async function clientIdOf(client: KubeClient, namespace: string): Promise<unknown> {
  const { spec, ...pod } = podOf()
  const { serviceAccountName: _, ...unnamed } = spec
  const metadata = { ...pod.metadata, namespace }
  const made = (await client.create(pods, { ...pod, metadata, spec: unnamed } as unknown as KubeObject)) as PodShape & KubeObject
  await client.delete(pods, { namespace, name: made.metadata.name ?? '' }, { gracePeriodSeconds: 0 })
  return envOf(made)['AZURE_CLIENT_ID']
}

async function putAccount(client: KubeClient, key: ObjectKey, annotations: Readonly<Record<string, string>>): Promise<void> {
  if ((await client.find(serviceAccounts, key)) !== undefined) await client.delete(serviceAccounts, key)
  await client.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...key, annotations } })
}

/** Makes the pod for real, looks at it, and takes it away. The ServiceAccount is `app` of the namespace, as the row wants it. */
async function holdsByServer(client: KubeClient, namespace: string, row: AzureRow): Promise<void> {
  const sent = JSON.parse(JSON.stringify({ ...row.pod, metadata: { ...row.pod.metadata, namespace } })) as PodShape & KubeObject
  let stored: KubeObject | undefined
  try {
    stored = await client.create(pods, sent)
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    const said = /denied the request: ([\s\S]*)$/.exec(error.message)?.[1]
    assert.ok(said !== undefined, error.message)
    return row.expect({ pod: sent, sent, refused: said })
  }
  // The name of the pod is a part of some expectations, and not its own where it had none.
  row.expect({ pod: withoutDefaults(stored), sent })
  await client.delete(pods, { namespace, name: stored.metadata.name ?? '' }, { gracePeriodSeconds: 0 })
}

/** What a server fills in says nothing of the answer: its own volume, and its own mounts are left out by whoever looks. */
function withoutDefaults(stored: KubeObject): PodShape {
  const { spec, ...rest } = stored as KubeObject & PodShape
  const volumes = spec.volumes?.filter(({ name }) => !name.startsWith('kube-api-access'))
  return { ...rest, spec: { ...spec, ...given({ volumes }) } }
}
