import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { startControlPlane } from './control-plane.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = (await controlPlaneSkipped()) ?? false

describe('the real control plane', { skip }, () => {
  it('is the version that the project pins, and kubectl reaches it with the kubeconfig alone', async () => {
    const plane = await sharedControlPlane()
    const { stdout, code, stderr } = await plane.kubectl(['version', '-o', 'json'])
    assert.equal(code, 0, stderr)
    const version = JSON.parse(stdout)
    assert.deepEqual([version.clientVersion.gitVersion, version.serverVersion.gitVersion], ['v1.34.4', 'v1.34.4'])
  })

  it('is shared by all who ask, and a second one beside it has the same etcd but objects of its own', async () => {
    const plane = await sharedControlPlane()
    assert.equal(await sharedControlPlane(), plane)
    const second = await startControlPlane({ etcd: plane.etcd })
    try {
      assert.equal((await second.kubectl(['create', 'configmap', 'only-here'])).code, 0)
      const there = await plane.kubectl(['get', 'configmap', 'only-here'])
      assert.match(there.stderr, /"only-here" not found/)
    } finally {
      await second.stop()
    }
  })

  it('leaves no process and no file behind', async () => {
    const plane = await startControlPlane()
    await plane.stop()
    assert.equal(existsSync(plane.folder), false)
    for (const pid of plane.pids) assert.throws(() => process.kill(pid, 0), /ESRCH/)
  })
})
