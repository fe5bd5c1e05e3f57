// The rows of the Azure matrix by way of an API server: it makes the pod, and so judges the answer as well.
import assert from 'node:assert/strict'
import { type KubeObject, pods } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { endpointRows, proxyRows } from './azure-proxy-rows.ts'
import { type AzureRow, cloudRows, expirationRows, identityRows, layoutRows } from './azure-rows.ts'
import type { PodShape } from './azure-world.ts'

const all = [...identityRows, ...expirationRows, ...layoutRows, ...cloudRows, ...proxyRows, ...endpointRows]

/** Rows that a server can ask, under the settings that most have in common: a server has one webhook. */
export const classicByServer: readonly AzureRow[] = all.filter(row => row.byServer === true && row.setting === undefined)
export const reservedByServer: readonly AzureRow[] = all.filter(
  row => row.byServer === true && row.setting?.flags?.['volume-layout'] === 'reserved',
)

/** Makes the pod for real, looks at it, and takes it away. The ServiceAccount is `app` of the namespace, as the row wants it. */
export async function holdsByServer(client: KubeClient, namespace: string, row: AzureRow): Promise<void> {
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
  return { ...rest, spec: { ...spec, ...(volumes === undefined ? {} : { volumes }) } }
}
