import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createApiServer } from '#apiserver'
import { systemClock } from '#base'
import { type KubeObject, secrets } from '#kube'
import { createKubeClient } from '#kube/client'
import type { Pod } from './pod.ts'
import { mountVolumes } from './root.ts'

test('no path of a pod leads out of the folder of its container', async () => {
  const around = mkdtempSync(join(tmpdir(), 'vouch-root-'))
  const server = createApiServer()
  const kube = createKubeClient({ clock: systemClock, address: 'here', exchange: server.as() })
  const secret: KubeObject & { readonly data: object } = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name: 's' },
    data: { word: 'c2VzYW1l' },
  }
  await kube.create(secrets, secret)
  const items = [{ key: 'word', path: '../../../up' }]
  const root = join(around, 'pods', 'one')
  const mounts = [
    { name: 'v', mountPath: '/etc/x' },
    { name: 'v', mountPath: '/../../aside' },
    { name: 'v', mountPath: '/in', subPath: '../../../up' },
  ]
  const pod = {
    metadata: { namespace: 'default', name: 'p', uid: 'u' },
    spec: { containers: [], volumes: [{ name: 'v', secret: { secretName: 's', items } }] },
  } as unknown as Pod
  try {
    await mountVolumes(kube, pod, { name: 'c', image: 'i', volumeMounts: mounts }, root)
    assert.deepEqual(readdirSync(around), ['pods'])
    assert.deepEqual(readdirSync(join(around, 'pods')), ['one'])
    assert.ok(existsSync(join(root, 'up')), 'what was asked for is there, as far as the folder goes')
  } finally {
    await server.close()
    rmSync(around, { recursive: true, force: true })
  }
})
